package value

import (
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
