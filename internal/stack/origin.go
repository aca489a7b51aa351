package stack

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/internal/stack/bundle"
)

// CompiledFolder is where a compiled template and its files seem to lie for Heat. Their URLs have to be the same whoever
// compiles, wherever: to Heat a nested template of another URL is another type.
const CompiledFolder = "/hotloom"

// Origin leads from what Heat says to the author's lines. A nil Origin knows nothing.
type Origin struct {
	bundle *bundle.Bundle
	files  *source.Files    // the author's
	lines  *plain.SourceMap // nil where the template went as it was
}

// NewOrigin is the origin of a bundle; lines is the compiler's map, or nil where it was not compiled.
func NewOrigin(b *bundle.Bundle, files *source.Files, lines *plain.SourceMap) *Origin {
	return &Origin{bundle: b, files: files, lines: lines}
}

// At gives the place of a path, in Heat's form resources.NAME.properties.X.0, in the template of a URL; "" is the root's.
// Where the path is not there it is the nearest place above.
func (o *Origin) At(templateURL, path string) diag.Location {
	if o == nil || o.bundle == nil {
		return diag.Location{}
	}
	if o.lines != nil {
		name := plain.StackFile
		if templateURL != "" {
			u, err := url.Parse(templateURL)
			if err != nil || !strings.HasPrefix(u.Path, CompiledFolder+"/") {
				return diag.Location{}
			}
			name = strings.TrimPrefix(u.Path, CompiledFolder+"/")
		}
		return o.lines.Find(name, path)
	}
	root := o.bundle.Template
	if templateURL != "" {
		file := o.bundle.Sources[templateURL]
		if file == nil {
			return diag.Location{}
		}
		root, _ = o.files.Document(file, source.Template)
	}
	return find(root, path)
}

// find walks a path as far as it goes. Names may hold dots, so the longest key that fits counts.
func find(n *source.Node, path string) diag.Location {
	at := n.At()
	for path != "" && n != nil {
		switch n.Kind {
		case source.Map:
			var next *source.Pair
			length := -1
			for i, p := range n.Pairs {
				key := p.Key.Text
				if len(key) > length && strings.HasPrefix(path, key) && (len(path) == len(key) || path[len(key)] == '.') {
					next, length = &n.Pairs[i], len(key)
				}
			}
			if next == nil {
				return at
			}
			at, n = next.Key.At(), next.Value
			path = strings.TrimPrefix(path[length:], ".")
		case source.List:
			index, rest, _ := strings.Cut(path, ".")
			i := slices.Index(digits(len(n.Items)), index)
			if i < 0 {
				return at
			}
			n, path = n.Items[i], rest
			at = n.At()
		default:
			return at
		}
	}
	return at
}

func digits(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = strconv.Itoa(i)
	}
	return out
}

// Node gives the place of a resource.
func (o *Origin) Node(n *Node) diag.Location {
	if n == nil {
		return diag.Location{}
	}
	template := ""
	if n.Parent != nil {
		// the member of a group has no definition of its own in the group's generated template
		if template = n.Parent.Type; !source.IsTemplateName(template) {
			return o.Node(n.Parent)
		}
	}
	at := o.At(template, "resources."+n.Name)
	if at.Start.Line == 0 {
		return o.Node(n.Parent)
	}
	return at
}

// Message gives the place that a message of Heat's speaks of, or the zero location.
func (o *Origin) Message(text string) diag.Location {
	if o == nil || o.bundle == nil {
		return diag.Location{}
	}
	for _, form := range messageForms() {
		m := form.expr.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		if form.section == "" {
			return o.path("", strings.NewReplacer("[", ".", "]", "").Replace(strings.Trim(m[1], ".: ")))
		}
		if at := o.At("", form.section+"."+m[1]); at.Start.Line > 0 {
			return at
		}
	}
	return diag.Location{}
}

// path follows resources.a.resources.b.properties.c through nested templates.
func (o *Origin) path(template, path string) diag.Location {
	at := o.At(template, path)
	rest, ok := strings.CutPrefix(path, "resources.")
	if !ok {
		return at
	}
	name, inner, ok := strings.Cut(rest, ".resources.")
	if !ok {
		return at
	}
	root := o.bundle.Template
	if template != "" {
		file := o.bundle.Sources[template]
		if file == nil {
			return at
		}
		root, _ = o.files.Document(file, source.Template)
	}
	kind := root.Get("resources").Get(name).Get("type").Str()
	if !source.IsTemplateName(kind) {
		return o.At(template, "resources."+name)
	}
	if file := o.bundle.Sources[template]; file != nil {
		kind = bundle.Join(template, kind)
	}
	if deeper := o.path(kind, "resources."+inner); deeper.Start.Line > 0 {
		return deeper
	}
	return o.At(template, "resources."+name)
}

type messageForm struct {
	expr    *regexp.Regexp
	section string // that the name found is in; "" where a whole path is found
}

// messageForms are how Heat names places, the most exact first.
var messageForms = sync.OnceValue(func() []messageForm {
	return []messageForm{
		{regexp.MustCompile(`\b((?:resources|outputs|conditions|parameters)\.[^\s:,]+)`), ""},
		{regexp.MustCompile(`\(in ([^)\s]+)\) is incorrect`), "resources"},
		{regexp.MustCompile(`\(in ([^)\s]+)\) is incorrect`), "outputs"},
		{regexp.MustCompile(`The Parameter \(([^)]+)\) was not provided`), "parameters"},
		{regexp.MustCompile(`(?i)parameter "?'?([\w.-]+)'?"? is invalid`), "parameters"},
		{regexp.MustCompile(`Parameter '([^']+)' is invalid`), "parameters"},
		{regexp.MustCompile(`(?i)resource "?'?([\w.-]+)'?"?`), "resources"},
		{regexp.MustCompile(`Referenced Attribute \(([^\s)]+)`), "resources"},
		{regexp.MustCompile(`\(([\w.-]+)\)`), "resources"},
	}
})
