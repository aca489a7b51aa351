package yaql

import "github.com/hotloom/hotloom/compiler/value"

// lambda is an expression (or, through call(), a plain value) that a function evaluates late.
type lambda struct {
	ev    *evaluation
	node  Node
	val   any
	scope *scope
}

// call evaluates the expression with $1, $2, … set; $ is $1. A lambda that is null cannot be called.
func (l *lambda) call(args ...any) (any, error) {
	if l == nil {
		return nil, fail("TypeError", "'NoneType' object is not callable")
	}
	sc := &scope{parent: l.scope, defs: l.scope.defs}
	if sc.vars = sc.one[:0]; len(args) > len(sc.one) {
		sc.vars = make([]variable, 0, len(args))
	}
	for i, a := range args {
		sc.vars = append(sc.vars, variable{argNames[min(i, len(argNames)-1)], a})
	}
	return l.in(sc)
}

var argNames = [...]string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}

// in evaluates the expression in a context of the function's making.
func (l *lambda) in(sc *scope) (any, error) {
	if l == nil {
		return nil, fail("TypeError", "'NoneType' object is not callable")
	}
	if err := l.ev.enter(frameLambda); err != nil {
		return nil, err
	}
	defer l.ev.leave(frameLambda)
	if l.node == nil {
		return l.val, nil
	}
	return l.ev.eval(l.node, receiver{}, sc)
}

// on evaluates the expression, a call, as a method of a receiver.
func (l *lambda) on(recv any) (any, error) {
	if err := l.ev.enter(frameLambda); err != nil {
		return nil, err
	}
	defer l.ev.leave(frameLambda)
	if l.node == nil {
		return l.val, nil
	}
	return l.ev.eval(l.node, receiver{true, recv}, l.scope)
}

// truth calls the lambda and gives the truth of the result.
func (l *lambda) truth(args ...any) (bool, error) {
	v, err := l.call(args...)
	return err == nil && truth(v), err
}

// lateRule is a rule whose sides are evaluated when a function asks.
type lateRule struct{ key, value *lambda }

// ruleValue is an evaluated rule.
type ruleValue struct{ key, val any }

// TypeName is the name in the original.
func (*ruleValue) TypeName() string { return "MappingRule" }

func truth(v any) bool { return value.Truth(v) }
