package function

import (
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// Find reports whether n is itself a call in the given version (nil: the newest), in a place for values. {ref: X}, the
// spelling of 2013, is a get_resource call in every version; that is hotloom's own addition.
func Find(v *hot.Version, n *source.Node) (Call, bool) { return find(functionsOf(v).values, n) }

// FindCondition is Find for places where conditions stand.
func FindCondition(v *hot.Version, n *source.Node) (Call, bool) {
	return find(functionsOf(v).conditions, n)
}

func find(functions map[string]*Function, n *source.Node) (Call, bool) {
	p := n.Single()
	if p == nil || p.Key.Kind != source.String {
		return Call{}, false
	}
	f := functions[p.Key.Text]
	if f == nil {
		return Call{}, false
	}
	return Call{Function: f, Node: n, Name: p.Key, Arg: p.Value}, true
}

// Walk calls visit for the calls in n, parents first, in document order; functions of conditions inside the first
// argument of if are among them. Where visit returns false the argument of that call is not entered.
func Walk(v *hot.Version, n *source.Node, visit func(Call) bool) {
	w := walker{table: functionsOf(v), visit: visit}
	w.value(n)
}

// WalkCondition is Walk for a condition.
func WalkCondition(v *hot.Version, n *source.Node, visit func(Call) bool) {
	w := walker{table: functionsOf(v), visit: visit}
	w.condition(n)
}

type walker struct {
	table table
	visit func(Call) bool
}

func (w *walker) value(n *source.Node)     { w.node(n, w.table.values, w.value) }
func (w *walker) condition(n *source.Node) { w.node(n, w.table.conditions, w.condition) }

func (w *walker) node(n *source.Node, functions map[string]*Function, below func(*source.Node)) {
	if n == nil {
		return
	}
	if call, ok := find(functions, n); ok {
		if !w.visit(call) {
			return
		}
		if isIf(call) && call.Arg.Is(source.List) && len(call.Arg.Items) > 0 {
			w.condition(call.Arg.Items[0])
			for _, item := range call.Arg.Items[1:] {
				below(item)
			}
			return
		}
		below(call.Arg)
		return
	}
	for _, item := range n.Items {
		below(item)
	}
	for _, p := range n.Pairs {
		below(p.Value)
	}
}

func isIf(c Call) bool { return c.Function.Name == "if" || c.Function.Name == "Fn::If" }
