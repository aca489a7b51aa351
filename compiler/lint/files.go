package lint

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/hotloom/hotloom/compiler/source"
)

// files reads each file once for a whole run. It is safe for concurrent use.
type files struct {
	read func(path string) ([]byte, error)
	mu   sync.Mutex
	seen map[string]*fileState
}

type fileState struct {
	once sync.Once
	file *source.File
	err  error
}

func newFiles(read func(string) ([]byte, error)) *files {
	if read == nil {
		read = readDisk
	}
	return &files{read: read, seen: map[string]*fileState{}}
}

// maxFile is the largest file in bytes that is read: Heat takes 1 MiB for a whole request.
const maxFile = 8 << 20

var errIsFolder = errors.New("is a folder")

func readDisk(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	switch {
	case info.IsDir():
		return nil, errIsFolder
	case !info.Mode().IsRegular():
		return nil, errors.New("is no regular file")
	case info.Size() > maxFile:
		return nil, fmt.Errorf("has %d bytes, the limit is %d", info.Size(), maxFile)
	}
	return io.ReadAll(io.LimitReader(f, maxFile))
}

// open reads a file, or gives what it has read before.
func (f *files) open(path string) (*source.File, error) {
	f.mu.Lock()
	s := f.seen[path]
	if s == nil {
		s = &fileState{}
		f.seen[path] = s
	}
	f.mu.Unlock()
	s.once.Do(func() {
		text, err := f.read(path)
		s.file, s.err = &source.File{Path: path, Text: text}, err
	})
	return s.file, s.err
}

// sources are the texts of all files that were read.
func (f *files) sources() map[string][]byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := make(map[string][]byte, len(f.seen))
	for path, s := range f.seen {
		if s.file != nil && s.err == nil {
			out[path] = s.file.Text
		}
	}
	return out
}

// beside is the path of a file that a node names, seen from the file that the node stands in; remote is set for what
// must be fetched from the network, which lint never does.
func beside(name *source.Node) (path string, remote bool) {
	text := name.Text
	if rest, ok := strings.CutPrefix(text, "file://"); ok {
		return filepath.Clean(rest), false
	}
	if scheme, _, ok := strings.Cut(text, "://"); ok && scheme != "" && !strings.ContainsAny(scheme, "/ ") {
		return text, true
	}
	if filepath.IsAbs(text) || name.File == nil {
		return filepath.Clean(text), false
	}
	return filepath.Join(filepath.Dir(name.File.Path), text), false
}

// reason says in a few words why a file cannot be read.
func reason(err error) string {
	var p *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such file"
	case errors.Is(err, fs.ErrPermission):
		return "it may not be read"
	case errors.Is(err, errIsFolder):
		return "it is a folder"
	case errors.As(err, &p):
		return p.Err.Error()
	}
	return err.Error()
}
