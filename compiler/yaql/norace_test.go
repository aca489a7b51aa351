//go:build !race

package yaql_test

const raceDetector = false
