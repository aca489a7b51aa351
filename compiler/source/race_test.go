//go:build race

package source

// slowness is how much longer things may take: the race detector costs a factor of about ten.
const slowness = 10

const raced = true
