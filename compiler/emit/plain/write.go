package plain

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
)

// Write puts the files into a folder, which it makes where it is not there, and gives their paths. A file that is there
// already is replaced; nothing outside the folder is touched, not even through symbolic links in it.
func (o *Output) Write(folder string) ([]string, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, fmt.Errorf("output folder: %w", err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("output folder: %w", err)
	}
	defer root.Close()
	written := make([]string, 0, len(o.Files))
	for _, f := range o.Files {
		if dir := path.Dir(f.Name); dir != "." {
			if err := root.MkdirAll(dir, 0o755); err != nil {
				return nil, fmt.Errorf("output folder %s: %w", folder, err)
			}
		}
		if err := root.WriteFile(f.Name, f.Text, f.Mode); err != nil {
			return nil, fmt.Errorf("output folder %s: %w", folder, err)
		}
		written = append(written, filepath.Join(folder, filepath.FromSlash(f.Name)))
	}
	return written, nil
}
