package source

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/hotloom/hotloom/compiler/diag"
)

// Limits of what the files of one run may come to. Heat takes 1 MiB for a request with all its files.
const (
	MaxFiles      = 10_000
	MaxFilesBytes = 256 << 20
)

// FilesOptions say where files come from. The zero value reads the disk and fetches nothing.
type FilesOptions struct {
	// Read gives the text of the file at a path; nil is the disk, where only regular files of at most MaxBytes are
	// read.
	Read func(path string) ([]byte, error)
	// Fetch gives what is at an http, https or ftp URL. Without it such a name is a Remote error.
	Fetch func(url string) ([]byte, error)
	// Mounts are trees of files that are not on the disk, by the prefix of their paths, such as "library:".
	Mounts map[string]fs.FS
	// Over holds texts that stand in the place of the files at these absolute paths, such as what an editor has not
	// saved yet.
	Over map[string][]byte
}

// Files reads the files that belong to templates, each once, with heatclient's rules for the names that stand in
// templates and environments. It is safe for concurrent use.
type Files struct {
	opts FilesOptions

	mu     sync.Mutex
	states map[string]*fileState // by absolute path, or URL
	trees  []string              // folders of the files that were opened by path
	count  int
	bytes  int
}

type fileState struct {
	once sync.Once
	file *File
	err  error

	parsing   sync.Mutex
	documents map[Reader]document
}

type document struct {
	root     *Node
	findings diag.List
}

// NewFiles makes an empty set of files.
func NewFiles(opts FilesOptions) *Files {
	return &Files{opts: opts, states: map[string]*fileState{}}
}

// FileFault says why a file is not there.
type FileFault uint8

// The faults.
const (
	Unreadable  FileFault = iota // the system refuses it
	Missing                      // there is no such file
	NotAFile                     // a folder, a device, a socket
	Remote                       // on the network, and nothing is fetched
	Unsupported                  // a name that heatclient takes for a URL of a scheme it does not know
	Outside                      // a symbolic link leads out of the folder of the template
	TooLarge                     // more than MaxBytes, or all files together more than the limits
)

// FileError is the error of Open and Resolve. Its text says what is wrong with which file.
type FileError struct {
	Fault FileFault
	Path  string // as far as it is known; else the name
	Err   error  // the system's, if there is one
}

func (e *FileError) Error() string {
	switch e.Fault {
	case Missing:
		return "there is no file " + e.Path
	case NotAFile:
		return e.Path + " is not a regular file"
	case Remote:
		return e.Path + " is on the network and is not fetched"
	case Unsupported:
		return e.Path + " looks like a URL of a kind that Heat's client cannot read"
	case Outside:
		return e.Path + " leads out of the template's folder through a symbolic link"
	case TooLarge:
		return fmt.Sprintf("%s is too large: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("%s cannot be read: %v", e.Path, e.Err)
}

func (e *FileError) Unwrap() error { return e.Err }

// Open reads the file at a path that the user gave. Names in it may not lead out of its folder through symbolic
// links.
func (f *Files) Open(name string) (*File, error) {
	tree := filepath.Dir(absolute(name))
	f.mu.Lock()
	if !slices.Contains(f.trees, tree) {
		f.trees = append(f.trees, tree)
	}
	f.mu.Unlock()
	return f.open(filepath.Clean(name), nil)
}

// Resolve reads the file that ref names, seen from a file in which it stands. See Locate for how the name is read.
func (f *Files) Resolve(from *File, ref string) (*File, error) {
	place, err := f.Locate(from, ref)
	if err != nil {
		return nil, err
	}
	return f.open(place, from)
}

// Locate gives the path or URL of the file that ref names, as heatclient joins names: ref is a URL reference relative
// to the folder of from, %20 and the like stand for characters, what follows # does not count, file:// and absolute
// paths stand for themselves.
func (f *Files) Locate(from *File, ref string) (string, error) {
	scheme, rest := splitScheme(ref)
	switch scheme {
	case "http", "https", "ftp":
		return ref, nil
	case "file", "":
	default:
		return "", &FileError{Fault: Unsupported, Path: ref}
	}
	rest, _, _ = strings.Cut(rest, "#")
	if authority, ok := strings.CutPrefix(rest, "//"); ok {
		host, p, _ := strings.Cut(authority, "/")
		if host != "" && host != "localhost" {
			return "", &FileError{Fault: Unsupported, Path: ref}
		}
		rest = "/" + p
	}
	base := ""
	if from != nil {
		base = from.Path
	}
	if baseScheme, _ := splitScheme(base); scheme == "" && (baseScheme == "http" || baseScheme == "https" || baseScheme == "ftp") {
		return joinURL(base, rest), nil
	}
	name := unescape(rest)
	if prefix, _ := f.mount(base); prefix != "" && scheme == "" && !path.IsAbs(name) {
		return prefix + path.Join(path.Dir(strings.TrimPrefix(base, prefix)), name), nil
	}
	if name = filepath.FromSlash(name); filepath.IsAbs(name) || from == nil {
		return filepath.Clean(name), nil
	}
	return filepath.Join(filepath.Dir(base), name), nil
}

// mount finds the mounted tree that a path is in.
func (f *Files) mount(name string) (prefix string, tree fs.FS) {
	for prefix, tree := range f.opts.Mounts {
		if strings.HasPrefix(name, prefix) {
			return prefix, tree
		}
	}
	return "", nil
}

// open reads a file, or gives what it has read before. From is the file that names it, or nil.
func (f *Files) open(name string, from *File) (*File, error) {
	id := name
	prefix, tree := f.mount(name)
	scheme, _ := splitScheme(name)
	remote := scheme == "http" || scheme == "https" || scheme == "ftp"
	if prefix == "" && !remote {
		id = absolute(name)
		if err := f.escapes(id, from); err != nil {
			return nil, err
		}
	}
	f.mu.Lock()
	s := f.states[id]
	if s == nil {
		s = &fileState{}
		f.states[id] = s
	}
	f.mu.Unlock()
	s.once.Do(func() {
		text, over := f.opts.Over[id]
		var err error
		switch {
		case prefix != "":
			text, err = fs.ReadFile(tree, strings.TrimPrefix(name, prefix))
		case remote && f.opts.Fetch == nil:
			err = &FileError{Fault: Remote, Path: name}
		case remote:
			text, err = f.opts.Fetch(name)
		case over:
		case f.opts.Read != nil:
			text, err = f.opts.Read(name)
		default:
			text, err = readDisk(name)
		}
		if err == nil {
			err = f.account(name, len(text))
		}
		if err != nil {
			s.err = fileError(name, err)
			return
		}
		s.file = &File{Path: name, Text: text}
	})
	return s.file, s.err
}

// account counts a file towards the limits of the run.
func (f *Files) account(name string, size int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count, f.bytes = f.count+1, f.bytes+size
	if f.count > MaxFiles || f.bytes > MaxFilesBytes {
		return &FileError{Fault: TooLarge, Path: name, Err: fmt.Errorf("with it there are %d files of %d bytes; the limits are %d and %d", f.count, f.bytes, MaxFiles, MaxFilesBytes)}
	}
	return nil
}

func fileError(name string, err error) error {
	var known *FileError
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, fs.ErrNotExist):
		return &FileError{Fault: Missing, Path: name, Err: err}
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return &FileError{Fault: Unreadable, Path: name, Err: err}
}

// readDisk reads a regular file whose size is known and within the limit before a byte is read.
func readDisk(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // opening a pipe would wait for its writer
		return nil, &FileError{Fault: NotAFile, Path: name}
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info.Size() <= MaxBytes {
		text := make([]byte, 0, info.Size()+512)
		for r := io.LimitReader(file, MaxBytes+1); ; {
			n, err := r.Read(text[len(text):cap(text)])
			text = text[:len(text)+n]
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return nil, err
			}
			if len(text) == cap(text) {
				text = slices.Grow(text, len(text))
			}
		}
		if len(text) <= MaxBytes {
			return text, nil
		}
	}
	return nil, &FileError{Fault: TooLarge, Path: name, Err: fmt.Errorf("it has %d bytes; at most %d are read", info.Size(), MaxBytes)}
}

// Document parses a file of the set, once for each reader. The findings are the same at every call.
func (f *Files) Document(file *File, reader Reader) (*Node, diag.List) {
	f.mu.Lock()
	s := f.states[file.Path]
	if s == nil || s.file != file {
		s = f.states[absolute(file.Path)]
	}
	f.mu.Unlock()
	if s == nil || s.file != file {
		return ParseFile(file, Options{Reader: reader})
	}
	s.parsing.Lock()
	defer s.parsing.Unlock()
	if d, ok := s.documents[reader]; ok {
		return d.root, d.findings
	}
	root, findings := ParseFile(file, Options{Reader: reader})
	if s.documents == nil {
		s.documents = map[Reader]document{}
	}
	s.documents[reader] = document{root, slices.Clip(findings)}
	return root, findings
}

// Asked gives the absolute path, or the URL, of every file that was asked for, whether or not it is there, in order.
func (f *Files) Asked() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Sorted(maps.Keys(f.states))
}

// All gives the files that were read, in the order of their paths.
func (f *Files) All() []*File {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []*File
	for _, s := range f.states {
		if s.file != nil {
			out = append(out, s.file)
		}
	}
	slices.SortFunc(out, func(a, b *File) int { return cmp.Compare(a.Path, b.Path) })
	return out
}
