package weave

import (
	_ "embed"
	"io/fs"
	"path"
	"sync"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/templates"
)

// LibraryPath begins the path of every file of the embedded library, in findings and in source.File.Path. What
// follows it is a path within templates.FS; a get_file in such a file is relative to it there.
const LibraryPath = "library:"

// Types is a place to find component types by name.
type Types struct {
	// Find gives the type and what is wrong with its definition; nil where the place has no type of the name.
	Find func(name string) (*hot.ComponentType, diag.List)
	// Names are all that Find knows, for suggestions.
	Names func() []string
}

// Library is the component types that hotloom brings. Each is read when first asked for.
func Library() Types {
	l := &library{types: map[string]*libraryType{}}
	return Types{Find: l.find, Names: templates.ComponentTypes}
}

type library struct {
	mu    sync.Mutex
	types map[string]*libraryType
}

type libraryType struct {
	typ   *hot.ComponentType
	found diag.List
}

func (l *library) find(name string) (*hot.ComponentType, diag.List) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t, known := l.types[name]
	if !known {
		t = &libraryType{}
		if file := templates.ComponentType(name); file != "" {
			t.typ, t.found = readType(templates.FS(), file, name)
		}
		l.types[name] = t
	}
	return t.typ, t.found
}

func readType(files fs.FS, file, name string) (*hot.ComponentType, diag.List) {
	text, err := fs.ReadFile(files, file)
	if err != nil {
		return nil, diag.List{unreadableType(LibraryPath+file, name, err)}
	}
	return parseType(LibraryPath+path.Clean(file), text, name)
}

func parseType(file string, text []byte, name string) (*hot.ComponentType, diag.List) {
	root, found := source.Parse(file, text)
	types, faults := hot.LoadComponentTypes(root, source.NewString(root, name))
	found.Add(faults...)
	return named(types, name), found
}

//go:embed builtin.yaml
var builtinText []byte

// mistralTool is the tool of components that report to a workflow handle (DESIGN §2.3).
const mistralTool = "mistral"

// builtins are the component types that are part of the language rather than of the library.
var builtins = []string{mistralTool}

var builtinTypes = sync.OnceValue(func() map[string]*hot.ComponentType {
	out := map[string]*hot.ComponentType{}
	for _, name := range builtins {
		t, found := parseType(LibraryPath+"builtin.yaml", builtinText, name)
		if t == nil || found.HasErrors() {
			panic("built-in component types are broken") // compiled in, and tested
		}
		out[name] = t
	}
	return out
})

// Builtins are the component types that are part of the language.
func Builtins() Types {
	return Types{
		Find:  func(name string) (*hot.ComponentType, diag.List) { return builtinTypes()[name], nil },
		Names: func() []string { return builtins },
	}
}

func named(types []*hot.ComponentType, name string) *hot.ComponentType {
	for _, t := range types {
		if t.Name.Str() == name {
			return t
		}
	}
	return nil
}
