// Package templates is the library that hotloom brings: component types and workflows that need no file of the user's own.
//
// Each type is a folder components/NAME with a component.yaml (a component_types section with that one name) and the
// scripts that it names with get_file, relative to itself. The package is data; compiler/weave gives it meaning.
package templates

import (
	"embed"
	"io/fs"
	"path"
	"strings"
)

//go:embed components workflows
var files embed.FS

// FS is the library's file tree.
func FS() fs.FS { return files }

// ComponentTypes lists the names of the component types, sorted.
func ComponentTypes() []string {
	entries, err := files.ReadDir("components")
	if err != nil {
		panic(err) // the folder is compiled in
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// ComponentType is the path within FS of the file that defines a component type, or "" where the library has none of
// that name.
func ComponentType(name string) string {
	p := path.Join("components", name, "component.yaml")
	if strings.ContainsAny(name, "/.") {
		return "" // no way out of the folder
	}
	if _, err := files.Open(p); err != nil {
		return ""
	}
	return p
}
