package source

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/big"
	"regexp"
	"strconv"

	"gopkg.in/yaml.v3"

	"github.com/hotloom/hotloom/compiler/diag"
)

// parseYAML reads the text with yaml.v3 and composes our tree from its nodes.
func parseYAML(file *File, opts Options, empty *Node) (*Node, diag.List) {
	c := &composer{file: file, lines: newLines(file.Text), opts: opts}
	var document, second yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(file.Text))
	err := decoder.Decode(&document)
	if errors.Is(err, io.EOF) {
		return empty, nil
	}
	if err == nil {
		if err = decoder.Decode(&second); err == nil {
			c.report(secondDocument(c.location(second.Line, second.Column)))
		} else if errors.Is(err, io.EOF) {
			err = nil
		}
	}
	if err != nil {
		line := 1
		if m := yamlErrorLine.FindStringSubmatch(err.Error()); m != nil {
			line, _ = strconv.Atoi(m[1])
		}
		c.report(syntax(c.location(line, 1), yamlErrorLine.ReplaceAllString(err.Error(), "")))
		return empty, c.findings
	}
	if len(document.Content) == 0 {
		return empty, c.findings
	}
	c.budget = max(MinExpansion, MaxExpansion*countNodes(&document, 0))
	root, _ := c.compose(document.Content[0], 0)
	return root, c.findings
}

var yamlErrorLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

func countNodes(y *yaml.Node, depth int) int {
	count := 1
	for _, child := range y.Content {
		count += countNodes(child, depth+1)
	}
	return count
}

// composer turns the nodes of one document into ours.
type composer struct {
	file     *File
	lines    *lines
	opts     Options
	findings diag.List
	slab     []Node
	anchors  map[*yaml.Node]anchored
	expanded int // nodes that aliases have added so far
	budget   int // how many they may add
}

// anchored is what an anchor stands for; node is nil while its value is being composed.
type anchored struct {
	node   *Node
	at     diag.Location
	weight int // nodes of the value with its own aliases expanded
}

func (c *composer) report(d diag.Diagnostic) {
	if len(c.findings) < maxFindings {
		c.findings.Add(d)
	}
}

func (c *composer) location(line, column int) diag.Location {
	p := diag.Pos{Line: line, Column: column}
	return diag.Location{Path: c.file.Path, Start: p, End: p}
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

// compose returns the node and its weight.
func (c *composer) compose(y *yaml.Node, depth int) (*Node, int) {
	if y.Kind == yaml.AliasNode {
		return c.alias(y)
	}
	n := c.fresh()
	n.File, n.Start = c.file, diag.Pos{Line: y.Line, Column: y.Column}
	n.End = n.Start
	if depth > c.opts.MaxDepth {
		c.report(tooDeep(n.At(), c.opts.MaxDepth))
		return n, 1
	}
	if y.Anchor != "" {
		if c.anchors == nil {
			c.anchors = map[*yaml.Node]anchored{}
		}
		c.anchors[y] = anchored{at: n.At()}
	}
	weight := c.fill(n, y, depth)
	if y.Anchor != "" {
		c.anchors[y] = anchored{node: n, at: n.At(), weight: weight}
	}
	return n, weight
}

func (c *composer) alias(y *yaml.Node) (*Node, int) {
	a := c.anchors[y.Alias]
	if a.node == nil {
		n := c.fresh()
		n.File, n.Start = c.file, diag.Pos{Line: y.Line, Column: y.Column}
		n.End = n.Start
		c.report(aliasCycle(n.At(), y.Value, a.at))
		return n, 1
	}
	if c.expanded > c.budget {
		return a.node, 1
	}
	if c.expanded = min(c.expanded+a.weight, math.MaxInt/4); c.expanded > c.budget {
		c.report(tooExpanded(c.location(y.Line, y.Column)))
	}
	return a.node, a.weight
}

func (c *composer) fill(n *Node, y *yaml.Node, depth int) (weight int) {
	switch y.Kind {
	case yaml.ScalarNode:
		c.scalar(n, y)
		return 1
	case yaml.SequenceNode:
		return c.sequence(n, y, depth)
	default:
		return c.mapping(n, y, depth)
	}
}

func (c *composer) scalar(n *Node, y *yaml.Node) {
	n.Style = scalarStyle(y.Style)
	if len(y.Value) > c.opts.MaxScalar {
		c.report(tooLong(n.At(), len(y.Value), c.opts.MaxScalar))
		return
	}
	t := stringType
	switch {
	case y.Style&yaml.TaggedStyle != 0:
		if t = scalarsByTag[y.Tag]; t == nil {
			c.report(unknownTag(n.At(), y.Tag))
			buildString(n, y.Value)
			return
		}
	case n.Style == Plain:
		t = plainType(y.Value)
	}
	if problem := t.build(n, y.Value); problem != "" {
		c.report(badValue(n.At(), y.Value, t.tag, problem))
		buildString(n, y.Value)
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

func (c *composer) sequence(n *Node, y *yaml.Node, depth int) int {
	n.Kind = List
	if y.Style&yaml.FlowStyle != 0 {
		n.Style = Flow
	}
	weight := 1
	n.Items = make([]*Node, len(y.Content))
	for i, child := range y.Content {
		item, w := c.compose(child, depth+1)
		n.Items[i] = item
		weight = add(weight, w)
	}
	return weight
}

func add(a, b int) int { return min(a+b, math.MaxInt/4) }

func (c *composer) mapping(n *Node, y *yaml.Node, depth int) int {
	n.Kind = Map
	if y.Style&yaml.FlowStyle != 0 {
		n.Style = Flow
	}
	weight := 1
	var merged []Pair
	own := make([]Pair, 0, len(y.Content)/2)
	for i := 0; i+1 < len(y.Content); i += 2 {
		yk, yv := y.Content[i], y.Content[i+1]
		if yk.Kind == yaml.ScalarNode && yk.Tag == "!!merge" {
			value, w := c.compose(yv, depth+1)
			weight = add(weight, w)
			merged = append(merged, c.mergeable(value)...)
			continue
		}
		key, _ := c.key(yk, depth+1)
		value, w := c.compose(yv, depth+1)
		weight = add(weight, w+1)
		own = append(own, Pair{Key: key, Value: value})
	}
	n.setPairs(merged, own, c.report)
	return weight
}

// key composes a key. A plain `=` is text there.
func (c *composer) key(y *yaml.Node, depth int) (*Node, int) {
	if y.Kind == yaml.ScalarNode && y.Style == 0 && y.Value == "=" {
		y.Style = yaml.SingleQuotedStyle
	}
	key, weight := c.compose(y, depth)
	switch key.Kind {
	case List, Map, Set:
		c.report(unhashableKey(key.At(), key.Kind))
	}
	return key, weight
}

// mergeable gives the entries that the value of a merge key adds, the later ones in the list of maps first.
func (c *composer) mergeable(value *Node) []Pair {
	switch value.Kind {
	case Map:
		return value.Pairs
	case List:
		var pairs []Pair
		for i := len(value.Items) - 1; i >= 0; i-- {
			if item := value.Items[i]; item.Kind == Map {
				pairs = append(pairs, item.Pairs...)
			} else {
				c.report(badMerge(item.At(), item.Kind.String()))
			}
		}
		return pairs
	}
	c.report(badMerge(value.At(), value.Kind.String()))
	return nil
}

// indexFrom is the number of entries from which a map gets an index of its string keys.
const indexFrom = 9

// setPairs sets the entries as Python's dict would have them: merged ones first, a repeated key keeps its first
// place and gets its last value. Repetitions among own are reported.
func (n *Node) setPairs(merged, own []Pair, report func(diag.Diagnostic)) {
	if len(merged)+len(own) < indexFrom {
		n.Pairs = own[:0:0]
		if len(merged) == 0 {
			n.Pairs = own[:0]
		}
		find := func(key *Node) int {
			for i := range n.Pairs {
				if sameKey(n.Pairs[i].Key, key) {
					return i
				}
			}
			return -1
		}
		n.place(merged, own, find, func(*Node, int) {}, report)
		return
	}
	if len(merged) == 0 {
		n.Pairs = own[:0]
	}
	n.index = make(map[string]int, len(merged)+len(own))
	var others map[any]int
	find := func(key *Node) int {
		if key.Kind == String {
			if i, ok := n.index[key.Text]; ok {
				return i
			}
		} else if i, ok := others[pythonKey(key)]; ok {
			return i
		}
		return -1
	}
	remember := func(key *Node, i int) {
		if key.Kind == String {
			n.index[key.Text] = i
			return
		}
		if others == nil {
			others = map[any]int{}
		}
		others[pythonKey(key)] = i
	}
	n.place(merged, own, find, remember, report)
}

func (n *Node) place(merged, own []Pair, find func(*Node) int, remember func(*Node, int), report func(diag.Diagnostic)) {
	ownFrom := len(merged)
	isOwn := map[int]bool{}
	if ownFrom == 0 {
		isOwn = nil
	}
	for _, p := range merged {
		if i := find(p.Key); i >= 0 {
			n.Pairs[i] = p
			continue
		}
		remember(p.Key, len(n.Pairs))
		n.Pairs = append(n.Pairs, p)
	}
	for _, p := range own {
		if i := find(p.Key); i >= 0 {
			if isOwn == nil || isOwn[i] {
				report(duplicateKey(n.Pairs[i].Key, p.Key))
			}
			n.Pairs[i] = p
			if isOwn != nil {
				isOwn[i] = true
			}
			continue
		}
		remember(p.Key, len(n.Pairs))
		if isOwn != nil {
			isOwn[len(n.Pairs)] = true
		}
		n.Pairs = append(n.Pairs, p)
	}
}

func sameKey(a, b *Node) bool {
	if a.Kind == String || b.Kind == String {
		return a.Kind == b.Kind && a.Text == b.Text
	}
	return pythonKey(a) == pythonKey(b)
}

// pythonKey identifies a key as a Python dict does: 1, 1.0 and True are one key.
func pythonKey(n *Node) any {
	switch v := n.Scalar.(type) {
	case bool:
		if v {
			return int64(1)
		}
		return int64(0)
	case int64:
		return v
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<62 {
			return int64(v)
		}
		return v
	case *big.Int:
		return v.String()
	}
	switch n.Kind {
	case List, Map, Set:
		return n // no key of a dict; reported already
	case Null:
		return typedKey{Null, nil}
	}
	return typedKey{n.Kind, n.Text}
}
