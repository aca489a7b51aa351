package hot

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
)

// loader carries the state of one LoadTemplate.
type loader struct {
	t     *Template
	v     *Version
	d     *dialect
	found diag.List

	additions bool // the document has components, types of them, or workflows of hotloom's
}

func (l *loader) add(d diag.Diagnostic) { l.found.Add(d) }

// LoadTemplate reads the document's structure and finds everything that Heat refuses about it without looking at
// function calls or resource types. The template is never nil; of a faulty document it holds what could be understood.
// A document of unknown version is read as if it had the newest one.
func LoadTemplate(root *source.Node) (*Template, diag.List) {
	l := &loader{t: &Template{Root: root}}
	l.load(root)
	l.t.Reindex()
	l.found.Sort()
	return l.t, l.found
}

func (l *loader) load(root *source.Node) {
	l.v = Newest
	l.d = l.v.dialect()
	if root != nil && root.Kind != source.Map {
		l.add(notAMapping(root))
		return
	}
	l.version(root)
	l.d = l.v.dialect()
	if root == nil {
		return
	}
	root = l.readRefs(root)
	l.t.Root = root
	l.sections(root)
	l.limits(root)
	l.t.Description = root.Get(l.d.description)
	if p := l.section(l.d.parameters); p != nil {
		l.parameters(p.Value)
	}
	if p := l.section(l.d.groups); p != nil {
		l.groups(p.Value)
	}
	if l.v.HasConditions() {
		l.conditions(root.Pair(l.d.conditions))
	}
	if p := l.section(l.d.resources); p != nil {
		l.resources(p.Value)
	}
	if p := l.section(l.d.outputs); p != nil {
		l.outputs(p.Value)
	}
	if l.d.mappings != "" {
		l.t.Mappings = root.Get(l.d.mappings)
	}
	if l.v.Format == HOT {
		if p := l.section(componentTypesSection); p != nil {
			l.t.ComponentTypes = l.componentTypes(p.Value)
		}
	}
}

// section finds a section that is present and not empty; Heat takes every falsy value for an empty section. One that
// is neither empty nor of the right kind is reported and left out.
func (l *loader) section(name string) *source.Pair {
	p := l.t.Root.Pair(name)
	if name == "" || p == nil || !Truthy(p.Value) {
		return nil
	}
	want := source.Map
	if name == l.d.groups {
		want = source.List
	}
	if p.Value.Kind != want {
		l.add(sectionKind(p, want))
		return nil
	}
	return p
}

// sections finds unknown ones.
func (l *loader) sections(root *source.Node) {
	for _, p := range root.Pairs {
		name := KeyText(p.Key)
		switch {
		case l.v.Format == HOT && (name == componentTypesSection || name == undefinedSection):
		case l.v.Format == CFN && (name == AWSKey || name == HeatKey): // both classes know both keys
		case !contains(l.v.Sections, name):
			l.add(unknownSection(p.Key, name, l.v))
		}
	}
}

// definitions calls fn for each entry of a section with its name as a String node: keys pass through JSON on their
// way to Heat, which makes every key a string.
func (l *loader) definitions(section *source.Node, fn func(name, def *source.Node)) {
	for _, p := range section.Pairs {
		name := p.Key
		if name.Kind != source.String {
			name = source.NewString(p.Key, KeyText(p.Key))
		}
		fn(name, p.Value)
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
