package plain

import (
	"slices"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
)

// Finish gives the output and all findings. A nested stack goes into the output of the one around it.
func (s *Stack) Finish() (*Output, diag.List) {
	root := s.root()
	text := source.Encode(root)
	if limit := s.Options.Limits.TemplateBytes; len(text) > limit {
		s.Report(templateTooLarge(root.At(), s.name, len(text), limit))
	}
	if n, limit := len(s.byName), s.Options.Limits.Resources; n > limit {
		s.Report(tooManyResources(root.At(), n, limit))
	}
	m := mapSource(s.name, root)
	s.files.files[s.name] = &File{Name: s.name, Text: text, Mode: 0o644}
	if s.Options.within != nil {
		s.files.mapped = append(s.files.mapped, m.Mappings...)
		return &Output{SourceMap: m}, s.found
	}
	m.Mappings = append(m.Mappings, s.files.mapped...)
	s.files.files[SourceMapFile] = &File{Name: SourceMapFile, Text: m.encode(), Mode: 0o644}
	s.found.Sort()
	return &Output{Files: s.files.all(), SourceMap: m}, s.found
}

// root is the whole document: the author's, in the author's order, without hotloom's sections.
func (s *Stack) root() *source.Node {
	root := s.Program.Template.Root
	var pairs []source.Pair
	changed := len(s.parameters) > 0
	missing := changed && root.Get("parameters") == nil
	for _, p := range root.Pairs {
		value := p.Value
		switch p.Key.Str() {
		case "component_types":
			changed = true
			continue
		case "parameters":
			if len(s.parameters) > 0 {
				value = source.NewMap(p.Value, append(slices.Clone(p.Value.Pairs), s.parameters...)...)
			}
		case "resources", "Resources":
			if missing {
				pairs = append(pairs, source.P(p.Key, "parameters", source.NewMap(p.Key, s.parameters...)))
			}
			value = s.resourcesSection(p.Value)
		case "outputs", "Outputs":
			value = s.Value(p.Value, nil)
		}
		changed = changed || value != p.Value
		pairs = append(pairs, source.Pair{Key: p.Key, Value: value})
	}
	if !changed {
		return root
	}
	return source.NewMap(root, pairs...)
}

func (s *Stack) resourcesSection(author *source.Node) *source.Node {
	if !author.Is(source.Map) {
		return author
	}
	var pairs []source.Pair
	changed := false
	for _, p := range author.Pairs {
		r := s.byName[p.Key.Str()]
		if r == nil || r.source == nil {
			pairs = append(pairs, p)
			continue
		}
		if changed = changed || r.dropped; !r.dropped {
			value := r.definition()
			changed = changed || value != p.Value || len(r.companions) > 0
			pairs = append(pairs, source.Pair{Key: p.Key, Value: value})
		}
		for _, c := range r.companions {
			pairs = append(pairs, source.Pair{Key: c.key, Value: c.definition()})
		}
	}
	if !changed {
		return author
	}
	return source.NewMap(author, pairs...)
}
