package yaql

import (
	"strings"
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
// layer wins.
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
	if recv.given {
		args = append([]argument{{val: recv.val}}, args...)
	}
	o, b, err := ev.choose(name, levels, sc, recv, args, kws)
	if err != nil {
		return nil, err
	}
	v, err := ev.run(o, b, sc, recv)
	if err != nil {
		return nil, err
	}
	return v, ev.quota(v)
}

func (ev *evaluation) choose(name string, levels [][]*overload, sc *scope, recv receiver, args []argument, kws []keyword) (*overload, bound, error) {
	var fitting [][]*mapping
	noKW := levels[0][0].noKW
	var lazy string
	for li, level := range levels {
		var fit []*mapping
		for i, o := range level {
			if li == 0 && i == 0 {
				var err error
				if noKW {
					if len(kws) > 0 {
						return nil, bound{}, errArgument(kws[0].name)
					}
				} else if args, kws, err = splitRules(args, kws); err != nil {
					return nil, bound{}, err
				}
			} else if o.noKW != noKW {
				return nil, bound{}, errAmbiguous(name, recv)
			}
			m := o.place(args, kws)
			if m == nil {
				continue
			}
			set := m.lazySet(kws)
			if fit == nil && fitting == nil {
				lazy = set
			} else if set != lazy {
				return nil, bound{}, errAmbiguous(name, recv)
			}
			fit = append(fit, m)
		}
		if fit != nil {
			fitting = append(fitting, fit)
		}
	}
	if fitting == nil {
		return nil, bound{}, errNoMatch(name, recv)
	}
	args, kws, err := ev.arguments(fitting[0][0], sc, args, kws)
	if err != nil {
		return nil, bound{}, err
	}
	for _, level := range fitting {
		var won *mapping
		var wonBound bound
		for _, m := range level {
			b, ok := m.o.bind(args, kws)
			if !ok {
				continue
			}
			if won != nil {
				if won.narrower(m) {
					continue
				}
				if !m.narrower(won) {
					return nil, bound{}, errAmbiguous(name, recv)
				}
			}
			won, wonBound = m, b
		}
		if won != nil {
			return won.o, wonBound, nil
		}
	}
	return nil, bound{}, errNoMatch(name, recv)
}

// arguments evaluates those arguments that no parameter takes late. Literals stay as they are.
func (ev *evaluation) arguments(m *mapping, sc *scope, args []argument, kws []keyword) ([]argument, []keyword, error) {
	one := func(a argument, p *param) (argument, error) {
		if a.node == nil || p.kind.lazy() {
			return a, nil
		}
		if _, ok := a.node.(*Const); ok {
			return a, nil
		}
		v, err := ev.eval(a.node, receiver{}, sc)
		return argument{val: v}, err
	}
	out := make([]argument, len(args))
	for i, a := range args {
		var err error
		if out[i], err = one(a, m.pos[i]); err != nil {
			return nil, nil, err
		}
	}
	if len(kws) == 0 {
		return out, kws, nil
	}
	named := make([]keyword, len(kws))
	for i, k := range kws {
		a, err := one(k.arg, m.named[i])
		if err != nil {
			return nil, nil, err
		}
		named[i] = keyword{k.name, a}
	}
	return out, named, nil
}

// run converts bound arguments and runs the code of an overload.
func (ev *evaluation) run(o *overload, b bound, sc *scope, recv receiver) (any, error) {
	if o.scoped {
		sc = sc.child()
	}
	c := &call{ev: ev, scope: sc, recv: recv, args: make([]any, len(b.args))}
	var err error
	for i, a := range b.args {
		if c.args[i], err = ev.convert(&o.params[i], a, sc); err != nil {
			return nil, err
		}
	}
	if len(b.star) > 0 {
		c.star = make([]any, len(b.star))
		for i, a := range b.star {
			if c.star[i], err = ev.convert(o.star, a, sc); err != nil {
				return nil, err
			}
		}
	}
	if len(b.named) > 0 {
		c.named = make([]keyword, len(b.named))
		for i, k := range b.named {
			v, err := ev.convert(o.kwargs, k.arg, sc)
			if err != nil {
				return nil, err
			}
			c.named[i] = keyword{k.name, argument{val: v}}
		}
	}
	return o.code(c)
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
