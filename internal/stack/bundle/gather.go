package bundle

import (
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

type gatherer struct {
	*Bundle
	found diag.List
	done  map[*source.File]*source.Node // nested templates with their names replaced, by file
	way   []*source.File                // templates being read, outermost first
}

// place is a document whose names are being followed.
type place struct {
	files *source.Files
	file  *source.File
	base  string // the URL that names in it are relative to, as heatclient joins them
}

func (g *gatherer) template(files *source.Files, path string) {
	g.Template = source.NewMap(nil)
	file, err := files.Open(path)
	if err != nil {
		g.found.Add(unreadable(diag.Location{Path: path}, "template", err))
		return
	}
	root, found := files.Document(file, source.Template)
	g.found.Add(found...)
	if found.HasErrors() {
		return
	}
	if !root.Is(source.Map) || !source.IsTemplate(root) {
		g.found.Add(noTemplate(root.At(), path))
		return
	}
	url := file.URL()
	g.Sources[url] = file
	g.way = append(g.way, file)
	g.Template = g.replaceNames(root, place{files, file, folderOf(url)})
	g.way = g.way[:len(g.way)-1]
}

// replaceNames takes in what a template names with get_file, or with the type of a nested template, wherever that stands,
// and gives it with URLs in their place.
func (g *gatherer) replaceNames(root *source.Node, in place) *source.Node {
	return root.Rewrite(func(n *source.Node) *source.Node {
		if n.Kind != source.Map {
			return n
		}
		var pairs []source.Pair
		for i, p := range n.Pairs {
			key := p.Key.Str()
			if !p.Value.Is(source.String) || key != "get_file" && (key != "type" || !source.IsTemplateName(p.Value.Text)) {
				continue
			}
			if pairs == nil {
				pairs = slices.Clone(n.Pairs)
			}
			pairs[i].Value = source.NewString(p.Value, g.add(source.Reference{Node: p.Value}, in))
		}
		if pairs == nil {
			return n
		}
		for i, p := range pairs {
			if p.Value == n.Pairs[i].Value {
				pairs[i].Value = g.replaceNames(p.Value, in)
			}
		}
		return source.NewMap(n, pairs...)
	})
}

// add takes in one file, and what it pulls in if it is a template, and gives its URL.
func (g *gatherer) add(r source.Reference, in place) string {
	url := joinURL(slashed(in.base), r.Node.Text)
	if _, done := g.Files[url]; done {
		return url
	}
	file, err := in.files.ResolveReference(r)
	if err != nil {
		g.found.Add(unreadable(r.Node.At(), quote(r.Node.Text), err))
		return url
	}
	if slices.Contains(g.way, file) {
		g.found.Add(circle(r.Node.At(), file.Path))
		return url
	}
	g.Sources[url] = file
	root := nestedTemplate(in.files, file)
	if root == nil {
		g.Files[url] = file.Content()
		return url
	}
	g.way = append(g.way, file)
	g.Files[url] = string(source.EncodeJSONLine(g.replaceNames(root, place{in.files, file, folderOf(url)})))
	g.way = g.way[:len(g.way)-1]
	return url
}

// nestedTemplate parses a file if heatclient takes it for a template. It looks for the version key with Python's "in",
// which finds it in a list, and within a plain text, as well.
func nestedTemplate(files *source.Files, file *source.File) *source.Node {
	if root := files.Template(file); root != nil {
		return root
	}
	if !slices.ContainsFunc(source.VersionKeys, func(k string) bool { return strings.Contains(string(file.Text), k) }) {
		return nil
	}
	root, found := files.Document(file, source.Template)
	switch {
	case found.HasErrors():
		return nil
	case root.Kind == source.String && slices.ContainsFunc(source.VersionKeys, func(k string) bool { return strings.Contains(root.Text, k) }):
		return root
	case root.Kind == source.List && slices.ContainsFunc(root.Items, func(n *source.Node) bool { return slices.Contains(source.VersionKeys, n.Str()) }):
		return root
	}
	return nil
}

// environment reads one environment and merges it over those before.
func (g *gatherer) environment(files *source.Files, path string) {
	file, err := files.Open(path)
	if err != nil {
		g.found.Add(unreadable(diag.Location{Path: path}, "environment", err))
		return
	}
	root, found := files.Document(file, source.YAML)
	g.found.Add(found...)
	switch {
	case found.HasErrors():
		return
	case !root.Is(source.Map):
		g.found.Add(noEnvironment(root.At()))
		return
	}
	for _, p := range root.Pairs {
		if !slices.Contains(hot.EnvironmentSections, p.Key.Str()) {
			g.found.Add(wrongSection(p.Key.At(), p.Key.Text))
		}
	}
	url := file.URL()
	g.Sources[url] = file
	if registry := root.Get("resource_registry"); registry.Is(source.Map) {
		root = replaced(root, "resource_registry", g.registry(registry, place{files, file, folderOf(url)}))
	}
	g.Files[url] = string(source.EncodeJSONLine(root))
	g.EnvironmentFiles = append(g.EnvironmentFiles, url)
	merged, clash := merge(g.Environment, root)
	if clash != nil {
		g.found.Add(*clash)
	}
	g.Environment = merged
}

// registry takes in the files of a resource_registry: its own entries, and those of the resources in it.
func (g *gatherer) registry(registry *source.Node, in place) *source.Node {
	base := registry.Get("base_url")
	if base.Is(source.String) {
		in.base = base.Text
	}
	out := g.entries(registry, base, in)
	resources := out.Get("resources")
	if !resources.Is(source.Map) {
		return out
	}
	changed := slices.Clone(resources.Pairs)
	for i, p := range changed {
		if !p.Value.Is(source.Map) {
			continue
		}
		own, from := in, base
		if b := p.Value.Get("base_url"); b.Is(source.String) {
			own.base, from = b.Text, b
		}
		changed[i].Value = g.entries(p.Value, from, own)
	}
	return replaced(out, "resources", source.NewMap(resources, changed...))
}

func (g *gatherer) entries(m, base *source.Node, in place) *source.Node {
	pairs := slices.Clone(m.Pairs)
	for i, p := range pairs {
		switch key := p.Key.Str(); {
		case !p.Value.Is(source.String), strings.Contains(p.Value.Text, "::"), key == "base_url", key == "hooks", key == "restricted_actions":
		default:
			pairs[i].Value = source.NewString(p.Value, g.add(source.Reference{Kind: source.RegistryType, Node: p.Value, Base: base}, in))
		}
	}
	return source.NewMap(m, pairs...)
}

func replaced(m *source.Node, key string, value *source.Node) *source.Node {
	pairs := slices.Clone(m.Pairs)
	for i, p := range pairs {
		if p.Key.Str() == key {
			pairs[i].Value = value
		}
	}
	return source.NewMap(m, pairs...)
}

// merge lays a map over another as heatclient merges environments: maps within maps are merged, a null leaves a map as
// it is, anything else replaces. Where a map meets what is none, heatclient stops; clash tells.
func merge(old, over *source.Node) (merged *source.Node, clash *diag.Diagnostic) {
	pairs := slices.Clone(old.Pairs)
	for _, p := range over.Pairs {
		i := slices.IndexFunc(pairs, func(q source.Pair) bool { return source.Equal(q.Key, p.Key) })
		switch {
		case i < 0 && p.Value.Kind == source.Map:
			m, c := merge(source.NewMap(p.Value), p.Value)
			pairs = append(pairs, source.Pair{Key: p.Key, Value: m})
			clash = either(clash, c)
		case i < 0:
			pairs = append(pairs, p)
		case p.Value.Kind == source.Null && pairs[i].Value.Kind == source.Map:
		case p.Value.Kind != source.Map:
			pairs[i].Value = p.Value
		case pairs[i].Value.Kind == source.Map || pairs[i].Value.Kind == source.Null:
			m, c := merge(pairs[i].Value, p.Value)
			pairs[i].Value = source.NewMap(p.Value, m.Pairs...)
			clash = either(clash, c)
		case len(p.Value.Pairs) > 0:
			d := mapOverScalar(p.Key, pairs[i].Value)
			clash = either(clash, &d)
		}
	}
	return source.NewMap(old, pairs...), clash
}

func either(a, b *diag.Diagnostic) *diag.Diagnostic {
	if a != nil {
		return a
	}
	return b
}
