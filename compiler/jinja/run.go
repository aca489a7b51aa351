package jinja

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
)

// output gathers text up to a limit.
type output struct {
	b     strings.Builder
	limit int
}

func (o *output) write(s string) error {
	if o.b.Len()+len(s) > o.limit {
		return fail("OverflowError", "the result is larger than %d bytes", o.limit)
	}
	o.b.WriteString(s)
	return nil
}

// run renders statements. Names set at the top of f stay in f.
func (e *evaluator) run(body []stmt, f *frame, out *output) error {
	for _, s := range body {
		if err := e.step(1); err != nil {
			return err
		}
		if err := e.statement(s, f, out); err != nil {
			return err
		}
	}
	return nil
}

func (e *evaluator) statement(s stmt, f *frame, out *output) error {
	switch s := s.(type) {
	case *dataStmt:
		return out.write(s.text)
	case *outStmt:
		v, err := e.eval(s.of, f)
		if err != nil {
			return err
		}
		text, err := e.str(v)
		if err != nil {
			return err
		}
		return out.write(text)
	case *setStmt:
		v, err := e.eval(s.to, f)
		if err != nil {
			return err
		}
		return e.assign(s.target, v, f)
	case *setBlock:
		text, err := e.capture(s.body, &frame{parent: f})
		if err != nil {
			return err
		}
		var v any = text
		if s.filter != nil {
			if v, err = e.filterOf(s.filter, v, f); err != nil {
				return err
			}
		}
		return e.assign(s.target, v, f)
	case *ifStmt:
		return e.ifElse(s, f, out)
	case *forStmt:
		return e.loopOver(s, f, out)
	case *withStmt:
		return e.with(s, f, out)
	case *scopeStmt:
		return e.run(s.body, &frame{parent: f}, out)
	case *macroStmt:
		f.set(s.name, e.macro(s, f))
		return nil
	case *callStmt:
		return e.callBlock(s, f, out)
	case *filterStmt:
		text, err := e.capture(s.body, &frame{parent: f})
		if err != nil {
			return err
		}
		v, err := e.filterOf(s.filter, text, f)
		if err != nil {
			return err
		}
		if text, err = e.str(v); err != nil {
			return err
		}
		return out.write(text)
	}
	return fail("TypeError", "no loader for this environment specified")
}

func (e *evaluator) capture(body []stmt, f *frame) (string, error) {
	out := output{limit: e.limits.Output}
	err := e.run(body, f, &out)
	if err == nil {
		err = e.text(out.b.Len())
	}
	return out.b.String(), err
}

// assign sets a name, a tuple of names, or an attribute of a namespace.
func (e *evaluator) assign(target expr, v any, f *frame) error {
	switch t := target.(type) {
	case *nameExpr:
		f.set(t.name, v)
		return nil
	case *nsRef:
		ns, ok := e.name(t.name, f).(*namespace)
		if !ok {
			return fail("TemplateRuntimeError", "cannot assign attribute on non-namespace object")
		}
		ns.vars.SetStr(t.attr, v)
		return nil
	case *tupleExpr:
		items, err := e.iterate(v)
		if err != nil {
			return err
		}
		if len(items) > len(t.items) {
			return fail("ValueError", "too many values to unpack (expected %d)", len(t.items))
		}
		if len(items) < len(t.items) {
			return fail("ValueError", "not enough values to unpack (expected %d, got %d)", len(t.items), len(items))
		}
		for i, item := range t.items {
			if err := e.assign(item, items[i], f); err != nil {
				return err
			}
		}
		return nil
	}
	return fail("TypeError", "cannot assign")
}

func (e *evaluator) ifElse(s *ifStmt, f *frame, out *output) error {
	for i, test := range s.tests {
		v, err := e.eval(test, f)
		if err != nil {
			return err
		}
		yes, err := e.truth(v)
		if err != nil {
			return err
		}
		if yes {
			return e.run(s.bodies[i], f, out)
		}
	}
	return e.run(s.otherwise, f, out)
}

func (e *evaluator) with(s *withStmt, f *frame, out *output) error {
	inner := &frame{parent: f}
	vals := make([]any, len(s.vals))
	for i, x := range s.vals {
		v, err := e.eval(x, f)
		if err != nil {
			return err
		}
		vals[i] = v
	}
	for i, t := range s.targets {
		if err := e.assign(t, vals[i], inner); err != nil {
			return err
		}
	}
	return e.run(s.body, inner, out)
}

// loop is the variable of that name inside a for.
type loop struct {
	items     []any
	at, depth int
	call      Func // of a recursive loop: loop(items)
	before    any  // what changed() saw
	seen      bool
}

// TypeName is Jinja's.
func (*loop) TypeName() string { return "LoopContext" }

func (e *evaluator) loopAttr(l *loop, name string) any {
	n := len(l.items)
	near := func(at int, what string) any {
		if at < 0 || at >= n {
			return &undefined{message: "there is no " + what + " item"}
		}
		return l.items[at]
	}
	switch name {
	case "index":
		return int64(l.at + 1)
	case "index0":
		return int64(l.at)
	case "revindex":
		return int64(n - l.at)
	case "revindex0":
		return int64(n - l.at - 1)
	case "first":
		return l.at == 0
	case "last":
		return l.at == n-1
	case "length":
		return int64(n)
	case "depth":
		return int64(l.depth + 1)
	case "depth0":
		return int64(l.depth)
	case "previtem":
		return near(l.at-1, "previous")
	case "nextitem":
		return near(l.at+1, "next")
	case "cycle":
		return &function{"cycle", func(args []any, _ *value.Map) (any, error) {
			if len(args) == 0 {
				return nil, fail("TypeError", "no items for cycling given")
			}
			return args[l.at%len(args)], nil
		}}
	case "changed":
		return &function{"changed", func(args []any, _ *value.Map) (any, error) {
			now := value.Tuple(args)
			same, err := e.meter.Equal(l.before, now)
			changed := !l.seen || !same
			l.before, l.seen = now, true
			return changed, err
		}}
	}
	return e.undefinedOf(l, name)
}

func (e *evaluator) loopOver(s *forStmt, f *frame, out *output) error {
	v, err := e.eval(s.iter, f)
	if err != nil {
		return err
	}
	return e.loopItems(s, v, f, out, 0)
}

func (e *evaluator) loopItems(s *forStmt, v any, f *frame, out *output, depth int) error {
	if depth > maxCalls {
		return fail("RecursionError", "maximum recursion depth exceeded")
	}
	items, err := e.iterate(v)
	if err != nil {
		return err
	}
	if s.test != nil {
		var kept []any
		for _, item := range items {
			inner := &frame{parent: f}
			if err := e.assign(s.target, item, inner); err != nil {
				return err
			}
			t, err := e.eval(s.test, inner)
			if err != nil {
				return err
			}
			if yes, err := e.truth(t); err != nil {
				return err
			} else if yes {
				kept = append(kept, item)
			}
		}
		items = kept
	}
	l := &loop{items: items, depth: depth}
	if s.recursive {
		l.call = func(args []any, _ *value.Map) (any, error) {
			if len(args) != 1 {
				return nil, fail("TypeError", "loop() takes one iterable")
			}
			sub := output{limit: e.limits.Output}
			err := e.loopItems(s, args[0], f, &sub, depth+1)
			return sub.b.String(), err
		}
	}
	for i, item := range items {
		l.at = i
		inner := &frame{parent: f}
		inner.set("loop", l)
		if err := e.assign(s.target, item, inner); err != nil {
			return err
		}
		if err := e.run(s.body, inner, out); err != nil {
			return err
		}
	}
	if len(items) == 0 {
		return e.run(s.otherwise, &frame{parent: f}, out)
	}
	return nil
}

// macro makes a callable of a macro.
func (e *evaluator) macro(m *macroStmt, f *frame) *function {
	return &function{m.name, func(args []any, kw *value.Map) (any, error) {
		if e.calls++; e.calls > maxCalls {
			return nil, fail("RecursionError", "maximum recursion depth exceeded")
		}
		defer func() { e.calls-- }()
		if len(args) > len(m.params) {
			return nil, fail("TypeError", "macro %s takes not more than %d argument(s)", value.Repr(m.name), len(m.params))
		}
		inner := &frame{parent: f}
		for i, name := range m.params {
			given, named := kw.GetStr(name)
			switch {
			case i < len(args):
				inner.set(name, args[i])
			case named:
				inner.set(name, given)
			case i >= len(m.params)-len(m.defaults):
				v, err := e.eval(m.defaults[i-(len(m.params)-len(m.defaults))], inner)
				if err != nil {
					return nil, err
				}
				inner.set(name, v)
			default:
				inner.set(name, &undefined{message: "parameter " + value.Repr(name) + " was not provided"})
			}
		}
		for k, v := range kw.All() {
			if k == "caller" {
				inner.set("caller", v)
			} else if name, _ := k.(string); !hasParam(m.params, name) {
				return nil, fail("TypeError", "macro %s takes no keyword argument %s", value.Repr(m.name), value.Repr(name))
			}
		}
		return e.capture(m.body, inner)
	}}
}

func hasParam(params []string, name string) bool {
	for _, p := range params {
		if p == name {
			return true
		}
	}
	return false
}

func (e *evaluator) callBlock(s *callStmt, f *frame, out *output) error {
	fn, err := e.eval(s.call.fn, f)
	if err != nil {
		return err
	}
	args, kw, err := e.args(&s.call.args, f)
	if err != nil {
		return err
	}
	kw.SetStr("caller", e.macro(s.as, f))
	v, err := e.apply(fn, args, kw)
	if err != nil {
		return err
	}
	text, err := e.str(v)
	if err != nil {
		return err
	}
	return out.write(text)
}
