// Package bundle makes the body of a request to Heat of a template with its files and environments, exactly as
// python-heatclient makes it: Heat's engine reads no client's files.
//
// A file goes under the URL that Python's urljoin gives for its name; a nested template as the JSON text that Python
// makes of it; the names in templates and environments are replaced with the URLs.
package bundle

import (
	"maps"
	"slices"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
)

// Bundle is what goes to Heat. Its trees share nodes with the author's documents, so that their places are known.
type Bundle struct {
	Template         *source.Node
	Files            map[string]string // by URL
	Environment      *source.Node      // all environments merged; an empty map where there is none
	EnvironmentFiles []string          // their URLs in order, within Files; Heat merges these itself

	// Sources are the author's files by URL, for messages about what Heat says of them.
	Sources map[string]*source.File
}

// Gather reads a template, what it pulls in, and environments, later ones on top. The findings say what is missing,
// unreadable or no document; with an error among them the bundle is incomplete and not to be sent. The template's files
// may come from another set than those of the environments: a compiled template lies in memory.
func Gather(template *source.Files, path string, environment *source.Files, environments []string) (*Bundle, diag.List) {
	b := &Bundle{Files: map[string]string{}, Environment: source.NewMap(nil), Sources: map[string]*source.File{}}
	g := &gatherer{Bundle: b, done: map[*source.File]*source.Node{}}
	g.template(template, path)
	for _, e := range environments {
		g.environment(environment, e)
	}
	g.found.Sort()
	return b, g.found
}

// Parameter is a value given on the command line. Heat lets the files of EnvironmentFiles win over the parameters of the
// request. So where a name is in both, Override is to be asked.
//
// Override leaves it to the request to say all: it drops EnvironmentFiles, whose merged contents are in Environment
// anyway, where one of their parameters is among the names. It reports false where that would lose something, which only
// Heat itself can merge: parameter_merge_strategies.
func (b *Bundle) Override(names []string) bool {
	given := b.Environment.Get("parameters")
	if len(b.EnvironmentFiles) == 0 || !slices.ContainsFunc(names, func(n string) bool { return given.Pair(n) != nil }) {
		return true
	}
	if b.Environment.Pair("parameter_merge_strategies") != nil {
		return false
	}
	for _, url := range b.EnvironmentFiles {
		delete(b.Files, url)
	}
	b.EnvironmentFiles = nil
	return true
}

// Fields are the body's entries that the bundle gives, in their order.
func (b *Bundle) Fields() []source.Pair {
	var files []source.Pair
	for _, url := range slices.Sorted(maps.Keys(b.Files)) {
		files = append(files, source.P(nil, url, source.NewString(nil, b.Files[url])))
	}
	fields := []source.Pair{
		source.P(nil, "template", b.Template),
		source.P(nil, "files", source.NewMap(nil, files...)),
		source.P(nil, "environment", b.Environment),
	}
	if len(b.EnvironmentFiles) > 0 {
		fields = append(fields, source.P(nil, "environment_files", texts(b.EnvironmentFiles)))
	}
	return fields
}

func texts(list []string) *source.Node {
	n := source.NewList(nil)
	for _, t := range list {
		n.Items = append(n.Items, source.NewString(nil, t))
	}
	return n
}
