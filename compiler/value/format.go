package value

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxFormatWidth bounds width and precision in format specifications.
const maxFormatWidth = 1 << 16

// FormatArgs are the values a format text refers to.
type FormatArgs struct {
	Items []any
	Named func(name string) (any, bool)
	Meter *Meter
	Limit int // most bytes of output; 0 is no limit
}

// ErrTooLong says that a result would pass a limit on length.
var ErrTooLong = Errorf("MemoryError", "text too long")

// Format is Python's str.format: fields by position or name with .attribute and [key] steps, the conversions !r, !s
// and !a, and the format specifications of int, float, str, bool and datetime.
func Format(format string, args FormatArgs) (string, error) {
	f := formatter{args: args, auto: -1}
	if err := f.run(format, 2); err != nil {
		return "", err
	}
	return f.b.String(), nil
}

type formatter struct {
	b    strings.Builder
	args FormatArgs
	auto int // -1 nothing yet, -2 manual numbering, else the next automatic number
}

func (f *formatter) run(s string, depth int) error {
	if depth < 0 {
		return Errorf("ValueError", "Max string recursion exceeded")
	}
	for s != "" {
		i := strings.IndexAny(s, "{}")
		if i < 0 {
			f.b.WriteString(s)
			return nil
		}
		f.b.WriteString(s[:i])
		c := s[i]
		if i+1 < len(s) && s[i+1] == c {
			f.b.WriteByte(c)
			s = s[i+2:]
			continue
		}
		if c == '}' {
			return Errorf("ValueError", "Single '}' encountered in format string")
		}
		if i+1 == len(s) {
			return Errorf("ValueError", "Single '{' encountered in format string")
		}
		end, err := fieldEnd(s, i+1)
		if err != nil {
			return err
		}
		if err := f.field(s[i+1:end], depth); err != nil {
			return err
		}
		if f.args.Limit > 0 && f.b.Len() > f.args.Limit {
			return ErrTooLong
		}
		s = s[end+1:]
	}
	return nil
}

// fieldEnd finds the brace that closes the field which starts at i; inside [ ] braces do not count.
func fieldEnd(s string, i int) (int, error) {
	depth, bracket := 1, false
	for ; i < len(s); i++ {
		switch {
		case s[i] == '[' && depth == 1:
			bracket = true
		case s[i] == ']':
			bracket = false
		case bracket:
		case s[i] == '{':
			depth++
		case s[i] == '}':
			if depth--; depth == 0 {
				return i, nil
			}
		}
	}
	return 0, Errorf("ValueError", "expected '}' before end of string")
}

func (f *formatter) field(field string, depth int) error {
	name, conv, spec, err := splitField(field)
	if err != nil {
		return err
	}
	v, err := f.resolve(name)
	if err != nil {
		return err
	}
	if conv != 0 {
		switch conv {
		case 'r':
			v, err = f.args.Meter.Repr(v)
		case 's':
			v, err = f.args.Meter.Str(v)
		case 'a':
			v = ASCII(v)
		default:
			return Errorf("ValueError", "Unknown conversion specifier %c", conv)
		}
		if err != nil {
			return err
		}
	}
	if strings.ContainsAny(spec, "{}") {
		inner := formatter{args: f.args, auto: f.auto}
		if err := inner.run(spec, depth-1); err != nil {
			return err
		}
		f.auto = inner.auto
		spec = inner.b.String()
	}
	out, err := f.args.Meter.FormatValue(v, spec)
	f.b.WriteString(out)
	return err
}

func splitField(s string) (name string, conv rune, spec string, err error) {
	i, bracket := 0, false
	for ; i < len(s); i++ {
		if s[i] == '[' {
			bracket = true
		} else if s[i] == ']' {
			bracket = false
		} else if !bracket && (s[i] == '!' || s[i] == ':') {
			break
		} else if !bracket && s[i] == '{' {
			return "", 0, "", Errorf("ValueError", "unexpected '{' in field name")
		}
	}
	name, rest := s[:i], s[i:]
	if strings.HasPrefix(rest, "!") {
		r, w := utf8.DecodeRuneInString(rest[1:])
		if w == 0 {
			return "", 0, "", Errorf("ValueError", "unmatched '{' in format spec")
		}
		conv, rest = r, rest[1+w:]
		if rest != "" && rest[0] != ':' {
			return "", 0, "", Errorf("ValueError", "expected ':' after conversion specifier")
		}
	}
	return name, conv, strings.TrimPrefix(rest, ":"), nil
}

func (f *formatter) resolve(name string) (any, error) {
	end := strings.IndexAny(name, ".[")
	if end < 0 {
		end = len(name)
	}
	v, err := f.first(name[:end])
	if err != nil {
		return nil, err
	}
	rest := name[end:]
	for rest != "" {
		if rest[0] == '.' {
			n := strings.IndexAny(rest[1:], ".[")
			if n < 0 {
				n = len(rest) - 1
			}
			if n == 0 {
				return nil, Errorf("ValueError", "Empty attribute in format string")
			}
			if v, err = attribute(v, rest[1:1+n]); err != nil {
				return nil, err
			}
			rest = rest[1+n:]
			continue
		}
		if rest[0] != '[' {
			return nil, Errorf("ValueError", "Only '.' or '[' may follow ']' in format field specifier")
		}
		n := strings.IndexByte(rest, ']')
		switch {
		case n < 0:
			return nil, Errorf("ValueError", "Missing ']' in format string")
		case n == 1:
			return nil, Errorf("ValueError", "Empty attribute in format string")
		}
		if v, err = subscript(v, rest[1:n]); err != nil {
			return nil, err
		}
		rest = rest[n+1:]
	}
	return v, nil
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func (f *formatter) first(name string) (any, error) {
	var i int
	switch {
	case name == "":
		if f.auto == -2 {
			return nil, Errorf("ValueError", "cannot switch from manual field specification to automatic field numbering")
		}
		i = max(f.auto, 0)
		f.auto = i + 1
	case isDigits(name):
		if f.auto >= 0 {
			return nil, Errorf("ValueError", "cannot switch from automatic field numbering to manual field specification")
		}
		f.auto = -2
		n, err := strconv.Atoi(name)
		if err != nil {
			return nil, Errorf("ValueError", "Too many decimal digits in format string")
		}
		i = n
	default:
		if f.args.Named != nil {
			if v, ok := f.args.Named(name); ok {
				return v, nil
			}
		}
		return nil, &Error{Class: "KeyError", Msg: reprText(name)}
	}
	if i >= len(f.args.Items) {
		return nil, Errorf("IndexError", "Replacement index %d out of range for positional args tuple", i)
	}
	return f.args.Items[i], nil
}

// attribute gives the data attributes that Python's own types have; methods are not values here.
func attribute(v any, name string) (any, error) {
	switch v := v.(type) {
	case bool, int64, *big.Int, float64:
		switch name {
		case "real":
			return unBool(v), nil
		case "imag":
			if _, ok := v.(float64); ok {
				return 0.0, nil
			}
			return int64(0), nil
		case "numerator":
			if IsInt(v) {
				return unBool(v), nil
			}
		case "denominator":
			if IsInt(v) {
				return int64(1), nil
			}
		}
	case Time:
		y, mo, d, h, mi, s, us := v.Parts()
		parts := map[string]int{"year": y, "month": mo, "day": d, "hour": h, "minute": mi, "second": s, "microsecond": us, "fold": 0}
		if n, ok := parts[name]; ok {
			return int64(n), nil
		}
	case Span:
		parts := map[string]int64{"days": v.Days, "seconds": v.Seconds, "microseconds": v.Micros}
		if n, ok := parts[name]; ok {
			return n, nil
		}
	}
	return nil, Errorf("AttributeError", "'%s' object has no attribute '%s'", TypeName(v), name)
}

func subscript(v any, key string) (any, error) {
	var k any = key
	if isDigits(key) {
		n, err := strconv.Atoi(key)
		if err != nil {
			return nil, Errorf("ValueError", "Too many decimal digits in format string")
		}
		k = int64(n)
	}
	return Index(v, k)
}

// Index is v[key] for lists, tuples, text and dicts.
func Index(v, key any) (any, error) {
	switch x := v.(type) {
	case *Map:
		val, ok, err := x.Lookup(nil, key)
		if err == nil && !ok {
			err = &Error{Class: "KeyError", Msg: Repr(key)}
		}
		return val, err
	case []any, Tuple, string:
		n, _ := Len(v)
		i, ok := Int(key)
		if !ok {
			return nil, Errorf("TypeError", "%s indices must be integers or slices, not %s", TypeName(v), TypeName(key))
		}
		if i < 0 {
			i += n
		}
		if i < 0 || i >= n {
			what := TypeName(v)
			if what == "str" {
				what = "string"
			}
			return nil, Errorf("IndexError", "%s index out of range", what)
		}
		if s, ok := v.(string); ok {
			return Slice(s, i, i+1), nil
		}
		items, _ := Seq(v)
		return items[i], nil
	}
	return nil, Errorf("TypeError", "'%s' object is not subscriptable", TypeName(v))
}

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
