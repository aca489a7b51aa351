package hot

import (
	"math/big"
	"strconv"
	"strings"
	"unicode"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

// Truthy is the truth value of n in Python: empty, zero, false and null are false.
func Truthy(n *source.Node) bool {
	if n == nil {
		return false
	}
	switch n.Kind {
	case source.Null:
		return false
	case source.Bool:
		return n.Scalar == true
	case source.Int:
		return n.Scalar != int64(0)
	case source.Float:
		return n.Scalar != float64(0)
	case source.String, source.Bytes:
		return n.Text != ""
	case source.List:
		return len(n.Items) > 0
	}
	return len(n.Pairs) > 0
}

// KeyText is a map key as it arrives at Heat: templates travel as JSON, whose keys are strings.
func KeyText(key *source.Node) string {
	if key.Is(source.String) {
		return key.Text
	}
	if key.IsNull() {
		return "null"
	}
	switch v := key.Scalar.(type) {
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case *big.Int:
		return v.String()
	case float64:
		return value.FormatFloat(v)
	}
	return key.Text
}

// ValueOf turns a node into the value that Heat has for it. Function calls are not looked for: they become the maps
// that they are.
func ValueOf(n *source.Node) any {
	if n == nil {
		return nil
	}
	switch n.Kind {
	case source.String:
		return n.Text
	case source.Bytes:
		return []byte(n.Text)
	case source.List:
		list := make([]any, len(n.Items))
		for i, item := range n.Items {
			list[i] = ValueOf(item)
		}
		return list
	case source.Map, source.Set:
		m := value.NewMap(len(n.Pairs))
		for _, p := range n.Pairs {
			m.SetStr(KeyText(p.Key), ValueOf(p.Value))
		}
		return m
	}
	return n.Scalar // nil for null
}

// pyLen is len(str(n)) in Python, in characters.
func pyLen(n *source.Node) int {
	if n == nil {
		return len("None")
	}
	switch n.Kind {
	case source.Null:
		return len("None")
	case source.Bool:
		if n.Scalar == true {
			return len("True")
		}
		return len("False")
	case source.String, source.Bytes:
		return reprLen(n.Text)
	case source.List:
		size := len("[]") + 2*max(0, len(n.Items)-1)
		for _, item := range n.Items {
			size += pyLen(item)
		}
		return size
	case source.Map, source.Set:
		size := len("{}") + 2*max(0, len(n.Pairs)-1)
		for _, p := range n.Pairs {
			size += reprLen(KeyText(p.Key)) + 2 + pyLen(p.Value)
		}
		return size
	}
	return len(KeyText(n))
}

// reprLen is len(repr(s)): quotes and escapes count.
func reprLen(s string) int {
	size := 2
	double := strings.Contains(s, "'") && !strings.Contains(s, `"`)
	for _, r := range s {
		switch {
		case r == '\\' || r == '\n' || r == '\r' || r == '\t' || r == '\'' && !double:
			size += 2
		case r >= ' ' && r < 0x7f || r >= 0x80 && unicode.IsPrint(r):
			size++
		case r < 0x100:
			size += len(`\x00`)
		case r < 0x10000:
			size += len(`\u0000`)
		default:
			size += len(`\U00000000`)
		}
	}
	return size
}
