// Package source reads YAML and JSON into a tree that keeps file, line and column of every key and value, typed
// exactly as Heat's loader types it (YAML 1.1 as PyYAML reads it, timestamps kept as text), writes such trees back,
// and gathers the files that belong to one template.
//
// It is the only package that imports a YAML library. It refuses what is too large, too deep or too expanded
// before spending time on it.
package source

import (
	"math/big"

	"github.com/hotloom/hotloom/compiler/diag"
)

// Kind is the type of a node's value, as Python would have it after Heat's loader.
type Kind uint8

// The kinds.
const (
	Null   Kind = iota
	Bool        // Scalar is bool
	Int         // Scalar is int64, or *big.Int where that is too small
	Float       // Scalar is float64
	String      // Text is the value
	Bytes       // !!binary: Text holds the bytes
	List        // Items
	Map         // Pairs
	Set         // !!set: Pairs with Null values
)

var kindNames = [...]string{"null", "boolean", "integer", "float", "string", "bytes", "list", "map", "set"}

func (k Kind) String() string { return kindNames[k] }

// Style is how a scalar or collection is written in the source.
type Style uint8

// The styles.
const (
	Plain        Style = iota // plain scalar or block collection
	SingleQuoted              // '…'
	DoubleQuoted              // "…"
	Literal                   // |
	Folded                    // >
	Flow                      // […] or {…}
)

// File is one text that nodes come from.
type File struct {
	Path string // as the user named it, or relative to what named it; shown in findings
	Text []byte
}

// Node is one value of a document. Nodes are immutable once parsed; a compiled document shares those that it does
// not change. Nodes made by the compiler carry the location of the author's node that caused them.
type Node struct {
	Kind   Kind
	Style  Style
	File   *File
	Start  diag.Pos
	End    diag.Pos
	Text   string // the scalar's decoded text; for non-strings as written
	Scalar any    // bool, int64, *big.Int or float64 by Kind; nil otherwise
	Items  []*Node
	Pairs  []Pair

	index map[string]int // of Pairs by string key, in large maps only
}

// Pair is one entry of a map. After loading, merge keys are expanded and of duplicate keys the last is left.
type Pair struct{ Key, Value *Node }

// At is the node's location.
func (n *Node) At() diag.Location {
	if n == nil {
		return diag.Location{}
	}
	l := diag.Location{Start: n.Start, End: n.End}
	if n.File != nil {
		l.Path = n.File.Path
	}
	return l
}

// Is reports whether n is present and of the kind.
func (n *Node) Is(k Kind) bool { return n != nil && n.Kind == k }

// IsNull reports whether n is absent or null.
func (n *Node) IsNull() bool { return n == nil || n.Kind == Null }

// Str is the value of a String node, or "".
func (n *Node) Str() string {
	if n.Is(String) {
		return n.Text
	}
	return ""
}

// Int64 is the value of an Int node that fits.
func (n *Node) Int64() (int64, bool) {
	if n == nil {
		return 0, false
	}
	v, ok := n.Scalar.(int64)
	return v, ok
}

// Pair finds the entry with the given string key, or nil.
func (n *Node) Pair(key string) *Pair {
	if n == nil {
		return nil
	}
	if n.index != nil {
		if i, ok := n.index[key]; ok {
			return &n.Pairs[i]
		}
		return nil
	}
	for i := range n.Pairs {
		if k := n.Pairs[i].Key; k.Kind == String && k.Text == key {
			return &n.Pairs[i]
		}
	}
	return nil
}

// Get is the value under the given string key of a map, or nil.
func (n *Node) Get(key string) *Node {
	if p := n.Pair(key); p != nil {
		return p.Value
	}
	return nil
}

// Single is the only entry of a one-entry map, or nil.
func (n *Node) Single() *Pair {
	if n.Is(Map) && len(n.Pairs) == 1 {
		return &n.Pairs[0]
	}
	return nil
}

// NewString makes a String node at origin's place. Origin may be nil.
func NewString(origin *Node, s string) *Node { return made(origin, Node{Kind: String, Text: s}) }

// NewInt makes an Int node at origin's place.
func NewInt(origin *Node, v int64) *Node {
	return made(origin, Node{Kind: Int, Scalar: v, Text: big.NewInt(v).String()})
}

// NewBool makes a Bool node at origin's place.
func NewBool(origin *Node, v bool) *Node {
	text := "false"
	if v {
		text = "true"
	}
	return made(origin, Node{Kind: Bool, Scalar: v, Text: text})
}

// NewNull makes a Null node at origin's place.
func NewNull(origin *Node) *Node { return made(origin, Node{Kind: Null}) }

// NewList makes a List node at origin's place.
func NewList(origin *Node, items ...*Node) *Node { return made(origin, Node{Kind: List, Items: items}) }

// NewMap makes a Map node at origin's place. Its entries are not to be changed.
func NewMap(origin *Node, pairs ...Pair) *Node {
	n := made(origin, Node{Kind: Map, Pairs: pairs})
	if len(pairs) >= indexFrom {
		n.index = make(map[string]int, len(pairs))
		for i, p := range pairs {
			if _, ok := n.index[p.Key.Text]; !ok && p.Key.Kind == String {
				n.index[p.Key.Text] = i
			}
		}
	}
	return n
}

// P makes a map entry with a string key at origin's place.
func P(origin *Node, key string, value *Node) Pair {
	return Pair{Key: NewString(origin, key), Value: value}
}

func made(origin *Node, n Node) *Node {
	if origin != nil {
		n.File, n.Start, n.End = origin.File, origin.Start, origin.End
	}
	return &n
}

// Rewrite returns the tree with fn applied to every node, parents first: where fn returns a node other than its
// argument, that node takes its place and is not descended into. Unchanged parts are shared with the original.
func (n *Node) Rewrite(fn func(*Node) *Node) *Node {
	if n == nil {
		return nil
	}
	if r := fn(n); r != n {
		return r
	}
	out := n
	own := func() *Node {
		if out == n {
			c := *n // with its index: the keys stay
			c.Items, c.Pairs = append([]*Node(nil), n.Items...), append([]Pair(nil), n.Pairs...)
			out = &c
		}
		return out
	}
	for i, item := range n.Items {
		if r := item.Rewrite(fn); r != item {
			own().Items[i] = r
		}
	}
	for i, p := range n.Pairs {
		if r := p.Value.Rewrite(fn); r != p.Value {
			own().Pairs[i].Value = r
		}
	}
	return out
}

// Walk calls fn on n and, as long as fn returns true, on everything below it, in document order (values only).
func (n *Node) Walk(fn func(*Node) bool) {
	if n == nil || !fn(n) {
		return
	}
	for _, item := range n.Items {
		item.Walk(fn)
	}
	for _, p := range n.Pairs {
		p.Value.Walk(fn)
	}
}
