package weave

import (
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/source"
)

// guard is the conditions that hold wherever a value is used: those of the ifs around it, of its component, its
// resource or its output.
type guard struct {
	condition *source.Node
	negated   bool // the else branch
	outer     *guard
}

// guarded adds a condition; nil adds nothing.
func guarded(outer *guard, condition *source.Node) *guard {
	if condition == nil {
		return outer
	}
	return &guard{condition: condition, outer: outer}
}

// maxEntailing bounds the comparisons made to prove that one condition follows from others. What is not proved within
// it counts as not certain.
const maxEntailing = 1000

// implies reports whether the condition is certain to hold where the guard's conditions hold.
func (w *weaver) implies(g *guard, condition *source.Node) bool {
	left := maxEntailing
	for ; g != nil; g = g.outer {
		if w.entails(g.condition, g.negated, condition, &left) {
			return true
		}
	}
	return false
}

// entails reports whether "given" (or its opposite) makes "want" certain. It knows names, and, and not.
func (w *weaver) entails(given *source.Node, negated bool, want *source.Node, left *int) bool {
	if *left--; *left < 0 || given == nil {
		return false
	}
	if !negated && source.Equal(given, want) {
		return true
	}
	if c := w.definition(given); c != nil && w.entails(c, negated, want, left) {
		return true
	}
	if c := w.definition(want); c != nil && w.entails(given, negated, c, left) {
		return true
	}
	call, ok := function.FindCondition(w.v, given)
	if ok && call.Function.Name == "and" && !negated && call.Arg.Is(source.List) {
		for _, part := range call.Arg.Items {
			if w.entails(part, false, want, left) {
				return true
			}
		}
	}
	if ok && call.Function.Name == "not" && w.entails(call.Arg, !negated, want, left) {
		return true
	}
	call, ok = function.FindCondition(w.v, want)
	return ok && call.Function.Name == "not" && negated && source.Equal(given, call.Arg)
}

// definition is what a condition's name stands for, or nil.
func (w *weaver) definition(n *source.Node) *source.Node {
	if !n.Is(source.String) {
		return nil
	}
	if c := w.t.Condition(n.Text); c != nil {
		return c.Value
	}
	return nil
}

// checkConditions warns of reads that happen where the component may not exist.
func (w *weaver) checkConditions() {
	for _, r := range w.p.Reads {
		for _, condition := range r.Component.conditions {
			if !w.implies(w.guards[r], condition) {
				w.add(unguardedRead(r, condition))
				break
			}
		}
	}
}

// entailed reports whether a component is certain to exist where the guard's conditions hold.
func (w *weaver) entailed(g *guard, c *Component) bool {
	for _, n := range c.conditions {
		if !w.implies(g, n) {
			return false
		}
	}
	return true
}
