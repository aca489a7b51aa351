package jinja

import (
	"fmt"
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
)

// maxCalls is how deep macros may call each other.
const maxCalls = 200

// function is anything that can be called.
type function struct {
	name string
	call Func
}

// TypeName is Python's.
func (*function) TypeName() string { return "function" }

// sequence is a list made by a generator or range: it looks like one where its type shows.
type sequence struct {
	items []any
	kind  string
	repr  string
	err   error // of a generator that fails
}

func (s *sequence) TypeName() string { return s.kind }

// Repr shows a range as Python does; a generator as its type.
func (s *sequence) Repr() string {
	if s.repr != "" {
		return s.repr
	}
	return "<" + s.kind + " object>"
}

type namespace struct{ vars *value.Map }

func (*namespace) TypeName() string { return "Namespace" }

func (e *evaluator) call(x *callExpr, f *frame) (any, error) {
	fn, err := e.eval(x.fn, f)
	if err != nil {
		return nil, err
	}
	args, kw, err := e.args(&x.args, f)
	if err != nil {
		return nil, err
	}
	return e.apply(fn, args, kw)
}

func (e *evaluator) apply(fn any, args []any, kw *value.Map) (any, error) {
	switch fn := fn.(type) {
	case *undefined:
		return nil, fn.err()
	case *function:
		return fn.call(args, kw)
	case *loop:
		if fn.call == nil {
			return nil, fail("TypeError", "The loop must have the 'recursive' marker to be called recursively.")
		}
		return fn.call(args, kw)
	}
	return nil, fail("TypeError", "'%s' object is not callable", value.TypeName(fn))
}

func (e *evaluator) args(a *callArgs, f *frame) ([]any, *value.Map, error) {
	args, err := e.list(a.args, f)
	if err != nil {
		return nil, nil, err
	}
	if a.all != nil {
		v, err := e.eval(a.all, f)
		if err != nil {
			return nil, nil, err
		}
		more, err := e.iterate(v)
		if err != nil {
			return nil, nil, err
		}
		args = append(args, more...)
	}
	kw := value.NewMap(len(a.names))
	for i, name := range a.names {
		v, err := e.eval(a.named[i], f)
		if err != nil {
			return nil, nil, err
		}
		kw.SetStr(name, v)
	}
	if a.kws != nil {
		v, err := e.eval(a.kws, f)
		if err != nil {
			return nil, nil, err
		}
		m, ok := v.(*value.Map)
		if !ok {
			return nil, nil, fail("TypeError", "argument after ** must be a mapping, not %s", value.TypeName(v))
		}
		for k, v := range m.All() {
			name, ok := k.(string)
			if !ok {
				return nil, nil, fail("TypeError", "keywords must be strings")
			}
			kw.SetStr(name, v)
		}
	}
	return args, kw, nil
}

// Bind spreads arguments over named parameters, of which the first need are required; missing ones are nil.
func Bind(name string, args []any, kw *value.Map, need int, params ...string) ([]any, error) {
	if len(args) > len(params) {
		return nil, fail("TypeError", "%s() takes %d positional arguments but %d were given", name, len(params), len(args))
	}
	out := make([]any, len(params))
	copy(out, args)
	given := make([]bool, len(params))
	for i := range args {
		given[i] = true
	}
	if kw != nil {
		for k, v := range kw.All() {
			at := -1
			for i, p := range params {
				if p == k {
					at = i
				}
			}
			if at < 0 {
				return nil, fail("TypeError", "%s() got an unexpected keyword argument '%v'", name, k)
			}
			if given[at] {
				return nil, fail("TypeError", "%s() got multiple values for argument '%v'", name, k)
			}
			out[at], given[at] = v, true
		}
	}
	for i, v := range out[:need] {
		if !given[i] {
			return nil, fail("TypeError", "%s() missing 1 required positional argument: '%s'", name, params[i])
		}
		if u, ok := v.(*undefined); ok {
			return nil, u.err()
		}
	}
	return out, nil
}

// globals are the functions that Jinja puts into every context.
var globals = map[string]func(e *evaluator, args []any, kw *value.Map) (any, error){
	"range":     rangeFunc,
	"dict":      dictFunc,
	"namespace": namespaceFunc,
	"cycler":    cyclerFunc,
	"joiner":    joinerFunc,
}

func rangeFunc(e *evaluator, args []any, kw *value.Map) (any, error) {
	bounds := [3]int{0, 0, 1}
	if len(args) < 1 || len(args) > 3 || kw.Len() > 0 {
		return nil, fail("TypeError", "range expected 1 to 3 arguments, got %d", len(args))
	}
	for i, a := range args {
		n, ok := value.Int(a)
		if !ok {
			return nil, fail("TypeError", "'%s' object cannot be interpreted as an integer", value.TypeName(a))
		}
		if len(args) == 1 {
			i = 1
		}
		bounds[i] = n
	}
	start, stop, step := bounds[0], bounds[1], bounds[2]
	if step == 0 {
		return nil, fail("ValueError", "range() arg 3 must not be zero")
	}
	n := 0
	if step > 0 && stop > start {
		n = (stop - start + step - 1) / step
	} else if step < 0 && stop < start {
		n = (start - stop - step - 1) / -step
	}
	if n > maxRange {
		return nil, fail("OverflowError", "Range too big. The sandbox blocks ranges larger than MAX_RANGE (%d).", maxRange)
	}
	items := make([]any, n)
	for i := range items {
		items[i] = int64(start + i*step)
	}
	repr := fmt.Sprintf("range(%d, %d)", start, stop)
	if step != 1 {
		repr = fmt.Sprintf("range(%d, %d, %d)", start, stop, step)
	}
	return &sequence{items: items, kind: "range", repr: repr}, e.step(n)
}

func dictFunc(e *evaluator, args []any, kw *value.Map) (any, error) {
	m := value.NewMap(kw.Len())
	if len(args) > 1 {
		return nil, fail("TypeError", "dict expected at most 1 argument, got %d", len(args))
	}
	if len(args) == 1 {
		if from, ok := args[0].(*value.Map); ok {
			m = from.Clone()
		} else {
			items, err := e.iterate(args[0])
			if err != nil {
				return nil, err
			}
			for i, item := range items {
				pair, err := e.iterate(item)
				if err != nil || len(pair) != 2 {
					return nil, fail("TypeError", "cannot convert dictionary update sequence element #%d to a sequence", i)
				}
				if err := m.Set(pair[0], pair[1]); err != nil {
					return nil, err
				}
			}
		}
	}
	for k, v := range kw.All() {
		_ = m.Set(k, v) // a key of a map is hashable
	}
	return m, nil
}

func namespaceFunc(e *evaluator, args []any, kw *value.Map) (any, error) {
	m, err := dictFunc(e, args, kw)
	if err != nil {
		return nil, err
	}
	return &namespace{m.(*value.Map)}, nil
}

func cyclerFunc(_ *evaluator, args []any, _ *value.Map) (any, error) {
	if len(args) == 0 {
		return nil, fail("TypeError", "at least one item has to be provided")
	}
	at := 0
	c := value.NewMap(2)
	c.SetStr("next", &function{"next", func([]any, *value.Map) (any, error) {
		v := args[at]
		at = (at + 1) % len(args)
		return v, nil
	}})
	c.SetStr("reset", &function{"reset", func([]any, *value.Map) (any, error) { at = 0; return nil, nil }})
	return &namespace{c}, nil
}

func joinerFunc(_ *evaluator, args []any, kw *value.Map) (any, error) {
	a, err := Bind("joiner", args, kw, 0, "sep")
	if err != nil {
		return nil, err
	}
	sep, ok := a[0].(string)
	if !ok {
		sep = ", "
	}
	used := false
	return &function{"joiner", func([]any, *value.Map) (any, error) {
		if !used {
			used = true
			return "", nil
		}
		return sep, nil
	}}, nil
}

// percent is Python's text % values.
func (e *evaluator) percent(format string, v any) (any, error) {
	args := []any{v}
	if t, ok := v.(value.Tuple); ok {
		args = t
	}
	named, _ := v.(*value.Map)
	var b strings.Builder
	used := 0
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			b.WriteByte(format[i])
			continue
		}
		spec, n, err := percentSpec(format[i:])
		if err != nil {
			return nil, err
		}
		i += n - 1
		if spec.verb == '%' {
			b.WriteByte('%')
			continue
		}
		var arg any
		switch {
		case spec.name != nil:
			if named == nil {
				return nil, fail("TypeError", "format requires a mapping")
			}
			arg, err = value.Index(named, *spec.name)
			if err != nil {
				return nil, err
			}
		case used < len(args):
			arg = args[used]
			used++
		default:
			return nil, fail("TypeError", "not enough arguments for format string")
		}
		s, err := e.percentOne(spec, arg)
		if err != nil {
			return nil, err
		}
		b.WriteString(s)
		if err := e.size(b.Len()); err != nil {
			return nil, err
		}
	}
	if named == nil && used < len(args) {
		return nil, fail("TypeError", "not all arguments converted during string formatting")
	}
	return b.String(), nil
}

type formatSpec struct {
	name  *string
	flags string // as format() spells them
	verb  byte
}

// percentSpec reads one conversion; n is its length.
func percentSpec(s string) (spec formatSpec, n int, err error) {
	i := 1
	if i < len(s) && s[i] == '(' {
		end := strings.IndexByte(s, ')')
		if end < 0 {
			return spec, 0, fail("ValueError", "incomplete format key")
		}
		name := s[2:end]
		spec.name = &name
		i = end + 1
	}
	start := i
	for i < len(s) && strings.IndexByte("-+ #0123456789.", s[i]) >= 0 {
		i++
	}
	if i >= len(s) {
		return spec, 0, fail("ValueError", "incomplete format")
	}
	spec.flags, spec.verb = s[start:i], s[i]
	return spec, i + 1, nil
}

func (e *evaluator) percentOne(spec formatSpec, v any) (string, error) {
	if u, ok := v.(*undefined); ok {
		return "", u.err()
	}
	left := strings.Contains(spec.flags, "-")
	flags := strings.ReplaceAll(spec.flags, "-", "")
	align := func(numeric bool) string {
		switch {
		case left:
			return "<" + strings.TrimLeft(flags, "0")
		case numeric:
			return flags
		}
		return ">" + strings.TrimLeft(flags, "0+ #")
	}
	switch spec.verb {
	case 's', 'r', 'a':
		s, err := e.str(v)
		if spec.verb == 'r' {
			s, err = e.meter.Repr(v)
		} else if spec.verb == 'a' {
			s = value.ASCII(v)
		}
		if err != nil || spec.flags == "" {
			return s, err
		}
		return e.meter.FormatValue(s, align(false)+"s")
	case 'd', 'i', 'u':
		if f, ok := v.(float64); ok {
			n, err := value.ToInt(f)
			if err != nil {
				return "", err
			}
			v = n
		}
		if !value.IsInt(v) {
			return "", fail("TypeError", "%%%c format: a real number is required, not %s", spec.verb, value.TypeName(v))
		}
		return e.meter.FormatValue(v, align(true)+"d")
	case 'x', 'X', 'o':
		if !value.IsInt(v) {
			return "", fail("TypeError", "%%%c format: an integer is required, not %s", spec.verb, value.TypeName(v))
		}
		return e.meter.FormatValue(v, align(true)+string(spec.verb))
	case 'e', 'E', 'f', 'F', 'g', 'G':
		if !isNumber(v) {
			return "", fail("TypeError", "must be real number, not %s", value.TypeName(v))
		}
		return e.meter.FormatValue(v, align(true)+string(spec.verb))
	}
	return "", fail("ValueError", "unsupported format character '%c' (0x%x)", spec.verb, spec.verb)
}
