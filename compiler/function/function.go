// Package function is the intrinsic and condition functions of every template version: which maps are calls, what
// arguments they take, what they refer to, and whether a template uses them as Heat accepts.
//
// Each function is one file and one entry of the registry. A Function is one form of a function: where a version
// changed what a name takes or does, the name has several forms. The package knows functions; it asks resources/catalog
// for attribute names, and nothing else about resource types.
package function

import (
	"maps"
	"slices"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// Context says where a function may stand.
type Context uint8

// The contexts.
const (
	InValue     Context = 1 << iota // properties, metadata, outputs …
	InCondition                     // condition definitions, the condition keys, and the first argument of if
)

// Function is one form of an intrinsic function.
type Function struct {
	Name  string
	Since string  // the first HOT version with this form; "" for the oldest, and for CFN
	In    Context // where this form applies; 0 means InValue
	Usage string  // how a call is written, for messages and documentation

	// Shape finds what Heat refuses when it constructs the call: wherever the call stands, even in a resource
	// that a condition disables.
	Shape func(*checker, Call)
	// Validate finds what Heat refuses when it validates an enabled resource or an output.
	Validate func(*checker, Call)
	// Refs yields the names that the call itself uses, not those of calls in its argument.
	Refs func(Call, func(Reference))
	// Computes says that Validate computes the argument, wherever the call stands, and reports what fails in it.
	Computes bool
	// Eval computes the call. Its argument is evaluated first, except where Macro is set.
	Eval func(*Scope, Call, Value) (Value, error)
	// Early finds, in an argument with parts that are known only later, what no value of those can mend.
	Early func(Call, Value) error
	// Macro evaluates the call from its unevaluated argument.
	Macro func(*Scope, Call) (Value, error)
	// Truths is the conditions that a condition function joins, and Join what they come to. Join asks for one
	// condition after the other with next, whose second result is false behind the last one.
	Truths func(Call) []*source.Node
	Join   func(next func() (Truth, bool, error)) (Truth, error)
}

// Call is one intrinsic function call found in a value: a map of exactly one key that the version knows.
type Call struct {
	Function *Function
	Node     *source.Node // the map
	Name     *source.Node // the key as written
	Arg      *source.Node
}

// fail says that the call cannot be computed.
func (c Call) fail(format string, args ...any) error {
	return &Fault{Diagnostic: diag.Errorf(c.Name.At(), "function-argument", "%s: "+format, append([]any{c.Function.Name}, args...)...)}
}

// arg is the i-th item of the call's list argument, or nil.
func (c Call) arg(i int) *source.Node {
	if c.Arg.Is(source.List) && i < len(c.Arg.Items) {
		return c.Arg.Items[i]
	}
	return nil
}

// table is the functions of one version by name.
type table struct{ values, conditions map[string]*Function }

// tables is the registry turned by version.
var tables = buildTables()

func buildTables() map[*hot.Version]table {
	out := make(map[*hot.Version]table, len(hot.Versions))
	for _, v := range hot.Versions {
		t := table{values: map[string]*Function{}, conditions: map[string]*Function{}}
		for _, f := range registry {
			if f.Since != "" && !v.AtLeast(f.Since) {
				continue
			}
			if (f.In == 0 || f.In&InValue != 0) && v.HasFunction(f.Name) {
				t.values[f.Name] = f // later forms come later
			}
			if f.In&InCondition != 0 && v.HasConditionFunction(f.Name) {
				t.conditions[f.Name] = f
			}
		}
		out[v] = t
	}
	return out
}

func functionsOf(v *hot.Version) table {
	if v == nil {
		v = hot.Newest
	}
	return tables[v]
}

// All lists every form of every function.
func All() []*Function { return registry }

// Live lists the functions of a version in one context by name, the form of each that applies.
func Live(v *hot.Version, in Context) []*Function {
	t := functionsOf(v)
	functions := t.values
	if in == InCondition {
		functions = t.conditions
	}
	out := make([]*Function, 0, len(functions))
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		out = append(out, functions[name])
	}
	return out
}
