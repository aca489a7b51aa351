package source

import (
	"bytes"
	"math"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/hotloom/hotloom/compiler/diag"
)

// A composer turns the nodes of one document into ours: it gives them types, expands aliases and merge keys, and
// finds where each ends.
type composer struct {
	file *File
	opts Options
	text []byte // what yaml.v3 read: the file's text from base on
	base int
	// lines are the file's; marks count as yaml.v3 does, in text. They are the same where direct is true.
	lines, marks *lines
	direct       bool

	// What was mended for yaml.v3, see repair.go.
	blanks    []int // offsets in text of blanks that are not in the file
	questions []int // offsets of ? that it must not see
	question  byte  // what stands for ? there, or 0
	dated     bool  // the document holds an unquoted date; known where blanks were inserted

	findings diag.List
	reported [diag.Info + 1]int
	limited  bool
	slab     []Node

	depth    int
	indent   int // column, from 0, of the block collection around; -1 at the top
	end      int // offset in text after the last node
	anchors  map[*yaml.Node]*anchored
	byName   map[string]diag.Location
	expanded int // nodes that aliases have added so far
	budget   int // how many they may add; 0 before the first alias
	document *yaml.Node
	weight   int // nodes composed so far, those of aliases included
}

// anchored is what an anchor stands for; node is nil while its value is being composed.
type anchored struct {
	node   *Node
	at     diag.Location
	weight int // nodes of the value with its own aliases expanded
}

func newComposer(file *File, text []byte, base int, opts Options) *composer {
	c := &composer{file: file, opts: opts, text: text, base: base, lines: newLines(file.Text), indent: -1}
	c.marks = c.lines
	c.direct = base == 0 && (c.lines.ascii || !bytes.ContainsFunc(text, isUnicodeBreak))
	if !c.direct {
		c.marks = newYAMLLines(text)
	}
	return c
}

// report takes a finding: at most maxFindings of each severity, and none after a limit, behind which the tree is not
// what the text says.
func (c *composer) report(d diag.Diagnostic) {
	if c.limited || c.reported[d.Severity] >= maxFindings {
		return
	}
	c.reported[d.Severity]++
	c.limited = d.Rule == "limit"
	c.findings.Add(d)
}

// place is the position in the file of an offset in text.
func (c *composer) place(offset int) diag.Pos {
	inserted, _ := slices.BinarySearch(c.blanks, offset)
	return c.lines.pos(c.base + offset - inserted)
}

// span is the location of a part of text.
func (c *composer) span(start, end int) diag.Location {
	return diag.Location{Path: c.file.Path, Start: c.place(start), End: c.place(end)}
}

// fresh allocates nodes in blocks: a template has tens of thousands.
func (c *composer) fresh() *Node {
	if len(c.slab) == 0 {
		c.slab = make([]Node, 128)
	}
	n := &c.slab[0]
	c.slab = c.slab[1:]
	return n
}

// at makes a node that starts where y does, and gives the offset in text of that place.
func (c *composer) at(y *yaml.Node) (n *Node, start int) {
	n = c.fresh()
	p := diag.Pos{Line: y.Line, Column: y.Column}
	start = c.marks.offset(p)
	if !c.direct || p.Line > len(c.marks.starts) { // yaml.v3 sees a line break at the end of any text
		p = c.place(start)
	}
	n.File, n.Start, n.End = c.file, p, p
	return n, start
}

// ends sets where n ends.
func (c *composer) ends(n *Node, offset int) {
	c.end = offset
	n.End = c.place(offset)
}

func (c *composer) compose(y *yaml.Node) *Node {
	c.weight = add(c.weight, 1)
	n, start := c.at(y)
	if y.Kind == yaml.AliasNode {
		c.ends(n, min(start+1+len(y.Value), len(c.text)))
		return c.alias(n, y)
	}
	if c.depth > c.opts.MaxDepth {
		c.report(tooDeep(n.At(), c.opts.MaxDepth))
		return n
	}
	c.depth++
	defer func() { c.depth-- }()
	if y.Anchor == "" {
		c.fill(n, y, start)
		return n
	}
	a := &anchored{at: n.At()}
	if first, ok := c.byName[y.Anchor]; ok {
		c.report(duplicateAnchor(n.At(), y.Anchor, first))
	}
	if c.anchors == nil {
		c.anchors, c.byName = map[*yaml.Node]*anchored{}, map[string]diag.Location{}
	}
	c.anchors[y], c.byName[y.Anchor] = a, a.at
	before := c.weight
	c.fill(n, y, start)
	a.node, a.weight = n, c.weight-before+1
	return n
}

// add adds without overflow.
func add(a, b int) int { return min(a+b, math.MaxInt/4) }

// alias is the node that an alias stands for; place is a node at the alias itself.
func (c *composer) alias(place *Node, y *yaml.Node) *Node {
	a := c.anchors[y.Alias]
	if a == nil || a.node == nil {
		var at diag.Location
		if a != nil {
			at = a.at
		}
		c.report(aliasCycle(place.At(), y.Value, at))
		return place
	}
	if c.budget == 0 {
		c.budget = max(MinExpansion, MaxExpansion*countNodes(c.document))
	}
	if c.expanded > c.budget {
		return place
	}
	c.weight = add(c.weight, a.weight)
	if c.expanded = add(c.expanded, a.weight); c.expanded > c.budget {
		c.report(tooExpanded(place.At()))
		return place
	}
	return a.node
}

func (c *composer) fill(n *Node, y *yaml.Node, start int) {
	content, bare := start, start
	var tag string
	if start < len(c.text) && (c.text[start] == '&' || c.text[start] == '!') {
		content, bare = c.skipProperties(start)
		if y.Style&yaml.TaggedStyle != 0 {
			tag = y.Tag
		} else if hasNonSpecificTag(c.text[start:bare]) {
			tag = "!"
		}
	}
	switch {
	case y.Kind == yaml.ScalarNode:
		n.Style = scalarStyle(y.Style)
		c.ends(n, max(c.scalarEnd(y, n.Style, content, bare), start))
		c.scalar(n, y, tag)
	case tag == "" || tag == "!":
		c.collection(n, y, content, collectionOf(y.Kind))
	case collectionFor(tag).fill != nil:
		c.collection(n, y, content, collectionFor(tag))
	case scalarsByTag[tag] != nil:
		c.collection(n, y, content, collectionOf(y.Kind))
		c.scalarInMap(n, y, scalarsByTag[tag])
	default:
		c.report(unknownTag(c.span(start, bare), tag))
		c.collection(n, y, content, collectionOf(y.Kind))
	}
}

func scalarStyle(s yaml.Style) Style {
	switch {
	case s&yaml.DoubleQuotedStyle != 0:
		return DoubleQuoted
	case s&yaml.SingleQuotedStyle != 0:
		return SingleQuoted
	case s&yaml.LiteralStyle != 0:
		return Literal
	case s&yaml.FoldedStyle != 0:
		return Folded
	}
	return Plain
}

// scalar types a scalar. The tag "!" makes even a quoted text be read as a plain one; alone it is an empty string.
func (c *composer) scalar(n *Node, y *yaml.Node, tag string) {
	if len(y.Value) > c.opts.MaxScalar {
		c.report(tooLong(n.At(), len(y.Value), c.opts.MaxScalar))
		return
	}
	t := stringType
	switch {
	case tag == "" && n.Style == Plain, tag == "!" && (n.Style != Plain || y.Value != ""):
		t = plainType(y.Value)
		c.dated = c.dated || len(c.blanks) > 0 && timestamp().MatchString(y.Value)
	case tag == "" || tag == "!":
	case scalarsByTag[tag] != nil:
		t = scalarsByTag[tag]
	case collectionFor(tag).fill != nil:
		c.report(wrongKindForTag(n.At(), tag, collectionFor(tag).noun, "scalar"))
	default:
		c.report(unknownTag(n.At(), tag))
	}
	c.build(n, t, y.Value)
}

func (c *composer) build(n *Node, t *scalarType, text string) {
	if problem := t.build(n, text); problem != "" {
		c.report(badValue(n.At(), text, t.tag, problem))
		buildString(n, text)
	}
}

// scalarInMap gives n, a collection with a scalar's tag, the value that the collection has under the key `=`.
func (c *composer) scalarInMap(n *Node, y *yaml.Node, t *scalarType) {
	for y.Kind == yaml.MappingNode {
		var value *yaml.Node
		for i := 0; i+1 < len(y.Content) && value == nil; i += 2 {
			if isPlainKey(y.Content[i], "=") {
				value = y.Content[i+1]
			}
		}
		if value == nil {
			break
		}
		if y = value; y.Kind == yaml.ScalarNode {
			n.Items, n.Pairs, n.index = nil, nil, nil
			c.build(n, t, y.Value)
			return
		}
	}
	c.report(wrongKindForTag(n.At(), t.tag, "scalar", n.Kind.String()))
}

// isPlainKey reports whether y is the given text, neither quoted nor tagged.
func isPlainKey(y *yaml.Node, text string) bool {
	return y.Kind == yaml.ScalarNode && y.Style == 0 && y.Value == text
}
