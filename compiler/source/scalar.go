package source

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A scalarType is one YAML 1.1 type of scalars as Heat's loader (PyYAML 6 with timestamps kept as text) knows it:
// how a plain scalar is recognised and what a scalar of the type becomes.
type scalarType struct {
	tag string
	// first holds the bytes that a plain scalar of this type begins with; only such scalars are shown to plain.
	first string
	plain func(text string) bool
	// build sets the node's kind and value and returns what is wrong with the text, or "".
	build func(n *Node, text string) (problem string)
}

// scalarTypes is the registry of scalar types. The first type whose plain accepts a text is the text's type, in
// the order of PyYAML's resolver; a text that none accepts is a string.
var scalarTypes = []scalarType{
	{tag: "!!bool", first: "yYnNtTfFoO", plain: isBool, build: buildBool},
	{tag: "!!float", first: "-+0123456789.", plain: isFloat, build: buildFloat},
	{tag: "!!int", first: "-+0123456789", plain: isInt, build: buildInt},
	{tag: "!!merge", first: "<", plain: func(s string) bool { return s == "<<" }, build: refuse("`<<` is a merge key and cannot be a value")},
	{tag: "!!null", first: "~nN", plain: isNull, build: buildNull},
	{tag: "!!value", first: "=", plain: func(s string) bool { return s == "=" }, build: refuse("a plain `=` has a meaning of its own in YAML 1.1 that Heat does not know")},
	// Explicit tags only: without one, Heat leaves timestamps and everything else as text.
	{tag: "!!str", build: buildString},
	{tag: "!!timestamp", build: buildString},
	{tag: "!!binary", build: buildBinary},
}

// scalarsByFirst and scalarsByTag index the registry.
var (
	scalarsByFirst = func() (index [256][]*scalarType) {
		for i := range scalarTypes {
			for _, c := range []byte(scalarTypes[i].first) {
				index[c] = append(index[c], &scalarTypes[i])
			}
		}
		return index
	}()
	scalarsByTag = func() map[string]*scalarType {
		index := make(map[string]*scalarType, len(scalarTypes))
		for i := range scalarTypes {
			index[scalarTypes[i].tag] = &scalarTypes[i]
		}
		return index
	}()
)

// plainType is the type of a plain scalar.
func plainType(text string) *scalarType {
	if text == "" {
		return scalarsByTag["!!null"]
	}
	for _, t := range scalarsByFirst[text[0]] {
		if t.plain(text) {
			return t
		}
	}
	return stringType
}

var stringType = scalarsByTag["!!str"]

func refuse(why string) func(*Node, string) string {
	return func(*Node, string) string { return why }
}

func buildString(n *Node, text string) string {
	n.Kind, n.Text = String, text
	return ""
}

func isNull(s string) bool {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return true
	}
	return false
}

func buildNull(n *Node, text string) string {
	n.Kind, n.Text = Null, text
	return ""
}

var boolWords = map[string]bool{"yes": true, "no": false, "true": true, "false": false, "on": true, "off": false}

// isBool accepts the three spellings yes, Yes and YES of each word.
func isBool(s string) bool {
	if len(s) > len("false") {
		return false
	}
	lower := strings.ToLower(s)
	if _, ok := boolWords[lower]; !ok {
		return false
	}
	return s == lower || s == strings.ToUpper(s) || s[1:] == lower[1:]
}

func buildBool(n *Node, text string) string {
	v, ok := boolWords[strings.ToLower(text)]
	if !ok {
		return "it is not one of true, false, yes, no, on and off"
	}
	n.Kind, n.Text, n.Scalar = Bool, text, v
	return ""
}

// run is the length of the longest start of s made of bytes in set.
func run(s, set string) int {
	for i := range len(s) {
		if strings.IndexByte(set, s[i]) < 0 {
			return i
		}
	}
	return len(s)
}

const (
	digits  = "0123456789"
	digits_ = digits + "_"
)

func unsigned(s string) string {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		return s[1:]
	}
	return s
}

// sexagesimals returns what follows one or more ":N" groups with N of 0 to 59, and whether there is any group.
func sexagesimals(s string) (rest string, ok bool) {
	for s != "" && s[0] == ':' {
		n := run(s[1:], digits)
		if n == 0 || n > 2 || n == 2 && s[1] > '5' {
			return s, false
		}
		s, ok = s[1+n:], true
	}
	return s, ok
}

func isInt(s string) bool {
	s = unsigned(s)
	switch {
	case s == "":
		return false
	case s == "0":
		return true
	case strings.HasPrefix(s, "0b"):
		return len(s) > 2 && run(s[2:], "01_") == len(s)-2
	case strings.HasPrefix(s, "0x"):
		return len(s) > 2 && run(s[2:], digits_+"abcdefABCDEF") == len(s)-2
	case s[0] == '0':
		return run(s[1:], "01234567_") == len(s)-1
	case s[0] < '1' || s[0] > '9':
		return false
	}
	rest := s[run(s, digits_):]
	if rest == "" {
		return true
	}
	rest, ok := sexagesimals(rest)
	return ok && rest == ""
}

// isFloat accepts 1., 1.5, 1.5e+3 (the sign is required), .5, 190:20:30.15, .inf and .nan; a sign is not
// allowed before a point.
func isFloat(s string) bool {
	u := unsigned(s)
	switch u {
	case ".inf", ".Inf", ".INF":
		return true
	case ".nan", ".NaN", ".NAN":
		return u == s
	case "":
		return false
	}
	if u[0] == '.' {
		return u == s && len(u) > 1 && u[1] != '_' && run(u[1:2], digits) == 1 && isExponent(u[1+run(u[1:], digits_):])
	}
	if run(u[:1], digits) == 0 {
		return false
	}
	rest := u[run(u, digits_):]
	if rest != "" && rest[0] == ':' {
		rest, ok := sexagesimals(rest)
		return ok && rest != "" && rest[0] == '.' && run(rest[1:], digits_) == len(rest)-1
	}
	return rest != "" && rest[0] == '.' && isExponent(rest[1+run(rest[1:], digits_):])
}

func isExponent(s string) bool {
	if s == "" {
		return true
	}
	return len(s) > 2 && (s[0] == 'e' || s[0] == 'E') && (s[1] == '+' || s[1] == '-') && run(s[2:], digits) == len(s)-2
}

// maxIntDigits is the longest decimal number that Python converts (sys.int_info.default_max_str_digits).
const maxIntDigits = 4300

func buildInt(n *Node, text string) string {
	t := strings.ReplaceAll(text, "_", "")
	negative := strings.HasPrefix(t, "-")
	t = unsigned(t)
	var v *big.Int
	switch {
	case t == "":
		return "it has no digits"
	case t == "0":
		v = new(big.Int)
	case strings.HasPrefix(t, "0b"):
		v = parseInt(strings.TrimPrefix(t[2:], "0b"), 2)
	case strings.HasPrefix(t, "0x"):
		v = parseInt(strings.TrimPrefix(t[2:], "0x"), 16)
	case t[0] == '0':
		v = parseInt(strings.TrimPrefix(t, "0o"), 8)
	case strings.Contains(t, ":"):
		v = new(big.Int)
		for part := range strings.SplitSeq(t, ":") {
			digit := parseInt(part, 10)
			if digit == nil {
				return "it is not a number of base 60"
			}
			v.Add(v.Mul(v, big.NewInt(60)), digit)
		}
	default:
		if len(t) <= 18 {
			if i, err := strconv.ParseInt(t, 10, 64); err == nil {
				if negative {
					i = -i
				}
				n.Kind, n.Text, n.Scalar = Int, text, i
				return ""
			}
		}
		v = parseInt(t, 10)
	}
	if v == nil {
		return "it is not an integer of YAML 1.1 with at most " + strconv.Itoa(maxIntDigits) + " digits"
	}
	if negative {
		v.Neg(v)
	}
	n.Kind, n.Text = Int, text
	setInt(n, v)
	return ""
}

func setInt(n *Node, v *big.Int) {
	if v.IsInt64() {
		n.Scalar = v.Int64()
		return
	}
	n.Scalar = v
}

// parseInt reads digits as Python's int(text, base) does: blanks around them and a sign are allowed.
func parseInt(s string, base int) *big.Int {
	s = strings.TrimFunc(s, isPythonSpace)
	if base == 10 && len(unsigned(s)) > maxIntDigits {
		return nil
	}
	v, ok := new(big.Int).SetString(s, base)
	if !ok {
		return nil
	}
	return v
}

func buildFloat(n *Node, text string) string {
	t := strings.ToLower(strings.ReplaceAll(text, "_", ""))
	sign := 1.0
	if strings.HasPrefix(t, "-") {
		sign = -1
	}
	t = unsigned(t)
	v, ok := 0.0, true
	switch {
	case t == "":
		return "it has no digits"
	case t == ".inf":
		v = math.Inf(1)
	case t == ".nan":
		v, sign = math.NaN(), 1
	case strings.Contains(t, ":"):
		for part := range strings.SplitSeq(t, ":") {
			digit, isNumber := parseFloat(part)
			v, ok = v*60+digit, ok && isNumber
		}
	default:
		v, ok = parseFloat(t)
	}
	if !ok {
		return "it is not a float of YAML 1.1"
	}
	n.Kind, n.Text, n.Scalar = Float, text, sign*v
	return ""
}

// parseFloat reads a number as Python's float(text) does; out of range is infinite.
func parseFloat(s string) (float64, bool) {
	s = strings.TrimFunc(s, isPythonSpace)
	if strings.ContainsAny(s, "xXpP_") { // Go's own notations
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(v, 0) {
		return 0, false
	}
	return v, true
}

// isPythonSpace is str.isspace for one character.
func isPythonSpace(r rune) bool {
	switch {
	case r >= '\t' && r <= '\r', r >= 0x1c && r <= ' ', r == 0x85, r == 0xa0, r == 0x1680,
		r >= 0x2000 && r <= 0x200a, r == 0x2028, r == 0x2029, r == 0x202f, r == 0x205f, r == 0x3000:
		return true
	}
	return false
}

// buildBinary decodes as Python's base64.decodebytes: what is not of the alphabet is skipped, and so is all that
// follows the padding.
func buildBinary(n *Node, text string) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	var out []byte
	var bits, inQuad, pads int
	for i := range len(text) {
		c := text[i]
		if c >= utf8.RuneSelf {
			return "base64 text is ASCII only"
		}
		if c == '=' {
			if pads++; inQuad >= 2 && inQuad+pads >= 4 {
				inQuad = 0
				break
			}
			if inQuad < 2 {
				pads = 0
			}
			continue
		}
		value := strings.IndexByte(alphabet, c)
		if value < 0 {
			continue
		}
		bits, pads = bits<<6|value, 0
		if inQuad > 0 {
			out = append(out, byte(bits>>(6-2*inQuad)))
		}
		inQuad = (inQuad + 1) % 4
	}
	if inQuad != 0 {
		return "its base64 text is not complete"
	}
	n.Kind, n.Text = Bytes, string(out)
	return ""
}
