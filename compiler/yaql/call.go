package yaql

import (
	"strings"
	"sync"
	"unicode"
)

// call is one call of an overload: its arguments, converted, in the order of its parameters.
type call struct {
	ev    *evaluation
	scope *scope // the function's own context if the overload is scoped, else the caller's
	recv  receiver
	args  []any
	star  []any
	named []keyword // arg.val is the value
	buf   [4]any    // room for args
}

// calls are used again: an expression makes one for each operator.
var calls = sync.Pool{New: func() any { return new(call) }}

// ended gives a call back, if it is sure that nothing holds it: what a function keeps for later it keeps in its result, and
// a plain value has no room for it.
func (c *call) ended(result any) {
	switch result.(type) {
	case nil, bool, int64, float64, string:
		*c = call{}
		calls.Put(c)
	}
}

// overloads finds the functions or methods of a name, innermost layer first.
func (ev *evaluation) overloads(name string, sc *scope, method bool) [][]*overload {
	name = strings.TrimRight(name, "_")
	fits := func(o *overload) bool { return method && o.method || !method && o.function }
	std := ev.lib.levels(name, method)
	if !sc.defs {
		return std
	}
	var out [][]*overload
	for s := sc; s != nil && s.defs; s = s.parent {
		var level []*overload
		for _, o := range s.funcs[name] {
			if fits(o) {
				level = append(level, o)
			}
		}
		if level != nil {
			out = append(out, level)
		}
	}
	if out == nil {
		return std
	}
	return append(out, std...)
}

// call finds the overload of a function that fits the arguments and runs it, by YAQL's rules: arguments are placed by
// what is known before evaluation, evaluated once, then checked by value; the most special overload of the innermost
// layer wins. Of a method the receiver is the first argument too. args is used up.
func (ev *evaluation) call(name string, sc *scope, recv receiver, args []argument, kws []keyword) (any, error) {
	if err := ev.enter(frameCall); err != nil {
		return nil, err
	}
	defer ev.leave(frameCall)
	levels := ev.overloads(name, sc, recv.given)
	if len(levels) == 0 {
		if recv.given {
			return nil, errNoMethod(name, recv.val)
		}
		return nil, errNoFunction(name)
	}
	if !levels[0][0].noKW {
		var err error
		if args, kws, err = splitRules(args, kws); err != nil {
			return nil, err
		}
	} else if len(kws) > 0 {
		return nil, errArgument(kws[0].name)
	}
	o, err := ev.choose(name, levels, sc, recv, args, kws)
	if err != nil {
		return nil, err
	}
	v, err := ev.run(o, sc, recv, args, kws)
	if err != nil {
		return nil, err
	}
	return v, ev.quota(v)
}

// choose finds the overload for a call and evaluates the arguments, in place, on the way.
func (ev *evaluation) choose(name string, levels [][]*overload, sc *scope, recv receiver, args []argument, kws []keyword) (*overload, error) {
	var buf [8]*overload
	fitting := buf[:0] // with a nil after each layer
	var lazy lazySet
	for _, level := range levels {
		before := len(fitting)
		for _, o := range level {
			if o.noKW != levels[0][0].noKW {
				return nil, errAmbiguous(name, recv)
			}
			if !o.place(args, kws) {
				continue
			}
			set := o.lazySet(len(args), kws)
			if len(fitting) == 0 {
				lazy = set
			} else if set != lazy {
				return nil, errAmbiguous(name, recv)
			}
			fitting = append(fitting, o)
		}
		if len(fitting) > before {
			fitting = append(fitting, nil)
		}
	}
	if len(fitting) == 0 {
		return nil, errNoMatch(name, recv)
	}
	if err := ev.arguments(fitting[0], sc, args, kws); err != nil {
		return nil, err
	}
	var won *overload
	for _, o := range fitting {
		switch {
		case o == nil && won != nil:
			return won, nil
		case o == nil || !o.binds(args, kws):
		case won == nil:
			won = o
		case won.narrower(o, len(args), kws):
		case o.narrower(won, len(args), kws):
			won = o
		default:
			return nil, errAmbiguous(name, recv)
		}
	}
	return nil, errNoMatch(name, recv)
}

// arguments evaluates in place those arguments that no parameter takes late. Literals stay as they are.
func (ev *evaluation) arguments(o *overload, sc *scope, args []argument, kws []keyword) error {
	one := func(a *argument, p *param) error {
		if a.node == nil || p.kind.lazy() {
			return nil
		}
		if _, ok := a.node.(*Const); ok {
			return nil
		}
		v, err := ev.eval(a.node, receiver{}, sc)
		*a = argument{val: v}
		return err
	}
	for i := range args {
		if err := one(&args[i], o.at(i)); err != nil {
			return err
		}
	}
	for i := range kws {
		if err := one(&kws[i].arg, o.by(kws[i].name)); err != nil {
			return err
		}
	}
	return nil
}

// run converts arguments and runs the code of an overload.
func (ev *evaluation) run(o *overload, sc *scope, recv receiver, args []argument, kws []keyword) (any, error) {
	if o.scoped {
		sc = sc.child()
	}
	c := calls.Get().(*call)
	c.ev, c.scope, c.recv = ev, sc, recv
	if n := len(o.params); n <= len(c.buf) {
		c.args = c.buf[:n]
	} else {
		c.args = make([]any, n)
	}
	var err error
	for i := range o.params {
		a, _ := o.source(i, args, kws)
		if c.args[i], err = ev.convert(&o.params[i], a, sc); err != nil {
			return nil, err
		}
	}
	if len(args) > len(o.params) {
		c.star = make([]any, len(args)-len(o.params))
		for i := range c.star {
			if c.star[i], err = ev.convert(o.star, args[len(o.params)+i], sc); err != nil {
				return nil, err
			}
		}
	}
	if o.kwargs != nil {
		for _, k := range kws {
			if o.by(k.name) != o.kwargs {
				continue
			}
			v, err := ev.convert(o.kwargs, k.arg, sc)
			if err != nil {
				return nil, err
			}
			c.named = append(c.named, keyword{k.name, argument{val: v}})
		}
	}
	v, err := o.code(c)
	if err == nil {
		c.ended(v)
	}
	return v, err
}

// convert gives a function its argument: late ones as *lambda (nil for null), collections guarded by the limit on
// items, times with a zone.
func (ev *evaluation) convert(p *param, a argument, sc *scope) (any, error) {
	switch p.kind {
	case kLambda, kBodyFn, kMethod:
		if a.node == nil && a.val == nil {
			return (*lambda)(nil), nil
		}
		return &lambda{ev: ev, node: a.node, val: a.val, scope: sc}, nil
	case kRule:
		r := a.node.(*Rule)
		return &lateRule{&lambda{ev: ev, node: r.Key, scope: sc}, &lambda{ev: ev, node: r.Value, scope: sc}}, nil
	case kNode:
		return a.node, nil
	}
	v := a.val
	if c, ok := a.node.(*Const); ok {
		v = c.Value
	}
	if err := ev.quota(v); err != nil {
		return nil, err
	}
	if v == nil {
		return nil, nil
	}
	switch p.kind {
	case kColl, kNoSet:
		return ev.limited(v)
	case kTime:
		return withZone(v), nil
	}
	return v, nil
}

// camelCase is how YAQL spells the name of a function that an expression defines.
func camelCase(name string) string {
	name = strings.TrimRight(name, "_")
	rs := []rune(name)
	if len(rs) == 0 {
		return name
	}
	from := 0
	if !unicode.IsLetter(rs[0]) {
		mark := -1
		for i := 1; i < len(rs); i++ {
			if rs[i] == rs[0] {
				mark = i
				break
			}
		}
		if mark <= 1 {
			return name
		}
		from = mark + 1
	}
	out := append([]rune(nil), rs[:from]...)
	for i := from; i < len(rs); i++ {
		if rs[i] == '_' && i > from && i+1 < len(rs) && isWordRune(rs[i+1]) {
			i++
			out = append(out, []rune(strings.ToUpper(string(rs[i])))...)
			continue
		}
		out = append(out, rs[i])
	}
	return string(out)
}
