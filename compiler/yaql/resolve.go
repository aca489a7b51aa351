package yaql

import (
	"slices"
	"strings"
)

// argument is an argument on its way to a function: an expression, or a value once evaluated. Not given arguments are
// the value noValue{}.
type argument struct {
	node Node
	val  any
}

func (a *argument) given() bool {
	if a.node != nil {
		return true
	}
	_, missing := a.val.(noValue)
	return !missing
}

// keyword is a named argument.
type keyword struct {
	name string
	arg  argument
}

func named(kws []keyword, name string) int {
	for i := range kws {
		if kws[i].name == name {
			return i
		}
	}
	return -1
}

// receiver is what a method is called on.
type receiver struct {
	given bool
	val   any
}

// at gives the parameter that takes the argument at a position; nil if none does.
func (o *overload) at(i int) *param {
	if i < len(o.params) {
		return &o.params[i]
	}
	return o.star
}

// by gives the parameter that takes a keyword; nil if none does.
func (o *overload) by(name string) *param {
	for i := range o.params {
		if o.params[i].name == name {
			return &o.params[i]
		}
	}
	return o.kwargs
}

// place says whether arguments fit an overload as far as that is known before they are evaluated.
func (o *overload) place(args []argument, kws []keyword) bool {
	for i := range o.params {
		p := &o.params[i]
		kw := named(kws, p.name)
		switch {
		case i < len(args) && args[i].given():
			if kw >= 0 {
				return false
			}
		case kw < 0 && !p.optional:
			return false
		}
	}
	for i := range args {
		p := o.at(i)
		switch {
		case p == nil:
			return false
		case !args[i].given() && i < len(o.params):
			if !p.accepts(argument{val: p.def}) {
				return false
			}
		case !p.accepts(args[i]):
			return false
		}
	}
	for i := range kws {
		p := o.by(kws[i].name)
		if p == nil || p == o.kwargs && !p.check(kws[i].arg) {
			return false
		}
	}
	return true
}

// lazySet says which arguments an overload takes unevaluated, in a comparable form.
type lazySet struct {
	positions uint64
	names     string
}

func (o *overload) lazySet(n int, kws []keyword) (s lazySet) {
	for i := range min(n, 63) {
		if o.at(i).kind.lazy() {
			s.positions |= 1 << i
		}
	}
	if n >= 63 && o.star != nil && o.star.kind.lazy() {
		s.positions |= 1 << 63
	}
	if len(kws) > 0 {
		var b strings.Builder
		for i := range kws {
			if o.by(kws[i].name).kind.lazy() {
				b.WriteString(kws[i].name + " ")
			}
		}
		s.names = b.String()
	}
	return s
}

// accepts is check, with room for an argument not given.
func (p *param) accepts(a argument) bool {
	if !a.given() {
		return p.kind == kAny || p.kind == kLambda || p.kind == kBodyFn
	}
	return p.check(a)
}

// source gives what parameter i of an overload gets: an argument, a keyword, or its default; ok is false if it gets
// nothing, or two of them.
func (o *overload) source(i int, args []argument, kws []keyword) (a argument, ok bool) {
	p := &o.params[i]
	kw := named(kws, p.name)
	switch {
	case i < len(args) && args[i].given():
		return args[i], kw < 0
	case kw >= 0:
		return kws[kw].arg, true
	case p.optional:
		return argument{val: p.def}, true
	}
	return a, false
}

// binds says whether evaluated arguments fit an overload.
func (o *overload) binds(args []argument, kws []keyword) bool {
	for i := range o.params {
		if a, ok := o.source(i, args, kws); !ok || !o.params[i].accepts(a) {
			return false
		}
	}
	for i := len(o.params); i < len(args); i++ {
		if o.star == nil || !o.star.accepts(args[i]) {
			return false
		}
	}
	for i := range kws {
		if p := o.by(kws[i].name); p == nil || p == o.kwargs && !p.accepts(kws[i].arg) {
			return false
		}
	}
	return true
}

// narrower says whether an overload is more special than another one for a call that both fit.
func (o *overload) narrower(other *overload, n int, kws []keyword) bool {
	res := false
	better := func(a, b *param) bool {
		res = res || a.kind.narrower(b.kind)
		return !b.kind.narrower(a.kind)
	}
	for i := range n {
		if !better(o.at(i), other.at(i)) {
			return false
		}
	}
	for i := range kws {
		if !better(o.by(kws[i].name), other.by(kws[i].name)) {
			return false
		}
	}
	return res
}

// splitRules makes keyword arguments of the rules among arguments.
func splitRules(args []argument, kws []keyword) ([]argument, []keyword, error) {
	if !slices.ContainsFunc(args, func(a argument) bool { _, ok := a.node.(*Rule); return ok }) {
		return args, kws, nil
	}
	var pos []argument
	var own []keyword
	for _, a := range args {
		r, ok := a.node.(*Rule)
		if !ok {
			pos = append(pos, a)
			continue
		}
		name, ok := r.Key.(*Const)
		if !ok || !name.Word {
			return nil, nil, errMapping()
		}
		text := name.Value.(string)
		if at := named(own, text); at >= 0 {
			own[at].arg = argument{node: r.Value}
			continue
		}
		own = append(own, keyword{text, argument{node: r.Value}})
	}
	for _, k := range kws {
		if named(own, k.name) >= 0 {
			return nil, nil, errMapping()
		}
		own = append(own, k)
	}
	return pos, own, nil
}
