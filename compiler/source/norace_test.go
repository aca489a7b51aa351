//go:build !race

package source

// slowness is how much longer things may take, on a machine that does other work.
const slowness = 3

const raced = false
