package preview

import (
	"slices"

	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/source"
)

// sources finds what of the author's made a value another one: parameters, files and conditions that differ, resources
// that are replaced.
func (l *level) sources(before, after *half, was, now *source.Node) []Source {
	var out []Source
	add := func(s Source) {
		if !slices.ContainsFunc(out, func(t Source) bool { return t.Kind == s.Kind && t.Name == s.Name }) {
			out = append(out, s)
		}
	}
	t := after.stack.Template
	seen := map[string]bool{}
	var condition func(name string)
	parameter := func(name string) {
		if t.Parameter(name) == nil {
			return
		}
		x, y := before.parameter(name), after.parameter(name)
		if before.stack.Template.Parameter(name) != nil && before.level.diff(x, y).verdict != same {
			add(Source{
				Kind: "parameter", Name: name, Before: x, After: y, Secret: after.secret(name) || before.secret(name),
				From: after.level.given(name),
			})
		}
	}
	condition = func(name string) {
		c := t.Condition(name)
		if c == nil || seen[name] {
			return
		}
		seen[name] = true
		if old := before.stack.Template.Condition(name); old != nil {
			x, _ := before.scope.Condition(name)
			if y, _ := after.scope.Condition(name); x != y {
				add(Source{Kind: "condition", Name: name, Before: x == function.True, After: y == function.True})
			}
		}
		for _, r := range function.ConditionReferences(t.VersionOf(), c.Value) {
			if r.Kind == function.Condition {
				condition(r.Target.Text)
			} else {
				parameter(r.Target.Text)
			}
		}
	}
	for _, r := range function.References(t.VersionOf(), now) {
		name := r.Target.Text
		switch r.Kind {
		case function.Condition:
			condition(name)
		case function.File:
			l.file(before, after, was, name, add)
		case function.Parameter:
			parameter(name)
		case function.ParameterOrResource:
			parameter(name)
			l.resource(name, add)
		case function.Resource:
			l.resource(name, add)
		}
	}
	return out
}

// file tells of a file whose content is another, or that has taken the place of another.
func (l *level) file(before, after *half, was *source.Node, name string, add func(Source)) {
	old, there := before.side.files[name]
	if there && old != after.side.files[name] {
		add(Source{Kind: "file", Name: name})
		return
	}
	if there || was == nil {
		return
	}
	for _, r := range function.References(before.stack.Template.VersionOf(), was) {
		if r.Kind == function.File && r.Target.Text != name {
			add(Source{Kind: "file", Name: name, Before: r.Target.Text})
		}
	}
}

// resource tells of a resource whose id is another.
func (l *level) resource(name string, add func(Source)) {
	if d := l.decide(name); d != nil && (d.Action == Replace || d.Action == Create) {
		add(Source{Kind: "resource", Name: name, Action: d.Action})
	}
}

// given is what led to the value of a nested stack's parameter.
func (l *level) given(parameter string) []Source {
	if l.above == nil || l.was == nil || l.became == nil {
		return nil
	}
	was, now := section(l.was.node, "properties").Get(parameter), section(l.became.node, "properties").Get(parameter)
	return l.above.sources(l.was.half, l.became.half, was, now)
}
