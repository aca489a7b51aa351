package value

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// FormatValue is Python's format(v, spec).
func (m *Meter) FormatValue(v any, spec string) (string, error) {
	if t, ok := v.(Time); ok && spec != "" {
		return t.Format(spec)
	}
	if spec == "" {
		return m.Str(v)
	}
	switch v.(type) {
	case bool, int64, *big.Int, float64, string:
	default:
		name := TypeName(v)
		if i := strings.LastIndexByte(name, '.'); i >= 0 && name != "datetime.timedelta" {
			name = name[i+1:]
		}
		return "", Errorf("TypeError", "unsupported format string passed to %s.__format__", name)
	}
	sp, err := parseSpec(spec, v)
	if err != nil {
		return "", err
	}
	switch v := v.(type) {
	case string:
		return sp.text(v)
	case float64:
		return sp.float(v)
	}
	if _, isBool := v.(bool); isBool && sp.kind == 0 {
		sp.kind = 'd'
	}
	if strings.IndexByte("eEfFgG%", sp.kind) >= 0 && sp.kind != 0 {
		f, err := ToFloat(v)
		if err != nil {
			return "", err
		}
		return sp.float(f)
	}
	return sp.int(toBig(v), TypeName(v))
}

// formatSpec is [[fill]align][sign][z][#][0][width][grouping][.precision][type].
type formatSpec struct {
	fill      string
	align     byte
	sign      byte
	alt, zero bool
	noNegZero bool
	width     int
	group     byte
	prec      int // -1 none
	kind      byte
}

func parseSpec(s string, v any) (formatSpec, error) {
	sp := formatSpec{fill: " ", prec: -1}
	bad := func() (formatSpec, error) {
		return sp, Errorf("ValueError", "Invalid format specifier '%s' for object of type '%s'", s, TypeName(v))
	}
	rest := s
	if r, w := utf8.DecodeRuneInString(rest); w > 0 && w < len(rest) && strings.IndexByte("<>=^", rest[w]) >= 0 {
		sp.fill, sp.align, rest = string(r), rest[w], rest[w+1:]
	} else if strings.IndexByte("<>=^", rest[0]) >= 0 {
		sp.align, rest = rest[0], rest[1:]
	}
	take := func(set string) byte {
		if rest != "" && strings.IndexByte(set, rest[0]) >= 0 {
			c := rest[0]
			rest = rest[1:]
			return c
		}
		return 0
	}
	number := func() (int, error) {
		i := 0
		for i < len(rest) && rest[i] >= '0' && rest[i] <= '9' {
			i++
		}
		n, err := strconv.Atoi("0" + rest[:i])
		rest = rest[i:]
		if err != nil || n > maxFormatWidth {
			return 0, Errorf("ValueError", "Too many decimal digits in format string")
		}
		return n, nil
	}
	sp.sign = take("+- ")
	sp.noNegZero = take("z") != 0
	sp.alt = take("#") != 0
	if sp.zero = take("0") != 0; sp.zero && sp.align == 0 {
		sp.fill, sp.align = "0", '='
		if _, isText := v.(string); isText {
			sp.align = 0
			sp.fill = "0"
		}
	} else if sp.zero && sp.fill == " " {
		sp.fill = "0"
	}
	var err error
	if sp.width, err = number(); err != nil {
		return sp, err
	}
	sp.group = take(",_")
	if take(".") != 0 {
		if rest == "" || rest[0] < '0' || rest[0] > '9' {
			return sp, Errorf("ValueError", "Format specifier missing precision")
		}
		if sp.prec, err = number(); err != nil {
			return sp, err
		}
	}
	if len(rest) > 1 {
		return bad()
	}
	if rest != "" {
		sp.kind = rest[0]
	}
	return sp, nil
}

func (sp formatSpec) unknown(typ string) error {
	return Errorf("ValueError", "Unknown format code '%c' for object of type '%s'", sp.kind, typ)
}

// pad fills out to the width; prefix (sign, 0x) stays in front of '=' padding.
func (sp formatSpec) pad(prefix, body string, align byte) string {
	if sp.align != 0 {
		align = sp.align
	}
	n := sp.width - RuneLen(prefix) - RuneLen(body)
	if n <= 0 {
		return prefix + body
	}
	switch align {
	case '<':
		return prefix + body + strings.Repeat(sp.fill, n)
	case '^':
		return strings.Repeat(sp.fill, n/2) + prefix + body + strings.Repeat(sp.fill, n-n/2)
	case '=':
		return prefix + strings.Repeat(sp.fill, n) + body
	}
	return strings.Repeat(sp.fill, n) + prefix + body
}

func (sp formatSpec) text(s string) (string, error) {
	switch {
	case sp.kind != 0 && sp.kind != 's':
		return "", sp.unknown("str")
	case sp.sign == ' ':
		return "", Errorf("ValueError", "Space not allowed in string format specifier")
	case sp.sign != 0:
		return "", Errorf("ValueError", "Sign not allowed in string format specifier")
	case sp.alt:
		return "", Errorf("ValueError", "Alternate form (#) not allowed in string format specifier")
	case sp.align == '=':
		return "", Errorf("ValueError", "'=' alignment not allowed in string format specifier")
	case sp.group != 0:
		return "", Errorf("ValueError", "Cannot specify '%c' with 's'.", sp.group)
	}
	if sp.prec >= 0 {
		s = Slice(s, 0, sp.prec)
	}
	return sp.pad("", s, '<'), nil
}

func (sp formatSpec) signOf(neg bool) string {
	switch {
	case neg:
		return "-"
	case sp.sign == '+' || sp.sign == ' ':
		return string(sp.sign)
	}
	return ""
}

// grouped puts separators between digit groups of n; with zero padding the zeros are grouped too.
func (sp formatSpec) grouped(digits string, n, used int) string {
	if sp.group == 0 {
		return digits
	}
	join := func(d string) string {
		var parts []string
		for len(d) > n {
			parts = append(parts, d[len(d)-n:])
			d = d[:len(d)-n]
		}
		return strings.Join(reversed(append(parts, d)), string(sp.group))
	}
	out := join(digits)
	if sp.fill == "0" && sp.align == '=' {
		for len(out)+used < sp.width {
			digits = "0" + digits
			out = join(digits)
		}
	}
	return out
}

func (sp formatSpec) int(n *big.Int, typ string) (string, error) {
	if sp.kind != 0 && strings.IndexByte("dnboxXc", sp.kind) < 0 {
		return "", sp.unknown(typ)
	}
	if sp.prec >= 0 {
		return "", Errorf("ValueError", "Precision not allowed in integer format specifier")
	}
	base, prefix, size := 10, "", 3
	switch sp.kind {
	case 0, 'd', 'n':
	case 'b':
		base, prefix, size = 2, "0b", 4
	case 'o':
		base, prefix, size = 8, "0o", 4
	case 'x', 'X':
		base, prefix, size = 16, "0"+string(sp.kind), 4
	case 'c':
		return sp.char(n)
	}
	if base != 10 && sp.group == ',' {
		return "", Errorf("ValueError", "Cannot specify ',' with '%c'.", sp.kind)
	}
	if base == 10 && n.BitLen() > maxIntDigits*10/3 {
		if _, err := FormatInt(n); err != nil {
			return "", err
		}
	}
	digits := new(big.Int).Abs(n).Text(base)
	if sp.kind == 'X' {
		digits = strings.ToUpper(digits)
	}
	head := sp.signOf(n.Sign() < 0)
	if sp.alt {
		head += prefix
	}
	return sp.pad(head, sp.grouped(digits, size, len(head)), '>'), nil
}

func (sp formatSpec) char(n *big.Int) (string, error) {
	if !n.IsInt64() {
		return "", Errorf("OverflowError", "Python int too large to convert to C long")
	}
	if n.Int64() < 0 || n.Int64() > utf8.MaxRune {
		return "", Errorf("OverflowError", "%%c arg not in range(0x110000)")
	}
	return sp.pad("", string(rune(n.Int64())), '<'), nil
}

func (sp formatSpec) float(f float64) (string, error) {
	prec := sp.prec
	if prec < 0 && sp.kind != 0 {
		prec = 6
	}
	body := ""
	a := math.Abs(f)
	special := math.IsNaN(f) || math.IsInf(f, 0)
	switch {
	case strings.IndexByte("eEfFgGn%", sp.kind) < 0 && sp.kind != 0:
		return "", sp.unknown("float")
	case special:
		body = strings.TrimPrefix(FormatFloat(a), "-")
	case sp.kind == 0 && prec < 0:
		body = FormatFloat(a)
	case sp.kind == 0:
		body = generalFloat(a, prec, sp.alt, true)
	case sp.kind == 'g' || sp.kind == 'G' || sp.kind == 'n':
		body = generalFloat(a, prec, sp.alt, false)
	case sp.kind == 'e' || sp.kind == 'E':
		body = strconv.FormatFloat(a, 'e', prec, 64)
	case sp.kind == '%':
		body = strconv.FormatFloat(a*100, 'f', prec, 64)
	default:
		body = strconv.FormatFloat(a, 'f', prec, 64)
	}
	if sp.alt && prec == 0 && !special && !strings.Contains(body, ".") {
		body += "."
	}
	if sp.kind == 'E' || sp.kind == 'F' || sp.kind == 'G' {
		body = strings.ToUpper(body)
	}
	neg := math.Signbit(f) && !math.IsNaN(f)
	if sp.noNegZero && strings.Trim(body, "0.") == "" {
		neg = false
	}
	head := sp.signOf(neg)
	digits, tail := body, ""
	if i := strings.IndexAny(body, ".eE"); i >= 0 && !special {
		digits, tail = body[:i], body[i:]
	}
	if sp.kind == '%' {
		tail += "%"
	}
	if !special {
		digits = sp.grouped(digits, 3, len(head)+len(tail))
	}
	return sp.pad(head, digits+tail, '>'), nil
}

// generalFloat is the format g; repr keeps ".0" on whole numbers, as format(x, ".3") does.
func generalFloat(a float64, prec int, alt, repr bool) string {
	prec = max(prec, 1)
	e := strconv.FormatFloat(a, 'e', prec-1, 64)
	exp, _ := strconv.Atoi(e[strings.IndexByte(e, 'e')+1:])
	limit := prec
	if repr {
		limit = prec - 1
		if prec == 1 {
			limit = 0
		}
	}
	if exp < -4 || exp >= max(limit, map[bool]int{true: 1}[repr && prec > 1]) {
		mant, tail, _ := strings.Cut(e, "e")
		if !alt && strings.Contains(mant, ".") {
			mant = strings.TrimRight(strings.TrimRight(mant, "0"), ".")
		}
		return mant + "e" + tail
	}
	out := strconv.FormatFloat(a, 'f', max(prec-1-exp, 0), 64)
	if !alt && strings.Contains(out, ".") {
		out = strings.TrimRight(strings.TrimRight(out, "0"), ".")
	}
	if repr && !strings.Contains(out, ".") {
		out += ".0"
	}
	return out
}
