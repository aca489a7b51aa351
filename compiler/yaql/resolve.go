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

func (a argument) given() bool {
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

func takeKeyword(kws []keyword, name string) (argument, []keyword, bool) {
	for i, k := range kws {
		if k.name == name {
			return k.arg, slices.Delete(slices.Clone(kws), i, i+1), true
		}
	}
	return argument{}, kws, false
}

// receiver is what a method is called on.
type receiver struct {
	given bool
	val   any
}

// mapping says which parameter takes which argument.
type mapping struct {
	o     *overload
	pos   []*param
	named []*param // as the keywords
}

// lazySet are the arguments that an overload takes unevaluated, in a comparable form.
func (m *mapping) lazySet(kws []keyword) string {
	var b strings.Builder
	for i, p := range m.pos {
		if p.kind.lazy() {
			b.WriteByte(byte(i))
			b.WriteByte(byte(i >> 8))
		}
	}
	for i, p := range m.named {
		if p != nil && p.kind.lazy() {
			b.WriteString("\xff" + kws[i].name)
		}
	}
	return b.String()
}

// place assigns arguments to the parameters of an overload before they are evaluated; nil if they cannot fit.
func (o *overload) place(args []argument, kws []keyword) *mapping {
	m := &mapping{o: o, pos: make([]*param, len(args))}
	if len(kws) > 0 {
		m.named = make([]*param, len(kws))
	}
	named := func(name string) int {
		return slices.IndexFunc(kws, func(k keyword) bool { return k.name == name })
	}
	for i := range o.params {
		p := &o.params[i]
		at := -1
		if len(kws) > 0 {
			at = named(p.name)
		}
		switch {
		case i < len(args) && args[i].given():
			if at >= 0 {
				return nil
			}
			m.pos[i] = p
		case at >= 0:
			m.named[at] = p
		case !p.optional:
			return nil
		}
		if i < len(args) && m.pos[i] == nil {
			m.pos[i] = p
		}
	}
	for i := len(o.params); i < len(args); i++ {
		if o.star == nil {
			return nil
		}
		m.pos[i] = o.star
	}
	for i := range m.named {
		if m.named[i] != nil {
			continue
		}
		if o.kwargs == nil || !o.kwargs.check(kws[i].arg) {
			return nil
		}
		m.named[i] = o.kwargs
	}
	for i, p := range m.pos {
		a := args[i]
		if !a.given() && p != o.star {
			a = argument{val: p.def}
		}
		if !p.accepts(a) {
			return nil
		}
	}
	return m
}

// accepts is check, with room for an argument not given.
func (p *param) accepts(a argument) bool {
	if !a.given() {
		return p.kind == kAny || p.kind.lazy() && p.kind != kRule && p.kind != kNode
	}
	return p.check(a)
}

// bound are the arguments of an overload in the order of its parameters, checked but not converted.
type bound struct {
	args  []argument
	star  []argument
	named []keyword
}

// bind checks evaluated arguments against an overload; ok is false if one does not fit.
func (o *overload) bind(args []argument, kws []keyword) (b bound, ok bool) {
	b.args = make([]argument, len(o.params))
	for i := range o.params {
		p := &o.params[i]
		a, rest, found := argument{}, kws, false
		if len(kws) > 0 {
			a, rest, found = takeKeyword(kws, p.name)
		}
		switch {
		case i < len(args) && args[i].given():
			if found {
				return b, false
			}
			a = args[i]
		case found:
			kws = rest
		case p.optional:
			a = argument{val: p.def}
		default:
			return b, false
		}
		if !p.accepts(a) {
			return b, false
		}
		b.args[i] = a
	}
	if len(args) > len(o.params) {
		if o.star == nil {
			return b, false
		}
		b.star = args[len(o.params):]
		for _, a := range b.star {
			if !o.star.accepts(a) {
				return b, false
			}
		}
	}
	for _, k := range kws {
		if o.kwargs == nil || !o.kwargs.accepts(k.arg) {
			return b, false
		}
	}
	b.named = kws
	return b, true
}

// narrower says whether mapping m is more special than other, as YAQL decides between two overloads that both fit.
func (m *mapping) narrower(other *mapping) bool {
	res := false
	for i := range min(len(m.pos), len(other.pos)) {
		a, b := m.pos[i].kind, other.pos[i].kind
		if b.narrower(a) {
			return false
		}
		res = res || a.narrower(b)
	}
	for i := range min(len(m.named), len(other.named)) {
		a, b := m.named[i].kind, other.named[i].kind
		if b.narrower(a) {
			return false
		}
		res = res || a.narrower(b)
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
		if at := slices.IndexFunc(own, func(k keyword) bool { return k.name == text }); at >= 0 {
			own[at].arg = argument{node: r.Value}
			continue
		}
		own = append(own, keyword{text, argument{node: r.Value}})
	}
	for _, k := range kws {
		if slices.ContainsFunc(own, func(o keyword) bool { return o.name == k.name }) {
			return nil, nil, errMapping()
		}
		own = append(own, k)
	}
	return pos, own, nil
}
