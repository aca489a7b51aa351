package workflow

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
)

// Parse reads a document and checks it as Mistral does. The document is never nil. Findings are sorted.
func Parse(file *source.File, kind Kind) (*Document, diag.List) {
	root, findings := readYAML(file)
	p := &parser{findings: findings}
	if kind == Auto {
		kind = Guess(root, file.Text)
	}
	doc := p.document(root, kind)
	p.findings.Sort()
	return doc, p.findings
}

var (
	workbookLine = lazyregexp.New(`(?m)^(?:workflows|actions):\s*$`)
	tasksLine    = lazyregexp.New(`(?m)^\s*tasks:`)
	baseLine     = lazyregexp.New(`(?m)^\s*base:`)
)

// Guess tells which kind of document a text is. A text that cannot be told is taken for workflows.
func Guess(root *source.Node, text []byte) Kind {
	if !root.Is(source.Map) || len(root.Pairs) == 0 {
		switch {
		case workbookLine().Match(text):
			return Workbook
		case tasksLine().Match(text):
			return Workflows
		case baseLine().Match(text):
			return Actions
		}
		return Workflows
	}
	if members := root.Get("workflows"); members != nil || root.Get("actions") != nil && root.Get("name") != nil {
		if members == nil {
			members = root.Get("actions")
		}
		if members.Get("tasks") == nil {
			return Workbook
		}
	}
	kind := Workflows
	for _, p := range root.Pairs {
		if p.Value.Get("tasks") != nil {
			return Workflows
		}
		if p.Value.Get("base") != nil {
			kind = Actions
		}
	}
	return kind
}

type parser struct{ findings diag.List }

func (p *parser) add(d diag.Diagnostic) { p.findings.Add(d) }

// shape reports the faults of n and says whether there were none.
func (p *parser) shape(n *source.Node, s *shape) bool {
	faults := s.check(n)
	for _, f := range faults {
		d := diag.Errorf(f.at, f.rule, "%s", f.message)
		d.Suggestion = f.suggestion
		p.add(d)
	}
	return len(faults) == 0
}

func (p *parser) document(root *source.Node, kind Kind) *Document {
	doc := &Document{Kind: kind, Node: root}
	if p.findings.HasErrors() {
		// The text is no YAML: what can be seen of it would only repeat that.
		return doc
	}
	if falsy(root) {
		root = source.NewMap(root) // as Mistral, which takes every empty value for an empty mapping
	}
	if !root.Is(source.Map) {
		p.add(noDocument(root))
		return doc
	}
	if kind == Workbook {
		p.workbook(doc, root)
		return doc
	}
	ok := p.shape(root, listShape)
	if ok && len(root.Pairs) < 2 {
		p.add(noDefinitions(root, kind))
	}
	p.members(doc, root, kind)
	return doc
}

func falsy(n *source.Node) bool {
	switch n.Kind {
	case source.Null:
		return true
	case source.Bool:
		return n.Scalar == false
	case source.Int, source.Float:
		return is(n, 0)
	case source.String:
		return n.Text == ""
	}
	return len(n.Items) == 0 && len(n.Pairs) == 0
}

func (p *parser) workbook(doc *Document, root *source.Node) {
	p.shape(root, workbookShape)
	doc.Name = root.Get("name").Str()
	doc.Description = root.Get("description").Str()
	doc.Tags = texts(root.Get("tags"))
	if n := root.Get("actions"); n.Is(source.Map) {
		p.members(doc, n, Actions)
	}
	if n := root.Get("workflows"); n.Is(source.Map) {
		p.members(doc, n, Workflows)
	}
}

func (p *parser) members(doc *Document, n *source.Node, kind Kind) {
	for _, pair := range n.Pairs {
		if pair.Key.Kind == source.String && pair.Key.Text == "version" {
			continue
		}
		name := pair.Key.Text
		if !pair.Value.Is(source.Map) {
			if doc.Kind == Workbook {
				p.add(noMapping(pair.Value, kind.String(), name))
			}
			continue
		}
		if kind == Actions {
			doc.Actions = append(doc.Actions, p.action(pair, doc.Name))
		} else {
			doc.Workflows = append(doc.Workflows, p.workflow(pair, doc.Name))
		}
	}
}

// texts gives the texts of a list, or of a single text.
func texts(n *source.Node) []string {
	if n.Is(source.String) {
		return []string{n.Text}
	}
	var out []string
	if n != nil {
		for _, item := range n.Items {
			if item.Kind == source.String {
				out = append(out, item.Text)
			}
		}
	}
	return out
}

func (p *parser) params(n *source.Node) []Param {
	var out []Param
	if !n.Is(source.List) {
		return nil
	}
	for _, item := range n.Items {
		param := Param{Name: item.Text, At: item.At()}
		if pair := item.Single(); pair != nil {
			param = Param{Name: pair.Key.Text, Default: Value(pair.Value), HasDefault: true, At: pair.Key.At()}
		}
		// A name that stands twice counts once, with the last default, at the place of the first.
		at := -1
		for i := range out {
			if out[i].Name == param.Name {
				at = i
			}
		}
		if at >= 0 {
			out[at] = param
		} else {
			out = append(out, param)
		}
	}
	return out
}
