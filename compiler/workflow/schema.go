package workflow

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
)

// jsonType is a type of JSON Schema. A value may be of several: an integer is a number too.
type jsonType uint8

const (
	object jsonType = 1 << iota
	array
	text
	integer
	number
	boolean
	null
)

var jsonTypeNames = []struct {
	t    jsonType
	name string
}{
	{object, "a mapping"},
	{array, "a list"},
	{text, "a text"},
	{integer, "a whole number"},
	{number, "a number"},
	{boolean, "true or false"},
	{null, "null"},
}

// shape is the part of JSON Schema that Mistral's language definition is made of, so that what is refused here is
// refused there. The zero shape takes everything.
type shape struct {
	want string // what the author should write, for messages; a noun phrase

	types   jsonType
	minLen  int
	natural bool // numbers not below 0
	isTwo   bool // the number 2
	oneWord []string
	pattern func() *regexp.Regexp

	items    *shape
	minItems int
	unique   bool

	required []string
	keys     map[string]*shape
	patterns []keyPattern
	rest     *shape // of keys that are not in keys
	closed   bool   // no keys but those in keys and patterns
	minKeys  int
	maxKeys  int // 0 is without limit

	oneOf []*shape
	anyOf []*shape
	not   *shape
}

type keyPattern struct {
	pattern func() *regexp.Regexp
	shape   *shape
}

// fault is one place where a node has not its shape.
type fault struct {
	at         diag.Location
	rule       string
	message    string
	suggestion string
}

// timestamp is what PyYAML's implicit resolver takes for a date or a time; Mistral's schemas know no such type.
var timestamp = lazyregexp.New(`^(?:\d{4}-\d\d-\d\d|\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?)$`)

// typesOf gives the JSON types of a node; dates, binaries and sets have none.
func typesOf(n *source.Node) jsonType {
	switch n.Kind {
	case source.Null:
		return null
	case source.Bool:
		return boolean
	case source.Int:
		return integer | number
	case source.Float:
		if f, ok := n.Scalar.(float64); ok && f == float64(int64(f)) {
			return integer | number
		}
		return number
	case source.String:
		if n.Style == source.Plain && timestamp().MatchString(n.Text) {
			return 0
		}
		return text
	case source.List:
		return array
	case source.Map:
		return object
	}
	return 0
}

func (t jsonType) String() string {
	var names []string
	for _, e := range jsonTypeNames {
		if t&e.t != 0 {
			names = append(names, e.name)
		}
	}
	return strings.Join(names, " or ")
}

// check lists where n has not the shape.
func (s *shape) check(n *source.Node) []fault {
	t := typesOf(n)
	if s.types != 0 && s.types&t == 0 {
		return []fault{s.wrong(n)}
	}
	if s.oneWord != nil && !(t == text && slices.Contains(s.oneWord, n.Text)) {
		return []fault{s.wrong(n)}
	}
	var faults []fault
	switch {
	case t&text != 0:
		if s.minLen > 0 && n.Text == "" || s.pattern != nil && !s.pattern().MatchString(n.Text) {
			faults = append(faults, s.wrong(n))
		}
	case t&number != 0:
		if s.natural && negative(n) || s.isTwo && !is(n, 2) {
			faults = append(faults, s.wrong(n))
		}
	case t&array != 0:
		faults = append(faults, s.checkItems(n)...)
	case t&object != 0:
		faults = append(faults, s.checkKeys(n)...)
	}
	if s.oneOf != nil {
		faults = append(faults, s.checkOneOf(n, t)...)
	}
	if s.anyOf != nil && !slices.ContainsFunc(s.anyOf, func(b *shape) bool { return len(b.check(n)) == 0 }) {
		faults = append(faults, s.wrong(n))
	}
	if s.not != nil && len(s.not.check(n)) == 0 {
		faults = append(faults, s.wrong(n))
	}
	return faults
}

func negative(n *source.Node) bool { return strings.HasPrefix(n.Text, "-") && !is(n, 0) }

func is(n *source.Node, number float64) bool {
	switch v := n.Scalar.(type) {
	case int64:
		return float64(v) == number
	case float64:
		return v == number
	}
	return false
}

func (s *shape) checkItems(n *source.Node) []fault {
	var faults []fault
	if len(n.Items) < s.minItems {
		faults = append(faults, fault{at: n.At(), rule: ruleShape, message: fmt.Sprintf("an empty list is not %s", s.phrase())})
	}
	for i, item := range n.Items {
		if s.items != nil {
			faults = append(faults, s.items.check(item)...)
		}
		if !s.unique {
			continue
		}
		if j := slices.IndexFunc(n.Items[:i], func(o *source.Node) bool { return source.Equal(o, item) }); j >= 0 {
			faults = append(faults, fault{
				at: item.At(), rule: ruleShape, message: fmt.Sprintf("%s stands twice in this list, first at %s", describe(item), n.Items[j].At()),
				suggestion: "remove one of them",
			})
		}
	}
	return faults
}

func (s *shape) checkKeys(n *source.Node) []fault {
	var faults []fault
	if len(n.Pairs) < s.minKeys {
		faults = append(faults, fault{at: n.At(), rule: ruleShape, message: fmt.Sprintf("an empty mapping is not %s", s.phrase())})
	}
	if s.maxKeys > 0 && len(n.Pairs) > s.maxKeys {
		faults = append(faults, fault{at: n.At(), rule: ruleShape, message: fmt.Sprintf("a mapping of %d keys is not %s", len(n.Pairs), s.phrase())})
	}
	for _, key := range s.required {
		if n.Pair(key) == nil {
			faults = append(faults, fault{at: n.At(), rule: ruleMissingKey, message: fmt.Sprintf("%s must have the key %q", s.phrase(), key)})
		}
	}
	for _, p := range n.Pairs {
		faults = append(faults, s.checkKey(p)...)
	}
	return faults
}

func (s *shape) checkKey(p source.Pair) []fault {
	if p.Key.Kind != source.String || typesOf(p.Key) == 0 {
		if len(s.patterns) == 0 && !s.closed {
			if s.rest != nil {
				return s.rest.check(p.Value)
			}
			return nil
		}
		return []fault{{
			at: p.Key.At(), rule: ruleShape, message: fmt.Sprintf("the key %s is %s; keys must be texts", p.Key.Text, kindName(p.Key)),
			suggestion: fmt.Sprintf("quote it: %q", p.Key.Text),
		}}
	}
	var faults []fault
	known := false
	if k, ok := s.keys[p.Key.Text]; ok {
		known = true
		if k != nil {
			faults = append(faults, k.check(p.Value)...)
		}
	} else if s.rest != nil {
		faults = append(faults, s.rest.check(p.Value)...)
	}
	for _, kp := range s.patterns {
		if kp.pattern().MatchString(p.Key.Text) {
			known = true
			faults = append(faults, kp.shape.check(p.Value)...)
		}
	}
	if s.closed && !known {
		f := fault{at: p.Key.At(), rule: ruleUnknownKey, message: fmt.Sprintf("%s has no key %q", s.phrase(), p.Key.Text)}
		if near := diag.Nearest(p.Key.Text, s.keyNames()); near != "" {
			f.suggestion = fmt.Sprintf("did you mean %q?", near)
		}
		faults = append(faults, f)
	}
	return faults
}

func (s *shape) keyNames() []string {
	names := make([]string, 0, len(s.keys))
	for k := range s.keys {
		names = append(names, k)
	}
	sort.Strings(names)
	return names
}

// checkOneOf reports the faults of the branch that the author most probably meant: the only one of the node's type.
func (s *shape) checkOneOf(n *source.Node, t jsonType) []fault {
	var near []*shape
	valid := 0
	for _, branch := range s.oneOf {
		if len(branch.check(n)) == 0 {
			valid++
		}
		if t != 0 && branch.accepts()&t != 0 {
			near = append(near, branch)
		}
	}
	switch {
	case valid == 1:
		return nil
	case valid > 1:
		return []fault{{at: n.At(), rule: ruleShape, message: fmt.Sprintf("%s can be read in %d ways", describe(n), valid)}}
	case len(near) == 1:
		return near[0].check(n)
	}
	return []fault{s.wrong(n)}
}

// accepts gives the types that a shape may take; 0 stands for all.
func (s *shape) accepts() jsonType {
	t := s.types
	if s.oneWord != nil {
		t |= text
	}
	if t == 0 {
		for _, b := range s.oneOf {
			t |= b.accepts()
		}
	}
	return t
}

func (s *shape) phrase() string {
	if s.want != "" {
		return s.want
	}
	if t := s.accepts(); t != 0 {
		return t.String()
	}
	return "what is allowed here"
}

func (s *shape) wrong(n *source.Node) fault {
	return fault{at: n.At(), rule: ruleShape, message: fmt.Sprintf("%s is not %s", describe(n), s.phrase())}
}

// describe names a value in a message.
func describe(n *source.Node) string {
	switch n.Kind {
	case source.Null:
		return "null"
	case source.List:
		return "a list"
	case source.Map:
		return "a mapping"
	case source.Set:
		return "a set"
	case source.Bytes:
		return "a binary"
	case source.String:
		if typesOf(n) == 0 {
			return "the date " + n.Text
		}
		if r := []rune(n.Text); len(r) > 60 {
			return fmt.Sprintf("%q", string(r[:57])+"…")
		}
		return fmt.Sprintf("%q", n.Text)
	}
	return fmt.Sprintf("the %s %s", n.Kind, n.Text)
}

func kindName(n *source.Node) string {
	if n.Kind == source.String {
		return "a date"
	}
	switch n.Kind {
	case source.Null:
		return "null"
	case source.Int:
		return "an integer"
	}
	return "a " + n.Kind.String()
}
