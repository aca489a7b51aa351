package lsp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/resources/catalog"
)

// This file says in Markdown what things are. Values of what is hidden are never in it.

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// maxShown is how much of a text is shown, in characters.
const maxShown = 400

// shown is a value on one line.
func shown(v any) string {
	if s, ok := v.(string); ok {
		return clip(s)
	}
	if text, err := json.Marshal(v); err == nil {
		return clip(string(text))
	}
	return clip(value.Str(v))
}

func clip(s string) string {
	s = strings.ReplaceAll(s, "\n", " ")
	if r := []rune(s); len(r) > maxShown {
		return string(r[:maxShown]) + "…"
	}
	return s
}

// written is how a node is written, on one line.
func written(n *source.Node) string {
	if n == nil {
		return ""
	}
	switch n.Kind {
	case source.Map, source.List, source.Set:
		return shown(hot.ValueOf(n))
	}
	return clip(n.Text)
}

// page joins paragraphs that say something.
func page(paragraphs ...string) string {
	return strings.Join(slices.DeleteFunc(paragraphs, func(p string) bool { return p == "" }), "\n\n")
}

func support(s catalog.Support) string {
	var out string
	switch s.Status {
	case catalog.Deprecated, catalog.Hidden, catalog.Unsupported:
		out = "**" + strings.ToLower(string(s.Status)) + "**"
		if s.Version != "" {
			out += " since " + s.Version
		}
	default:
		if s.Version != "" {
			out = "Since " + s.Version
		}
	}
	if s.Message != "" {
		out = strings.TrimPrefix(out+": "+s.Message, ": ")
	}
	if len(s.Replacement) > 0 {
		out += ". Use " + strings.Join(s.Replacement, ", ")
	}
	if out != "" {
		out += "."
	}
	return strings.ReplaceAll(out, "..", ".")
}

// describeType is the page of a resource type.
func (m *meaning) describeType(name string) string {
	t := m.Catalog.Type(name)
	if t == nil {
		if m.Catalog.Knows(name) {
			return page("**"+name+"**", "Not in Heat "+m.Catalog.Release().String()+".")
		}
		return ""
	}
	var required, optional []string
	for _, n := range sortedKeys(t.Properties) {
		switch q := t.Properties[n]; {
		case q.Required:
			required = append(required, "`"+n+"`")
		case !q.Support.Old() && !q.Unimplemented:
			optional = append(optional, "`"+n+"`")
		}
	}
	alias := ""
	if t.Name != name && t.Name != "" {
		alias = "An old name of " + t.Name + "."
	}
	placeholder := ""
	if t.Placeholder || t.PlaceholderSince != "" {
		placeholder = strings.TrimSpace("A placeholder "+t.PlaceholderSince) + ": Heat accepts it and does nothing."
	}
	service := ""
	if t.Service != "" {
		service = "Service: " + t.Service + "."
		if t.Extension != "" {
			service = "Service: " + t.Service + ", with the extension " + t.Extension + "."
		}
	}
	return page("**"+name+"**", alias, t.Description, support(t.Support), placeholder, service,
		labelled("Required", required), labelled("Optional", optional), labelled("Attributes", quotedNames(sortedKeys(t.Attributes))))
}

func quotedNames(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = "`" + n + "`"
	}
	return out
}

func labelled(label string, names []string) string {
	if len(names) == 0 {
		return ""
	}
	return label + ": " + strings.Join(names, ", ")
}

func describeProperty(name string, q *catalog.Property) string {
	head := "`" + name + "`"
	if q.Type != "" {
		head += ": " + string(q.Type)
	}
	if q.Items != nil && q.Items.Type != "" {
		head += " of " + string(q.Items.Type) + "s"
	}
	if q.Required {
		head += ", **required**"
	}
	deflt := ""
	if q.Default != nil && !q.Secret {
		deflt = "Default: `" + shown(q.Default) + "`"
	}
	change := "A change replaces the resource."
	switch {
	case q.Unimplemented:
		change = "Not implemented: Heat refuses it."
	case q.Immutable:
		change = "Cannot be changed."
	case q.Update:
		change = "Can be changed in place."
	}
	since := ""
	if q.Since != "" {
		since = "Since Heat " + q.Since + "."
	}
	if q.Only != "" {
		since = "Only in Heat " + q.Only + "."
	}
	return page(head, q.Description, deflt, constraints(q.Constraints), labelled("Entries", quotedNames(entryNames(q))), change, since, support(q.Support))
}

// entryNames are the keys of a map, or of the maps of a list.
func entryNames(q *catalog.Property) []string {
	if q.Items != nil {
		return sortedKeys(q.Items.Schema)
	}
	return sortedKeys(q.Schema)
}

func constraints(list []catalog.Constraint) string {
	var out []string
	bounds := func(b *catalog.Bounds) string {
		switch {
		case b.Min == nil:
			return fmt.Sprintf("at most %v", *b.Max)
		case b.Max == nil:
			return fmt.Sprintf("at least %v", *b.Min)
		}
		return fmt.Sprintf("%v to %v", *b.Min, *b.Max)
	}
	for _, c := range list {
		switch {
		case c.AllowedValues != nil:
			var names []string
			for _, v := range c.AllowedValues {
				names = append(names, "`"+shown(v)+"`")
			}
			out = append(out, "one of "+strings.Join(names, ", "))
		case c.AllowedPattern != nil:
			out = append(out, "matches `"+*c.AllowedPattern+"`")
		case c.Range != nil && (c.Range.Min != nil || c.Range.Max != nil):
			out = append(out, bounds(c.Range))
		case c.Length != nil && (c.Length.Min != nil || c.Length.Max != nil):
			out = append(out, "length "+bounds(c.Length))
		case c.Modulo != nil:
			out = append(out, fmt.Sprintf("a multiple of %v, plus %v", c.Modulo.Step, c.Modulo.Offset))
		case c.Custom != "":
			out = append(out, "an existing "+c.Custom)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "Allowed: " + strings.Join(out, "; ")
}

func describeAttribute(name, owner string, a *catalog.Attribute) string {
	head := "`" + name + "`"
	if a.Type != "" {
		head += ": " + string(a.Type)
	}
	since := ""
	if a.Since != "" {
		since = "Since Heat " + a.Since + "."
	}
	return page(head+", attribute of "+owner, a.Description, since, support(a.Support))
}

func describeParameter(p *hot.Parameter) string {
	head := "`" + p.Name.Text + "`: parameter"
	if p.Type != "" {
		head += ", " + string(p.Type)
	}
	deflt := "No default: it has to be given."
	switch {
	case p.Hidden:
		deflt = "Hidden."
	case p.Default != nil:
		deflt = "Default: `" + written(p.Default) + "`"
	}
	if p.Immutable {
		deflt += " Cannot be changed."
	}
	var limits []string
	for _, c := range p.Constraints {
		limits = append(limits, c.Kind+" `"+written(c.Value)+"`")
	}
	return page(head, written(p.Label), written(p.Description), deflt, labelled("Constraints", limits))
}

func describeCondition(c *hot.Condition) string {
	return page("`"+c.Name.Text+"`: condition", "`"+written(c.Value)+"`")
}

func describeOutput(o *hot.Output) string {
	return page("`"+o.Name.Text+"`: output", written(o.Description))
}

func (m *meaning) describeResource(r *hot.Resource) string {
	kind := ""
	if t := m.typeOf(r); t != nil {
		kind = support(t.Support)
	}
	return page("`"+r.Name.Text+"`: resource, "+cmp.Or(r.Type.Str(), "without a type"), written(r.Description), kind)
}

func describeFunction(f *function.Function) string {
	var versions []string
	for _, v := range hot.Versions {
		if v.HasFunction(f.Name) || v.HasConditionFunction(f.Name) {
			versions = append(versions, v.Name)
		}
	}
	since := ""
	if len(versions) > 0 {
		since = "In template versions " + versions[0] + " to " + versions[len(versions)-1] + "."
		if len(versions) == 1 {
			since = "In template version " + versions[0] + "."
		}
	}
	if f.Since != "" && len(versions) > 0 && f.Since != versions[0] {
		since += " In this form since " + f.Since + "."
	}
	return page("```yaml\n"+strings.ReplaceAll(f.Usage, "} or {", "}\n{")+"\n```", functionDocs()[f.Name], since)
}

func describeComponentType(t *hot.ComponentType) string {
	var inputs, outputs []string
	for _, in := range t.Inputs {
		line := "- `" + in.Name.Str() + "`: " + in.Type
		switch {
		case in.Default == nil:
			line += ", required"
		case !in.Hidden:
			line += ", default `" + written(in.Default) + "`"
		}
		inputs = append(inputs, line+suffix(in.Description))
	}
	for _, out := range t.Outputs {
		outputs = append(outputs, "- `"+out.Name.Str()+"`: "+out.Type+suffix(out.Description))
	}
	list := func(label string, lines []string) string {
		if len(lines) == 0 {
			return ""
		}
		return label + ":\n\n" + strings.Join(lines, "\n")
	}
	return page("**"+t.Name.Str()+"**: component type, run by "+cmp.Or(t.Tool.Str(), "no tool"), written(t.Node.Get("description")),
		list("Inputs", inputs), list("Outputs", outputs))
}

func suffix(description *source.Node) string {
	if text := written(description); text != "" {
		return ". " + text
	}
	return ""
}

func describeIO(io *hot.IO) string {
	deflt := ""
	switch {
	case io.Hidden:
		deflt = "Hidden."
	case io.Default != nil:
		deflt = "Default: `" + written(io.Default) + "`"
	}
	return page("`"+io.Name.Str()+"`: "+io.Type, written(io.Description), deflt)
}

func describeTask(t *workflow.Task) string {
	call := "runs action `" + t.Action + "`"
	if t.Workflow != "" {
		call = "runs workflow `" + t.Workflow + "`"
	}
	return page("`"+t.Name+"`: task, "+call, clip(t.Description))
}

func describeWorkflow(w *workflow.Workflow) string {
	return page("**"+w.FullName()+"**: workflow", clip(w.Description), paramList(w.Input))
}

func describeParam(p workflow.Param) string {
	head := "`" + p.Name + "`"
	if !p.HasDefault {
		return head + ", **required**"
	}
	if p.Default == nil {
		return head
	}
	return page(head, "Default: `"+shown(p.Default)+"`")
}

func paramList(params []workflow.Param) string {
	var lines []string
	for _, p := range params {
		line := "- `" + p.Name + "`"
		switch {
		case !p.HasDefault:
			line += ", required"
		case p.Default != nil:
			line += ", default `" + shown(p.Default) + "`"
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		return "No inputs."
	}
	return "Inputs:\n\n" + strings.Join(lines, "\n")
}

// actionDetail is an action's inputs on one line.
func (m *meaning) actionDetail(name string) string {
	var names []string
	for _, p := range m.actionParams(name) {
		if p.HasDefault {
			names = append(names, p.Name+"?")
		} else {
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, ", ")
}

func (m *meaning) describeAction(name string) string {
	for _, a := range m.workflow.Actions {
		if a.Name == name || a.FullName() == name {
			return page("**"+a.FullName()+"**: ad-hoc action on `"+a.Base+"`", clip(a.Description), paramList(a.Input))
		}
	}
	if sig := m.rules.Actions[name]; sig != nil {
		return page("**"+name+"**: action of a provider", paramList(sig.Inputs))
	}
	_, open, ok := workflow.KnownAction(name)
	if !ok {
		return ""
	}
	more := ""
	if open {
		more = "It takes further inputs by any name."
	}
	return page("**"+name+"**: action of OpenStack Mistral", paramList(m.actionParams(name)), more)
}
