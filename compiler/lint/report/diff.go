package report

import "github.com/aymanbagabas/go-udiff"

// Diff is the change of a file in unified form, "" where nothing changes.
func Diff(path string, before, after []byte) string {
	return udiff.Unified(path, path, string(before), string(after))
}
