package lsp

import (
	"net/url"
	"path/filepath"
	"strings"
)

// pathOf is the absolute path of a document; ok is false for those that are neither files nor unsaved ones, such as an
// editor's view of an older version.
func pathOf(uri string) (path string, ok bool) {
	u, err := url.Parse(uri)
	switch {
	case err != nil:
		return "", false
	case u.Scheme == "file":
		path = u.Path
		if len(path) > 2 && path[0] == '/' && path[2] == ':' { // a drive of Windows
			path = path[1:]
		}
		return filepath.Clean(filepath.FromSlash(path)), path != ""
	case u.Scheme == "untitled":
		abs, err := filepath.Abs(strings.NewReplacer("/", "-", ":", "-").Replace(uri))
		return abs, err == nil
	}
	return "", false
}

// uriOf is the URI of a file; ok is false for what is not on the disk.
func uriOf(path string) (uri string, ok bool) {
	if !filepath.IsAbs(path) {
		return "", false
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String(), true
}
