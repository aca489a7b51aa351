package source

import (
	"gopkg.in/yaml.v3"
)

// A collectionType is one YAML 1.1 type of collections.
type collectionType struct {
	tag, noun string
	kind      yaml.Kind // what it is written as
	fill      func(c *composer, n *Node, y *yaml.Node)
}

// collectionFor is the type of a tag; its fill is nil for a tag of no collection. The five are all that YAML 1.1 has.
// (A list of them could not be a variable: the types refer to methods that look types up.)
func collectionFor(tag string) collectionType {
	switch tag {
	case "!!map":
		return collectionType{tag, "map", yaml.MappingNode, (*composer).fillMap}
	case "!!seq":
		return collectionType{tag, "list", yaml.SequenceNode, (*composer).fillList}
	case "!!set":
		return collectionType{tag, "map", yaml.MappingNode, (*composer).fillSet}
	case "!!omap", "!!pairs":
		return collectionType{tag, "list of one-entry maps", yaml.SequenceNode, (*composer).fillPairs}
	}
	return collectionType{}
}

// collectionOf is the type of a collection without a tag.
func collectionOf(kind yaml.Kind) collectionType {
	if kind == yaml.SequenceNode {
		return collectionFor("!!seq")
	}
	return collectionFor("!!map")
}

// collection fills n with the children of y; its own text begins at the offset content.
func (c *composer) collection(n *Node, y *yaml.Node, content int, t collectionType) {
	if y.Kind != t.kind {
		untagged := collectionOf(y.Kind)
		c.report(wrongKindForTag(n.At(), t.tag, t.noun, untagged.noun))
		t = untagged
	}
	flow := y.Style&yaml.FlowStyle != 0
	if flow {
		n.Style = Flow
	}
	outer := c.indent
	if !flow {
		c.indent = c.blockIndent(y)
	}
	c.end = max(c.end, min(content+1, len(c.text)))
	t.fill(c, n, y)
	c.indent = outer
	if flow {
		c.end = c.flowEnd(content, c.end)
	}
	c.ends(n, c.end)
}

func (c *composer) fillList(n *Node, y *yaml.Node) {
	n.Kind = List
	n.Items = make([]*Node, len(y.Content))
	for i, child := range y.Content {
		n.Items[i] = c.compose(child)
	}
}

func (c *composer) fillMap(n *Node, y *yaml.Node) {
	n.Kind = Map
	var merged []Pair
	own := make([]Pair, 0, len(y.Content)/2)
	for i := 0; i+1 < len(y.Content); i += 2 {
		if y.Content[i].Kind == yaml.ScalarNode && y.Content[i].Tag == "!!merge" {
			c.end = max(c.end, c.marks.offset(place(y.Content[i]))+len(y.Content[i].Value))
			merged = append(merged, c.merged(y, y.Content[i+1])...)
			continue
		}
		key := c.key(y.Content[i])
		own = append(own, Pair{Key: key, Value: c.compose(y.Content[i+1])})
	}
	n.setPairs(merged, own, c.report)
}

func (c *composer) fillSet(n *Node, y *yaml.Node) {
	c.fillMap(n, y)
	n.Kind = Set
	for i, p := range n.Pairs {
		if p.Value.Kind != Null {
			n.Pairs[i].Value = NewNull(p.Value)
		}
	}
}

// fillPairs makes a list of two-item lists, which is what Python's tuples become on their way to Heat.
func (c *composer) fillPairs(n *Node, y *yaml.Node) {
	n.Kind = List
	for _, child := range y.Content {
		for child.Kind == yaml.AliasNode {
			child = child.Alias
		}
		if child.Kind != yaml.MappingNode || len(child.Content) != 2 {
			item := c.compose(child)
			c.report(wrongKindForTag(item.At(), "!!omap", "map of one entry for each item", item.Kind.String()))
			continue
		}
		item, start := c.at(child)
		key := c.compose(child.Content[0])
		item.Kind, item.Style, item.Items = List, Flow, []*Node{key, c.compose(child.Content[1])}
		c.ends(item, max(c.end, start))
		n.Items = append(n.Items, item)
	}
}

// key composes a key. A plain `=` is text there.
func (c *composer) key(y *yaml.Node) *Node {
	if isPlainKey(y, "=") {
		n, start := c.at(y)
		n.Kind, n.Text = String, "="
		c.ends(n, start+1)
		return n
	}
	key := c.compose(y)
	switch key.Kind {
	case List, Map, Set:
		c.report(unhashableKey(key.At(), key.Kind))
	}
	return key
}

// merged gives the entries that the value of a merge key of map adds, the later ones in a list of maps first.
func (c *composer) merged(mapping, value *yaml.Node) []Pair {
	if value.Kind == yaml.AliasNode && value.Alias == mapping {
		return nil // PyYAML takes a map's merging with itself for nothing
	}
	v := c.compose(value)
	switch v.Kind {
	case Map, Set:
		return v.Pairs
	case List:
		var pairs []Pair
		for i := len(v.Items) - 1; i >= 0; i-- {
			if item := v.Items[i]; item.Kind == Map || item.Kind == Set {
				pairs = append(pairs, item.Pairs...)
			} else {
				c.report(badMerge(item.At(), item.Kind.String()))
			}
		}
		return pairs
	}
	c.report(badMerge(v.At(), v.Kind.String()))
	return nil
}
