package lsp

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/source"
)

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
