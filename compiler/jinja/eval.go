package jinja

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
)

const (
	defaultSteps  = 200_000
	defaultOutput = 4 << 20
	maxRange      = 100_000 // Jinja's sandbox
)

type evaluator struct {
	made   int // bytes of text
	ctx    *Context
	root   *frame
	limits Limits
	steps  int
	calls  int // macro depth
	meter  *value.Meter
}

// frame is one scope of names.
type frame struct {
	vars   map[string]any
	parent *frame
}

func (f *frame) get(name string) (any, bool) {
	for ; f != nil; f = f.parent {
		if v, ok := f.vars[name]; ok {
			return v, true
		}
	}
	return nil, false
}

func (f *frame) set(name string, v any) {
	if f.vars == nil {
		f.vars = map[string]any{}
	}
	f.vars[name] = v
}

func newEvaluator(ctx *Context) *evaluator {
	e := &evaluator{ctx: ctx, limits: ctx.Limits, root: &frame{}}
	if e.limits.Steps == 0 {
		e.limits.Steps = defaultSteps
	}
	if e.limits.Output == 0 {
		e.limits.Output = defaultOutput
	}
	e.meter = &value.Meter{Left: int64(e.limits.Steps)}
	return e
}

func (e *evaluator) step(n int) error {
	e.steps += n
	if e.steps > e.limits.Steps {
		return fail("OverflowError", "the expression takes too many steps")
	}
	return nil
}

// size refuses a text or list that would be too large.
func (e *evaluator) size(n int) error {
	if n > e.limits.Output {
		return fail("OverflowError", "the result is larger than %d bytes", e.limits.Output)
	}
	return nil
}

func (e *evaluator) str(v any) (string, error) {
	if u, ok := v.(*undefined); ok {
		if u.lenient {
			return "", nil
		}
		return "", u.err()
	}
	s, err := e.meter.Str(v)
	if err == nil {
		err = e.size(len(s))
	}
	return s, err
}

func (e *evaluator) truth(v any) (bool, error) {
	if u, ok := v.(*undefined); ok {
		if u.lenient {
			return false, nil
		}
		return false, u.err()
	}
	return value.Truth(v), nil
}

// text charges a text that was made; all of one evaluation together are bounded.
func (e *evaluator) text(n int) error {
	if e.made += n; e.made/2 > e.limits.Output {
		return fail("OverflowError", "the expression makes too much text")
	}
	return nil
}

// eval gives the value of an expression; undefined values are values until they are used.
func (e *evaluator) eval(x expr, f *frame) (any, error) {
	v, err := e.value(x, f)
	switch x.(type) {
	case *binaryExpr, *concatExpr, *filterExpr, *callExpr:
		if s, isText := v.(string); isText && err == nil {
			err = e.text(len(s))
		}
	}
	return v, err
}

func (e *evaluator) value(x expr, f *frame) (any, error) {
	if err := e.step(1); err != nil {
		return nil, err
	}
	switch x := x.(type) {
	case *constExpr:
		return x.val, nil
	case *nameExpr:
		return e.name(x.name, f), nil
	case *listExpr:
		return e.list(x.items, f)
	case *tupleExpr:
		items, err := e.list(x.items, f)
		return value.Tuple(items), err
	case *dictExpr:
		return e.dict(x, f)
	case *attrExpr:
		of, err := e.eval(x.of, f)
		if err != nil {
			return nil, err
		}
		return e.attr(of, x.name)
	case *itemExpr:
		return e.itemOf(x, f)
	case *callExpr:
		return e.call(x, f)
	case *filterExpr:
		return e.filter(x, f)
	case *testExpr:
		return e.test(x, f)
	case *notExpr:
		v, err := e.eval(x.of, f)
		if err != nil {
			return nil, err
		}
		t, err := e.truth(v)
		return !t, err
	case *logicExpr:
		return e.logic(x, f)
	case *binaryExpr:
		return e.binary(x, f)
	case *unaryExpr:
		return e.unary(x, f)
	case *concatExpr:
		return e.concat(x, f)
	case *compareExpr:
		return e.compare(x, f)
	case *condExpr:
		return e.cond(x, f)
	}
	return nil, fail("TypeError", "unexpected expression")
}

func (e *evaluator) name(name string, f *frame) any {
	if v, ok := f.get(name); ok {
		return v
	}
	if e.ctx.Vars != nil {
		if v, ok := e.ctx.Vars.GetStr(name); ok {
			return v
		}
	}
	if fn, ok := e.ctx.Funcs[name]; ok {
		return &function{name, fn}
	}
	if fn, ok := globals[name]; ok {
		return &function{name, func(args []any, kw *value.Map) (any, error) { return fn(e, args, kw) }}
	}
	return undefinedName(name)
}

func (e *evaluator) list(items []expr, f *frame) ([]any, error) {
	out := make([]any, len(items))
	for i, item := range items {
		v, err := e.eval(item, f)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

func (e *evaluator) dict(x *dictExpr, f *frame) (any, error) {
	m := value.NewMap(len(x.keys))
	for i := range x.keys {
		k, err := e.eval(x.keys[i], f)
		if err != nil {
			return nil, err
		}
		v, err := e.eval(x.vals[i], f)
		if err != nil {
			return nil, err
		}
		if err := m.Set(k, v); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (e *evaluator) logic(x *logicExpr, f *frame) (any, error) {
	left, err := e.eval(x.left, f)
	if err != nil {
		return nil, err
	}
	t, err := e.truth(left)
	if err != nil || t != x.and {
		return left, err
	}
	return e.eval(x.right, f)
}

func (e *evaluator) cond(x *condExpr, f *frame) (any, error) {
	v, err := e.eval(x.test, f)
	if err != nil {
		return nil, err
	}
	t, err := e.truth(v)
	switch {
	case err != nil:
		return nil, err
	case t:
		return e.eval(x.then, f)
	case x.otherwise == nil:
		return &undefined{message: "the inline if-expression evaluated to false and no else section was defined.", lenient: true}, nil
	}
	return e.eval(x.otherwise, f)
}

func (e *evaluator) concat(x *concatExpr, f *frame) (any, error) {
	texts := make([]string, len(x.parts))
	size := 0
	for i, part := range x.parts {
		v, err := e.eval(part, f)
		if err != nil {
			return nil, err
		}
		s, err := e.str(v)
		if err != nil {
			return nil, err
		}
		texts[i] = s
		size += len(s)
		if err := e.size(size); err != nil {
			return nil, err
		}
	}
	return strings.Join(texts, ""), nil
}

// export turns what an expression gave into an ordinary value.
func (e *evaluator) export(v any) any {
	switch v := v.(type) {
	case *sequence:
		return v.items
	case *namespace:
		return v.vars
	}
	return v
}
