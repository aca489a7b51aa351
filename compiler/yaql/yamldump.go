package yaql

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
)

// dumpYAML writes a value as PyYAML's safe_dump does with default_flow_style=False: block style, sorted keys, ASCII
// only, lines folded near column 80, and repeated collections as aliases.
func dumpYAML(ev *evaluation, v any) (string, error) {
	d := &yamlDumper{ev: ev, seen: map[any]int{}, names: map[any]string{}, written: map[any]bool{}}
	if err := d.scan(v, 0); err != nil {
		return "", err
	}
	if isCollection(v) {
		if err := d.node(v, -1, false, false); err != nil {
			return "", err
		}
		if !strings.HasSuffix(d.b.String(), "\n") {
			d.b.WriteByte('\n')
		}
		return d.b.String(), nil
	}
	text, plain, err := yamlScalar(v)
	if err != nil {
		return "", err
	}
	open := d.scalar(text, plain, 2, false)
	d.b.WriteByte('\n')
	if open {
		d.b.WriteString("...\n")
	}
	return d.b.String(), nil
}

type yamlDumper struct {
	ev      *evaluation
	b       strings.Builder
	column  int
	seen    map[any]int
	names   map[any]string
	written map[any]bool
}

func isCollection(v any) bool {
	switch v.(type) {
	case *value.Map, value.Tuple, []any:
		return true
	}
	return false
}

// identity is what makes two occurrences of a collection the same one; nil for empty tuples, which have none.
func identity(v any) any {
	switch v := v.(type) {
	case *value.Map:
		return v.Identity()
	case value.Tuple:
		if len(v) > 0 {
			return &v[0]
		}
	case []any:
		if len(v) > 0 {
			return &v[0]
		}
	}
	return nil
}

// scan counts occurrences, so that repeated collections get an anchor.
func (d *yamlDumper) scan(v any, depth int) error {
	if depth > 300 {
		return fail("RecursionError", "maximum recursion depth exceeded")
	}
	if err := d.ev.step(1); err != nil {
		return err
	}
	if id := identity(v); id != nil {
		d.seen[id]++
		if n := d.seen[id]; n > 1 {
			if n == 2 {
				d.names[id] = ""
			}
			return nil
		}
	}
	switch v := v.(type) {
	case *value.Map:
		for _, i := range sortedKeys(v) {
			k, x := v.At(i)
			if err := errors.Join(d.scan(k, depth+1), d.scan(x, depth+1)); err != nil {
				return err
			}
		}
	case value.Tuple, []any:
		items, _ := value.Seq(v)
		for _, x := range items {
			if err := d.scan(x, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func sortedKeys(m *value.Map) []int {
	order := make([]int, m.Len())
	for i := range order {
		order[i] = i
	}
	sorted := slices.Clone(order)
	var bad error
	slices.SortStableFunc(sorted, func(i, j int) int {
		a, _ := m.At(i)
		b, _ := m.At(j)
		c, _, err := value.Compare(a, b)
		if err != nil {
			bad = err
		}
		return c
	})
	if bad != nil {
		return order
	}
	return sorted
}

func (d *yamlDumper) write(s string) {
	d.b.WriteString(s)
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		d.column = len(s) - i - 1
	} else {
		d.column += len(s)
	}
}

func (d *yamlDumper) newline(indent int) { d.write("\n" + strings.Repeat(" ", max(indent, 0))) }

// node writes a value whose parent stands at an indent. inline says that it follows "- " or "? " on the same line,
// key that it follows a key.
func (d *yamlDumper) node(v any, indent int, inline, key bool) error {
	if err := d.ev.alloc(16); err != nil {
		return err
	}
	if !isCollection(v) {
		text, plain, err := yamlScalar(v)
		if err != nil {
			return err
		}
		if key {
			d.write(" ")
		}
		d.scalar(text, plain, max(indent, 0)+2, false)
		return d.ev.text(len(text))
	}
	anchor := ""
	if id := identity(v); id != nil {
		if name, repeated := d.names[id]; repeated {
			if name == "" {
				name = fmt.Sprintf("id%03d", len(d.written)+1)
				d.names[id] = name
			}
			if d.written[id] {
				if key {
					d.write(" ")
				}
				d.write("*" + name)
				return nil
			}
			d.written[id] = true
			anchor = "&" + name
		}
	}
	if anchor != "" {
		if key {
			d.write(" ")
		}
		d.write(anchor)
	}
	if n, _ := value.Len(v); n == 0 {
		empty := "[]"
		if isType[*value.Map](v) {
			empty = "{}"
		}
		if key || anchor != "" {
			d.write(" ")
		}
		d.write(empty)
		return nil
	}
	if m, ok := v.(*value.Map); ok {
		return d.mapping(m, indent, inline && anchor == "")
	}
	items, _ := value.Seq(v)
	return d.sequence(items, indent, inline && anchor == "", key)
}

func (d *yamlDumper) sequence(items []any, indent int, inline, key bool) error {
	at := indent + 2
	switch {
	case indent < 0:
		at = 0
	case key:
		at = indent // a list under a key is not indented
	}
	for i, x := range items {
		if i > 0 || (!inline && d.b.Len() > 0) {
			d.newline(at)
		}
		d.write("- ")
		if err := d.node(x, at, true, false); err != nil {
			return err
		}
	}
	return nil
}

func (d *yamlDumper) mapping(m *value.Map, indent int, inline bool) error {
	at := indent + 2
	if indent < 0 {
		at = 0
	}
	for n, i := range sortedKeys(m) {
		k, v := m.At(i)
		if n > 0 || (!inline && d.b.Len() > 0) {
			d.newline(at)
		}
		text, plain, err := "", false, error(nil)
		simple := !isCollection(k)
		if simple {
			if text, plain, err = yamlScalar(k); err != nil {
				return err
			}
			simple = text != "" && value.RuneLen(text)+len(yamlTag(k)) < 128 && !strings.Contains(text, "\n")
		}
		if !simple {
			d.write("? ")
			if err := d.node(k, at, true, false); err != nil {
				return err
			}
			d.newline(at)
			d.write(": ")
		} else {
			d.scalar(text, plain, at, true)
			d.write(":")
		}
		if err := d.node(v, at, !simple, simple); err != nil {
			return err
		}
	}
	return nil
}

// yamlTag is the short tag of a scalar; it counts when PyYAML measures whether a key fits on its line.
func yamlTag(v any) string {
	switch v.(type) {
	case nil:
		return "!!null"
	case bool:
		return "!!bool"
	case float64:
		return "!!float"
	case value.Time:
		return "!!timestamp"
	case string:
		return "!!str"
	}
	return "!!int"
}

// yamlScalar gives the text of a scalar, and whether it must be plain as it is no text.
func yamlScalar(v any) (text string, plain bool, err error) {
	switch v := v.(type) {
	case nil:
		return "null", true, nil
	case bool:
		return strconv.FormatBool(v), true, nil
	case int64, *big.Int:
		s, err := value.FormatInt(v)
		return s, true, err
	case float64:
		switch {
		case math.IsNaN(v):
			return ".nan", true, nil
		case math.IsInf(v, 0):
			return strings.Replace(value.FormatFloat(v), "inf", ".inf", 1), true, nil
		}
		s := value.FormatFloat(v)
		if !strings.Contains(s, ".") {
			s = strings.Replace(s, "e", ".0e", 1)
		}
		return s, true, nil
	case string:
		return v, false, nil
	case value.Time:
		return v.ISO(" "), true, nil
	}
	return "", false, fail("RepresenterError", "('cannot represent an object', %s)", value.Repr(v))
}

// yamlImplicit matches plain text that YAML 1.1 reads as something other than text.
var yamlImplicit = lazyregexp.New(`^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF` +
	`|[-+]?(?:[0-9][0-9_]*)\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*` +
	`|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)` +
	`|[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+` +
	`|<<|~|null|Null|NULL|` +
	`|[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]` +
	`|[0-9][0-9][0-9][0-9]-[0-9][0-9]?-[0-9][0-9]?(?:[Tt]|[ \t]+)[0-9][0-9]?:[0-9][0-9]:[0-9][0-9](?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9][0-9]?(?::[0-9][0-9])?))?` +
	`|=|!|&|\*)$`)

// scalar writes a scalar in the plainest style that holds it and says whether it is plain.
func (d *yamlDumper) scalar(s string, plain bool, indent int, key bool) bool {
	a := analyse(s)
	switch {
	case plain || (a.plain && !yamlImplicit().MatchString(s) && !(key && (s == "" || a.multiline))):
		d.folded(s, indent, !key)
		return true
	case a.single && !(key && a.multiline):
		d.singleQuoted(s, indent, !key)
	default:
		d.doubleQuoted(s, indent, !key)
	}
	return false
}

type analysis struct{ plain, single, multiline bool }

// analyse says which styles can hold a text in block context.
func analyse(s string) analysis {
	if s == "" {
		return analysis{single: true}
	}
	var a analysis
	rs := []rune(s)
	n := len(rs)
	blank := func(i int) bool {
		return i >= n || i < 0 || strings.ContainsRune("\x00 \t\r\n\u0085\u2028\u2029", rs[i])
	}
	indicator := strings.HasPrefix(s, "---") || strings.HasPrefix(s, "...")
	special, spaceBreak, breakSpace := false, false, false
	for i, c := range rs {
		isBreak := strings.ContainsRune("\n\u0085\u2028\u2029", c)
		switch {
		case i == 0 && strings.ContainsRune("#,[]{}&*!|>'\"%@`", c), i == 0 && strings.ContainsRune("?:-", c) && blank(1),
			i > 0 && c == ':' && blank(i+1), i > 0 && c == '#' && blank(i-1):
			indicator = true
		}
		a.multiline = a.multiline || isBreak
		special = special || !(c == '\n' || c >= ' ' && c <= '~')
		if i > 0 {
			prevBreak := strings.ContainsRune("\n\u0085\u2028\u2029", rs[i-1])
			spaceBreak = spaceBreak || (rs[i-1] == ' ' && isBreak)
			breakSpace = breakSpace || (prevBreak && c == ' ')
		}
	}
	edge := rs[0] == ' ' || rs[n-1] == ' ' || strings.ContainsRune("\n\u0085\u2028\u2029", rs[0]) || strings.ContainsRune("\n\u0085\u2028\u2029", rs[n-1])
	a.plain = !indicator && !edge && !spaceBreak && !special && !breakSpace && !a.multiline
	a.single = !special && !spaceBreak && !breakSpace
	return a
}

const yamlWidth = 80

// folded writes plain text, broken at single blanks past the width.
func (d *yamlDumper) folded(s string, indent int, split bool) {
	for i := 0; i < len(s); {
		end := i
		if s[i] == ' ' {
			for end < len(s) && s[end] == ' ' {
				end++
			}
			if split && end == i+1 && d.column > yamlWidth {
				d.newline(indent)
			} else {
				d.write(s[i:end])
			}
		} else {
			for end < len(s) && s[end] != ' ' {
				end++
			}
			d.write(s[i:end])
		}
		i = end
	}
}

func (d *yamlDumper) singleQuoted(s string, indent int, split bool) {
	d.write("'")
	for i := 0; i < len(s); {
		end := i
		switch s[i] {
		case ' ':
			for end < len(s) && s[end] == ' ' {
				end++
			}
			if split && end == i+1 && d.column > yamlWidth && i != 0 && end != len(s) {
				d.newline(indent)
			} else {
				d.write(s[i:end])
			}
		case '\n':
			for end < len(s) && s[end] == '\n' {
				end++
			}
			d.write(strings.Repeat("\n", end-i))
			d.newline(indent)
		default:
			for end < len(s) && s[end] != ' ' && s[end] != '\n' {
				end++
			}
			d.write(strings.ReplaceAll(s[i:end], "'", "''"))
		}
		i = end
	}
	d.write("'")
}

var yamlEscapes = map[rune]string{
	0: "0", '\a': "a", '\b': "b", '\t': "t", '\n': "n", '\v': "v", '\f': "f", '\r': "r", 0x1b: "e", '"': "\"", '\\': "\\",
	0x85: "N", 0xa0: "_", 0x2028: "L", 0x2029: "P",
}

func (d *yamlDumper) doubleQuoted(s string, indent int, split bool) {
	rs := []rune(s)
	d.write(`"`)
	start := 0
	for end := 0; end <= len(rs); end++ {
		last := end == len(rs)
		special := !last && (strings.ContainsRune("\"\\\u0085\u2028\u2029\ufeff", rs[end]) || rs[end] < ' ' || rs[end] > '~')
		if last || special {
			if start < end {
				d.write(string(rs[start:end]))
				start = end
			}
			if special {
				d.write(yamlEscape(rs[end]))
				start = end + 1
			}
		}
		if split && end > 0 && end < len(rs)-1 && (rs[end] == ' ' || start >= end) && d.column+(end-start) > yamlWidth {
			part := ""
			if start < end {
				part = string(rs[start:end])
				start = end
			}
			d.write(part + "\\")
			d.newline(indent)
			if rs[start] == ' ' {
				d.write("\\")
			}
		}
	}
	d.write(`"`)
}

func yamlEscape(r rune) string {
	switch e, ok := yamlEscapes[r]; {
	case ok:
		return "\\" + e
	case r <= 0xff:
		return fmt.Sprintf("\\x%02X", r)
	case r <= 0xffff:
		return fmt.Sprintf("\\u%04X", r)
	}
	return fmt.Sprintf("\\U%08X", r)
}
