package lint

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// input is one file to check.
type input struct {
	path string
	kind Kind
}

// discovery is what the paths of a run lead to.
type discovery struct {
	inputs  []input
	skipped []string
}

// extensions are the names that a search of a folder looks into.
var extensions = map[string]bool{".yaml": true, ".yml": true, ".template": true, ".hot": true, ".env": true, ".json": true}

// maxSearched ends the search of a folder that is no project's.
const maxSearched = 100_000

func discover(paths []string, opts Options, files *source.Files) (discovery, error) {
	var out discovery
	seen := map[string]bool{}
	for _, p := range paths {
		if opts.Given {
			out.inputs = append(out.inputs, input{p, namedKind(p, opts, files)})
			continue
		}
		info, err := os.Stat(p)
		if err != nil {
			return out, fmt.Errorf("lint: %w", err)
		}
		if !info.IsDir() {
			if !seen[p] {
				seen[p] = true
				out.inputs = append(out.inputs, input{p, namedKind(p, opts, files)})
			}
			continue
		}
		if err := out.search(p, opts, files, seen); err != nil {
			return out, err
		}
	}
	return out, nil
}

// namedKind is the kind of a file that the user names: what cannot be told is taken for a template.
func namedKind(p string, opts Options, files *source.Files) Kind {
	kind, ok := KindOf(p, files)
	if !ok {
		kind, ok = opts.Kinds[p]
	}
	switch {
	case opts.Workflows && !kind.ofMistral():
		return KindWorkflow
	case !ok:
		return KindTemplate
	}
	return kind
}

func (d *discovery) search(root string, opts Options, files *source.Files, seen map[string]bool) error {
	count := 0
	err := filepath.WalkDir(root, func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case p != root && strings.HasPrefix(e.Name(), ".") || excluded(p, opts.Exclude):
			if e.IsDir() {
				return filepath.SkipDir
			}
			return nil
		case e.IsDir() || !e.Type().IsRegular() || !extensions[strings.ToLower(filepath.Ext(p))] || seen[p]:
			return nil
		}
		if count++; count > maxSearched {
			return fmt.Errorf("more than %d files", maxSearched)
		}
		seen[p] = true
		if kind, ok := KindOf(p, files); ok && opts.Workflows && !kind.ofMistral() {
			return nil
		} else if ok {
			d.inputs = append(d.inputs, input{p, kind})
		} else {
			d.skipped = append(d.skipped, p)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("lint: search of %s: %w", root, err)
	}
	return nil
}

// excluded reports whether a path, or one of its elements, matches a pattern.
func excluded(p string, patterns []string) bool {
	slash := filepath.ToSlash(filepath.Clean(p))
	for _, pattern := range patterns {
		pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")
		if ok, _ := path.Match(pattern, slash); ok {
			return true
		}
		if strings.HasPrefix(slash, pattern+"/") {
			return true
		}
		for _, element := range strings.Split(slash, "/") {
			if ok, _ := path.Match(pattern, element); ok {
				return true
			}
		}
	}
	return false
}

// KindOf tells a file's kind from its content.
func KindOf(p string, files *source.Files) (Kind, bool) {
	file, err := files.Open(p)
	if err != nil {
		return "", false
	}
	text := file.Text
	if mayBeTemplate(text) {
		return KindTemplate, true
	}
	if !mayBeWorkflow(text) && !mayBeEnvironment(text) {
		return "", false
	}
	root, found := source.ParseFile(&source.File{Path: p, Text: text}, source.Options{Reader: source.YAML})
	switch {
	case found.HasErrors():
		return "", false
	case isEnvironment(root):
		return KindEnvironment, true
	}
	return workflowKind(root, text)
}

// versionKeys are the keys that make a document a template.
var versionKeys = []string{hot.HOTKey, hot.AWSKey, hot.HeatKey}

// mayBeTemplate is a quick look at a text.
func mayBeTemplate(text []byte) bool {
	return slices.ContainsFunc(versionKeys, func(k string) bool { return bytes.Contains(text, []byte(k)) })
}

func mayBeWorkflow(text []byte) bool {
	return slices.ContainsFunc([]string{"version:", `"version"`, "tasks:"}, func(k string) bool { return bytes.Contains(text, []byte(k)) })
}

var environmentKeys = []string{"parameters", "parameter_defaults", "resource_registry", "event_sinks", "encrypted_param_names", "parameter_merge_strategies"}

func mayBeEnvironment(text []byte) bool {
	return slices.ContainsFunc(environmentKeys, func(k string) bool { return bytes.Contains(text, []byte(k)) })
}

// isEnvironment reports whether every section is one of an environment's.
func isEnvironment(root *source.Node) bool {
	if !root.Is(source.Map) || len(root.Pairs) == 0 {
		return false
	}
	for _, p := range root.Pairs {
		if !slices.Contains(environmentKeys, p.Key.Str()) {
			return false
		}
	}
	return true
}
