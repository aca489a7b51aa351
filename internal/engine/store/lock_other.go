//go:build !unix

package store

import (
	"errors"
	"io/fs"
	"os"
)

// acquire takes the lock file by making it; on these systems a file that is open cannot be removed, so one that a
// crashed process left behind can.
func acquire(path string) (*os.File, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, ErrLocked
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, ErrLocked
	}
	return f, err
}

func release(f *os.File) error {
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
