package lsp

import (
	"errors"
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/source"
)

// under is the occurrence at a position; ok is false where none is.
func (v *view) under(p position) (at occurrence, all []occurrence, ok bool) {
	m := v.Meaning()
	if v.refused != nil || v.Kind() == "" || m.broken {
		return at, nil, false
	}
	all = m.occurrences()
	offset := v.text.offset(p, v.snap.unit)
	for _, o := range all {
		if v.text.place(o.at.Start) <= offset && offset <= v.text.place(o.at.End) {
			return o, all, true
		}
	}
	return at, all, false
}

// same are the occurrences of the same name.
func same(o occurrence, all []occurrence) []occurrence {
	var out []occurrence
	for _, x := range all {
		if x.space == o.space && x.name == o.name {
			out = append(out, x)
		}
	}
	return out
}

func definitionAt(s *server, snap *snapshot, p positionParams) (any, error) {
	path, _ := pathOf(p.Document.URI)
	v := snap.view(path)
	if v == nil {
		return nil, nil
	}
	w := newWriter(snap, s.capabilities(), nil)
	var targets []diag.Location
	if o, all, ok := v.under(p.Position); ok {
		for _, x := range same(o, all) {
			if x.definition {
				targets = append(targets, x.at)
			}
		}
	}
	at, _ := snap.placeAt(p)
	if at == nil {
		return nil, nil
	}
	if len(targets) == 0 {
		targets = at.leadsTo()
	}
	origin := span{v.text.position(at.start, snap.unit), v.text.position(at.end, snap.unit)}
	for _, f := range v.files.All() {
		w.keep(f)
	}
	links, locations := []locationLink{}, []location{}
	for _, target := range targets {
		l, ok := w.location(target)
		if !ok {
			continue // in hotloom's own library
		}
		locations = append(locations, l)
		links = append(links, locationLink{Origin: origin, URI: l.URI, Range: l.Range, Selection: l.Range})
	}
	if s.capabilities().TextDocument.Definition.LinkSupport {
		return links, nil
	}
	return locations, nil
}

// keep lets the writer know the text of a file that is not open.
func (w *writer) keep(f *source.File) {
	if w.files == nil {
		w.files = map[string][]byte{}
	}
	w.files[f.Path] = f.Text
}

// leadsTo is where what stands at a place leads, in this file or another.
func (p *place) leadsTo() []diag.Location {
	if p.m.broken || p.token == "" {
		return nil
	}
	switch p.m.kind {
	case lint.KindTemplate:
		p.steps = hotSteps(p.m.version(), p.path)
		return p.templateLeads()
	case lint.KindEnvironment:
		return p.environmentLeads()
	}
	return nil
}

// beginning is the beginning of a file.
func beginning(f *source.File) []diag.Location {
	if f == nil {
		return nil
	}
	first := diag.Pos{Line: 1, Column: 1}
	return []diag.Location{{Path: f.Path, Start: first, End: first}}
}

func (p *place) templateLeads() []diag.Location {
	switch {
	case p.last(1) == "get_file" && p.value:
		return p.fileLead()
	case p.last(1) == "type" && p.value:
		return p.typeLead()
	}
	if args, rest, ok := path("resources/*k/properties/**").match(p.steps); ok && p.key && len(rest) == 0 {
		if t := p.m.nested(p.m.Template.Resource(args[0])); t != nil {
			if def := t.Parameter(p.token); def != nil {
				return []diag.Location{def.Name.At()}
			}
		}
	}
	if p.last(2) == "get_attr" && p.last(1) == "[1]" {
		if t := p.m.nested(p.readFrom()); t != nil {
			if o := t.Output(p.token); o != nil {
				return []diag.Location{o.Name.At()}
			}
		}
	}
	return p.componentLeads()
}

// componentLeads: component types, their inputs and outputs.
func (p *place) componentLeads() []diag.Location {
	var t *hot.ComponentType
	if args, _, ok := path("resources/*k/components/**").match(p.steps); ok && len(p.steps) > 3 {
		p.args = append(args, p.steps[3:]...)
		c := p.component()
		if c == nil {
			return nil
		}
		t = p.m.componentType(c.Type.Str())
	}
	if p.last(2) == "get_attr" && p.last(1) == "[3]" {
		if r := p.readFrom(); r != nil && len(p.items) > 2 {
			if c := r.Component(p.items[2]); c != nil {
				t = p.m.componentType(c.Type.Str())
			}
		}
	}
	if t == nil {
		return nil
	}
	switch {
	case p.last(1) == "component_type":
		return []diag.Location{t.Name.At()}
	case p.last(1) == "params" && p.key:
		return ioLead(t.Inputs, p.token)
	}
	return ioLead(t.Outputs, p.token)
}

func ioLead(list []*hot.IO, name string) []diag.Location {
	for _, io := range list {
		if io.Name.Str() == name {
			return []diag.Location{io.Name.At()}
		}
	}
	return nil
}

// nodeAt is the text of the document that begins where the place's token does, or nil.
func (p *place) nodeAt() *source.Node {
	var out *source.Node
	t := p.snap.docs[p.m.Path].text
	p.m.root.Walk(func(n *source.Node) bool {
		if n.Is(source.String) && n.File != nil && n.File.Path == p.m.Path && n.Text == p.token && t.place(n.Start) == p.start {
			out = n
		}
		return out == nil
	})
	return out
}

func (p *place) fileLead() []diag.Location {
	n := p.nodeAt()
	if n == nil {
		return nil
	}
	return beginning(p.m.named(n))
}

// typeLead is the template that a type names, or stands for in the environment.
func (p *place) typeLead() []diag.Location {
	if hot.IsTemplateName(p.token) {
		return p.fileLead()
	}
	args, _, ok := path("resources/*k/type").match(p.steps)
	if !ok || p.m.Stack == nil {
		return nil
	}
	r := p.m.Template.Resource(args[0])
	if r == nil || !r.Type.Is(source.String) {
		return nil
	}
	res := p.m.Stack.Environment.Registry.Resolve(r.Type, r.Name.Text, p.m.Catalog.Knows)
	if res.Template == nil {
		return nil
	}
	return beginning(p.m.named(res.Template))
}

// environmentLeads: parameters of open templates, files of the registry.
func (p *place) environmentLeads() []diag.Location {
	if len(p.path) > 1 && p.path[0] == "resource_registry" && p.value && hot.IsTemplateName(p.token) {
		for _, ref := range source.RegistryReferences(p.m.root.Get("resource_registry")) {
			if ref.Node.Text == p.token {
				if file, err := p.m.Files.ResolveReference(ref); err == nil {
					return beginning(file)
				}
			}
		}
	}
	if !p.key || len(p.path) != 1 || !strings.HasPrefix(p.path[0], "parameter") {
		return nil
	}
	var out []diag.Location
	for _, doc := range sortedKeys(p.snap.docs) {
		if p.snap.docs[doc].Kind() != lint.KindTemplate {
			continue
		}
		if def := p.snap.view(doc).Meaning().Template.Parameter(p.token); def != nil {
			out = append(out, def.Name.At())
		}
	}
	return out
}

func referencesAt(s *server, snap *snapshot, p referenceParams) ([]location, error) {
	out := []location{}
	path, _ := pathOf(p.Document.URI)
	v := snap.view(path)
	if v == nil {
		return out, nil
	}
	o, all, ok := v.under(p.Position)
	if !ok {
		return out, nil
	}
	for _, x := range same(o, all) {
		if !x.definition || p.Context.IncludeDeclaration {
			out = append(out, location{URI: v.uri, Range: v.text.span(x.at, snap.unit)})
		}
	}
	return out, nil
}

func highlightsAt(_ *server, snap *snapshot, p positionParams) ([]documentHighlight, error) {
	out := []documentHighlight{}
	path, _ := pathOf(p.Document.URI)
	v := snap.view(path)
	if v == nil {
		return out, nil
	}
	o, all, ok := v.under(p.Position)
	if !ok {
		return out, nil
	}
	for _, x := range same(o, all) {
		kind := highlightRead
		if x.definition {
			kind = highlightWrite
		}
		out = append(out, documentHighlight{Range: v.text.span(x.at, snap.unit), Kind: kind})
	}
	return out, nil
}

// renamable are the spaces whose names mean nothing outside their document. A parameter is named in environments and by
// templates that nest this one, a task in expressions.
func renamable(s space) bool {
	return slices.Contains([]space{resourceNames, conditionNames}, s) || strings.HasPrefix(string(s), string(componentNames))
}

var errNoRename = errors.New("only resources, conditions and components can be renamed: other names are used outside this document, or in expressions")

func (v *view) renamed(p position) (occurrence, []occurrence, error) {
	o, all, ok := v.under(p)
	if !ok || !renamable(o.space) {
		return o, nil, &jsonrpc2.Error{Code: codeRequestFailed, Message: errNoRename.Error()}
	}
	list := same(o, all)
	if !slices.ContainsFunc(list, func(x occurrence) bool { return x.definition }) {
		return o, nil, &jsonrpc2.Error{Code: codeRequestFailed, Message: "nothing has the name " + o.name}
	}
	return o, all, nil
}

func prepareRename(_ *server, snap *snapshot, p positionParams) (any, error) {
	path, _ := pathOf(p.Document.URI)
	v := snap.view(path)
	if v == nil {
		return nil, nil
	}
	o, _, err := v.renamed(p.Position)
	if err != nil {
		return nil, err
	}
	return struct {
		Range span   `json:"range"`
		Name  string `json:"placeholder"`
	}{v.text.span(o.at, snap.unit), o.name}, nil
}

func renameAt(s *server, snap *snapshot, p renameParams) (any, error) {
	path, _ := pathOf(p.Document.URI)
	v := snap.view(path)
	if v == nil {
		return nil, nil
	}
	o, all, err := v.renamed(p.Position)
	if err != nil {
		return nil, err
	}
	if why := v.badName(o.space, p.NewName, all); why != "" {
		return nil, &jsonrpc2.Error{Code: codeRequestFailed, Message: why}
	}
	var edits []textEdit
	seen := map[diag.Pos]bool{} // an anchored part is there once, and in the tree as often as it is used
	for _, x := range same(o, all) {
		if seen[x.at.Start] {
			continue
		}
		seen[x.at.Start] = true
		edits = append(edits, textEdit{Range: v.text.span(x.at, snap.unit), NewText: p.NewName})
	}
	return newWriter(snap, s.capabilities(), nil).edits(v.document, edits), nil
}

// badName says what is wrong with a new name, or "".
func (v *view) badName(s space, name string, all []occurrence) string {
	switch {
	case name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" || !alone(name).Is(source.String):
		return "a name consists of letters, digits, _ and -, and is no number or other value of YAML"
	case slices.ContainsFunc(all, func(o occurrence) bool { return o.definition && o.space == s && o.name == name }):
		return "there is a " + strings.TrimSuffix(string(s), " of ") + " " + name + " already"
	case s == resourceNames && v.Meaning().Template.Parameter(name) != nil:
		return "a parameter has the name " + name
	}
	return ""
}
