package function

import (
	"context"
	"time"

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
	if _, err := yaql.Parse(e.Text); err != nil {
		k.add(yaqlSyntax(e, err))
	}
}

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
	expr, fault := yaql.Parse(text)
	if fault != nil {
		return nil, &Fault{Diagnostic: yaqlSyntax(c.Arg.Get("expression"), fault)}
	}
	data, _ := m.GetStr("data")
	ctx, cancel := context.WithTimeout(context.Background(), yaqlTimeout)
	defer cancel()
	out, err := yaql.Eval(ctx, yaql.Heat, expr, data, yaql.Options{})
	if err != nil {
		return nil, c.fail("%v", err)
	}
	return out, nil
}
