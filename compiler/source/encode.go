package source

import (
	"bytes"
	"encoding/base64"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Encode writes a tree as a YAML document that Heat's loaders read back to the same typed values: block style, two
// spaces, keys in the tree's order, text of several lines as `|` blocks, quotes only where YAML 1.1 would read
// something else. Calls such as {get_param: x}, and what the author wrote in flow style, are in flow style where
// they are short. Equal trees with equal styles give equal bytes.
//
// Shared nodes are written out at each place; anchors are not made. The tree must have no cycles.
//
// yaml.v3's own emitter does not serve: it quotes for YAML 1.2, so that 1:30 or 0b1 would change their type.
func Encode(n *Node) []byte {
	e := &encoder{}
	switch {
	case n.Is(Map) && len(n.Pairs) > 0:
		e.entries(n.Pairs, 0)
	case n.Is(List) && len(n.Items) > 0:
		e.items(n.Items, 0)
	case n.Is(Set) && len(n.Pairs) > 0:
		e.set(n, 0)
	default:
		e.out = append(e.out, inlineText(n)...)
	}
	if !bytes.HasSuffix(e.out, []byte("\n")) {
		e.out = append(e.out, '\n')
	}
	if e.endsInBlock {
		// heatclient cuts off blanks around a template; without this mark a last `|` block would lose its
		// final line break.
		e.out = append(e.out, "...\n"...)
	}
	return e.out
}

const (
	// maxFlow is the column that a collection in flow style does not pass.
	maxFlow = 80
	// maxSimpleKey is the longest key that stands before its `:`; libyaml allows 1,024 characters.
	maxSimpleKey = 1000
)

type encoder struct {
	out         []byte
	endsInBlock bool // the last thing written is a `|` block
}

func (e *encoder) write(s string) {
	e.out = append(e.out, s...)
	e.endsInBlock = false
}

// line begins a line, unless the text stands right behind a `- ` that the entry belongs to.
func (e *encoder) line(indent int) {
	if len(e.out) > 0 && e.out[len(e.out)-1] != '\n' {
		e.out = append(e.out, '\n')
	}
	for range indent {
		e.out = append(e.out, ' ')
	}
}

// entries writes a block map at the current place; further lines have the given indent.
func (e *encoder) entries(pairs []Pair, indent int) {
	for i, p := range pairs {
		if i > 0 {
			e.line(indent)
		}
		if key := inlineText(p.Key); len(key) <= maxSimpleKey {
			e.write(key + ":")
		} else {
			e.write("? " + key)
			e.line(indent)
			e.write(":")
		}
		e.value(p.Value, indent+2, false)
	}
}

// items writes a block list at the current place.
func (e *encoder) items(items []*Node, indent int) {
	for i, item := range items {
		if i > 0 {
			e.line(indent)
		}
		e.write("-")
		e.value(item, indent+2, true)
	}
}

func (e *encoder) set(n *Node, indent int) {
	e.write("!!set")
	for _, p := range n.Pairs {
		e.line(indent)
		e.write("? " + inlineText(p.Key))
	}
}

// value writes what follows a `key:` or a `-`. Its own lines have the given indent; a collection begins on the line
// of the `-`, but below the key.
func (e *encoder) value(n *Node, indent int, sameLine bool) {
	if n.Is(String) && isBlockText(n.Text) {
		e.block(n.Text, indent)
		return
	}
	if isScalar(n) || isEmpty(n) {
		e.write(" " + inlineText(n))
		return
	}
	if wantsFlow(n) {
		f := flowWriter{room: maxFlow - e.column() - 1}
		if f.node(n); f.room >= 0 {
			e.write(" " + f.out.String())
			return
		}
	}
	begin := func() {
		if sameLine {
			e.write(" ")
		} else {
			e.line(indent)
		}
	}
	switch n.Kind {
	case Map:
		begin()
		e.entries(n.Pairs, indent)
	case List:
		begin()
		e.items(n.Items, indent)
	case Set:
		e.write(" ")
		e.set(n, indent)
	}
}

func (e *encoder) column() int { return len(e.out) - 1 - bytes.LastIndexByte(e.out, '\n') }

// block writes text as a `|` block.
func (e *encoder) block(text string, indent int) {
	header := " |"
	if strings.IndexByte(" \t\n", text[0]) >= 0 {
		header += "2" // else the first line's own blanks would count as indentation
	}
	body := strings.TrimRight(text, "\n")
	switch len(text) - len(body) {
	case 0:
		header += "-"
	case 1:
	default:
		header += "+"
		body = text[:len(text)-1]
	}
	e.write(header)
	for line := range strings.SplitSeq(body, "\n") {
		e.out = append(e.out, '\n')
		if line != "" {
			e.line(indent)
			e.out = append(e.out, line...)
		}
	}
	e.out = append(e.out, '\n')
	e.endsInBlock = true
}

// isBlockText reports whether a `|` block keeps text exactly and is worth it.
func isBlockText(text string) bool {
	if !strings.Contains(text, "\n") || strings.Trim(text, "\n") == "" {
		return false
	}
	for _, r := range text {
		if r != '\n' && r != '\t' && !isPrintable(r) {
			return false
		}
	}
	return utf8.ValidString(text)
}

func isScalar(n *Node) bool { return n == nil || n.Kind < List }

func isEmpty(n *Node) bool { return len(n.Items) == 0 && len(n.Pairs) == 0 }

// wantsFlow reports whether a collection is to be in flow style if there is room.
func wantsFlow(n *Node) bool {
	if n.Style == Flow {
		return true
	}
	p := n.Single()
	if p == nil || p.Key.Kind != String {
		return false
	}
	name := p.Key.Text
	return strings.HasPrefix(name, "get_") || strings.HasPrefix(name, "Fn::") || name == "Ref"
}

// flowWriter writes a collection on one line. Room is how many columns are left; below zero it has given up.
type flowWriter struct {
	out  strings.Builder
	room int
}

func (f *flowWriter) write(s string) {
	f.out.WriteString(s)
	f.room -= utf8.RuneCountInString(s)
}

func (f *flowWriter) node(n *Node) {
	if f.room < 0 {
		return
	}
	if isScalar(n) {
		if n.Is(String) && isBlockText(n.Text) {
			f.room = -1
			return
		}
		f.write(scalarText(n, true))
		return
	}
	open, closing := "{", "}"
	switch n.Kind {
	case List:
		open, closing = "[", "]"
	case Set:
		open = "!!set {"
	}
	f.write(open)
	for i, item := range n.Items {
		f.separate(i)
		f.node(item)
	}
	for i, p := range n.Pairs {
		f.separate(i)
		f.node(p.Key)
		if n.Kind == Map {
			f.write(": ")
			f.node(p.Value)
		}
	}
	f.write(closing)
}

func (f *flowWriter) separate(i int) {
	if i > 0 {
		f.write(", ")
	}
}

// inlineText is a scalar, a key, or an empty collection on one line of a block.
func inlineText(n *Node) string {
	if isScalar(n) {
		return scalarText(n, false)
	}
	f := flowWriter{room: math.MaxInt32}
	f.node(n)
	return f.out.String()
}

// scalarText is a scalar on one line.
func scalarText(n *Node, inFlow bool) string {
	if n == nil {
		return "null"
	}
	switch n.Kind {
	case Bool:
		if n.Scalar == true {
			return "true"
		}
		return "false"
	case Int, Float:
		if keepsValue(n) {
			return n.Text // 0644 stays 0644
		}
		return numberText(n.Scalar)
	case Bytes:
		return `!!binary "` + base64.StdEncoding.EncodeToString([]byte(n.Text)) + `"`
	case String:
		switch {
		case isPlainSafe(n.Text, inFlow):
			return n.Text
		case strings.ContainsAny(n.Text, `"\`) && !strings.ContainsFunc(n.Text, func(r rune) bool { return r == '\'' || !isPrintable(r) }):
			return "'" + n.Text + "'"
		}
		return doubleQuoted(n.Text)
	}
	return "null"
}

// keepsValue reports whether a number's spelling in its source gives the same number in YAML.
func keepsValue(n *Node) bool {
	var again Node
	return n.Text != "" && plainType(n.Text).build(&again, n.Text) == "" && again.Kind == n.Kind && equalScalar(again.Scalar, n.Scalar)
}

func numberText(scalar any) string {
	switch v := scalar.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case *big.Int:
		return v.String()
	case float64:
		switch {
		case math.IsNaN(v):
			return ".nan"
		case math.IsInf(v, 1):
			return ".inf"
		case math.IsInf(v, -1):
			return "-.inf"
		}
		s := strconv.FormatFloat(v, 'g', -1, 64)
		mantissa, exponent, _ := strings.Cut(s, "e")
		if !strings.Contains(mantissa, ".") {
			mantissa += ".0"
		}
		if exponent != "" {
			exponent = "e" + exponent
		}
		return mantissa + exponent
	}
	return "null"
}

// isPlainSafe reports whether text without quotes is read as that text.
func isPlainSafe(text string, inFlow bool) bool {
	if text == "" || plainType(text) != stringType || strings.HasPrefix(text, "---") || strings.HasPrefix(text, "...") {
		return false
	}
	switch first := text[0]; {
	case strings.IndexByte("-?:", first) >= 0:
		if len(text) == 1 || inFlow || text[1] == ' ' {
			return false
		}
	case strings.IndexByte(",[]{}#&*!|>'\"%@` ", first) >= 0:
		return false
	}
	for i, r := range text {
		switch {
		case !isPrintable(r), r >= 0x80 && isPythonSpace(r):
			return false
		case r == ':' && (i+1 == len(text) || text[i+1] == ' '), r == '#' && text[i-1] == ' ':
			return false
		case inFlow && strings.ContainsRune(",[]{}?", r):
			return false
		}
	}
	return text[len(text)-1] != ' ' && utf8.ValidString(text)
}

// isPrintable reports whether a character can stand in a document as itself; line breaks and tabs are not meant.
func isPrintable(r rune) bool {
	switch {
	case r < ' ', r >= 0x7f && r < 0xa0, isUnicodeBreak(r), r == 0xfeff, r == 0xfffe, r == 0xffff, r >= 0xd800 && r < 0xe000:
		return false
	}
	return true
}

var doubleEscapes = map[rune]string{
	0: `\0`, 7: `\a`, 8: `\b`, '\t': `\t`, '\n': `\n`, 11: `\v`, '\f': `\f`, '\r': `\r`, 27: `\e`, '"': `\"`, '\\': `\\`,
}

func doubleQuoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		if escape, ok := doubleEscapes[r]; ok {
			b.WriteString(escape)
			continue
		}
		switch {
		case isPrintable(r):
			b.WriteRune(r)
		case r < 0x100:
			b.WriteString(`\x` + hexDigits(r, 2))
		default:
			b.WriteString(`\u` + hexDigits(r, 4))
		}
	}
	b.WriteByte('"')
	return b.String()
}

func hexDigits(r rune, width int) string {
	s := strconv.FormatInt(int64(r), 16)
	return strings.Repeat("0", width-len(s)) + s
}
