package function

import (
	"context"
	"errors"
	"time"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/yaql"
)

// yaqlCall evaluates a YAQL expression over data.
var yaqlCall = Function{
	Eval:     evalYaql,
	Name:     "yaql",
	In:       InValue | InCondition,
	Usage:    "{yaql: {expression: TEXT, data: anything}}",
	Shape:    shapeYaql,
	Validate: validateYaql,
}

var yaqlKeys = []string{"expression", "data"}

func shapeYaql(k *checker, c Call) {
	if !k.isMap(c.Arg) {
		k.add(argumentKind(c, "a map with expression and data"))
		return
	}
	if c.Arg.Pair("expression") == nil {
		k.add(argumentKeyMissing(c, "expression", yaqlKeys))
	}
	for _, p := range c.Arg.Pairs {
		if key := hot.KeyText(p.Key); key != "expression" && key != "data" {
			k.add(argumentKeyUnknown(c, p.Key, key, yaqlKeys))
		}
	}
}

func validateYaql(k *checker, c Call) {
	e := c.Arg.Get("expression")
	if e == nil || !k.isMap(c.Arg) {
		return
	}
	if _, isCall := k.find(e); isCall {
		return
	}
	if !e.Is(source.String) {
		k.add(argumentPart(c, "expression", e, "a string"))
		return
	}
	expr, err := parsedYAQL.Expr(e.Text)
	if err != nil {
		k.add(yaqlSyntax(e, err))
		return
	}
	k.yaqlFunctions(c, e, expr)
}

// yaqlFunctions warns of functions that Heat's YAQL does not have, unless the value can be computed: then that says
// what is wrong. Expressions may define functions of their own.
func (k *checker) yaqlFunctions(c Call, e *source.Node, expr *yaql.Expr) {
	var unknown []yaql.Function
	for _, f := range expr.Functions() {
		if f.Name == "def" {
			return
		}
		if !yaql.Known(yaql.Heat, f.Name, f.Method) && !yaql.Known(yaql.Heat, f.Name, !f.Method) {
			unknown = append(unknown, f)
		}
	}
	if len(unknown) == 0 || k.scope == nil {
		return
	}
	if v, err := k.scope.eval(k.functions, c.Node); err != nil || unknownIn(v) == nil {
		return
	}
	for _, f := range unknown {
		k.add(yaqlFunction(e, f))
	}
}

// parsedYAQL keeps what was parsed: an expression is checked, and computed under each value of conditions.
var parsedYAQL yaql.Cache

// yaqlTimeout bounds one expression; Heat bounds items and memory, and the evaluator does so as well.
const yaqlTimeout = 2 * time.Second

func evalYaql(_ *Scope, c Call, arg Value) (Value, error) {
	m, ok := arg.(*value.Map)
	if !ok {
		return nil, c.fail("takes a map")
	}
	v, _ := m.GetStr("expression")
	text, ok := v.(string)
	if !ok {
		return nil, c.fail("the expression must be a string, not %s", describe(v))
	}
	expr, fault := parsedYAQL.Expr(text)
	if fault != nil {
		return nil, &Fault{Diagnostic: yaqlSyntax(c.Arg.Get("expression"), fault)}
	}
	data, given := m.GetStr("data")
	if !given {
		data = value.NewMap(0)
	}
	ctx, cancel := context.WithTimeout(context.Background(), yaqlTimeout)
	defer cancel()
	out, err := yaql.Eval(ctx, yaql.Heat, expr, data, yaql.Options{})
	if err != nil {
		fault := &Fault{Diagnostic: diag.Errorf(c.Name.At(), "function-argument", "yaql: %v", err)}
		var part *yaql.Error
		if n := c.Arg.Get("expression"); errors.As(err, &part) && part.End > 0 && n.Is(source.String) && n.Text == text {
			fault.Location = n.Inside(value.Offset(text, part.Start))
		}
		return nil, fault
	}
	return out, nil
}
