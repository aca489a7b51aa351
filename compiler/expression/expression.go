// Package expression evaluates the texts of OpenStack Mistral's documents: YAQL between <% and %>, Jinja between {{ and
// }}, each with the functions that Mistral adds.
//
// A text with {{ … }} or {% … %} is Jinja, whatever else is in it; any other one with <% … %> is YAQL (Mistral asks its
// evaluators by the order of their names). A text that is nothing but one expression gives the expression's value,
// anything else gives text. Neither kind of expression spans lines.
package expression

import (
	"context"
	"fmt"

	"github.com/hotloom/hotloom/compiler/jinja"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
	"github.com/hotloom/hotloom/compiler/yaql"
)

// Options are how expressions are evaluated: YAQL's, whose workflow and clock serve Jinja too, and Jinja's limits.
type Options struct {
	YAQL  yaql.Options
	Jinja jinja.Limits
}

// jinjaPart is what makes a text Jinja for Mistral.
var jinjaPart = lazyregexp.New(`\{\{.*?\}\}|\{%.*?%\}`)

// IsJinja reports whether Mistral evaluates the text as Jinja.
func IsJinja(text string) bool { return jinjaPart().MatchString(text) }

// IsYAQL reports whether Mistral evaluates the text as YAQL.
func IsYAQL(text string) bool { return !IsJinja(text) && yaql.HasExpression(text) }

// texts caches parsed YAQL; the texts come from definitions, so there are not many.
var texts yaql.Cache

// Evaluate gives the value of a text over data, which is $ to YAQL and _ to Jinja. A text without expressions is its own
// value. The error is a *yaql.EvaluationError or a *JinjaError.
func Evaluate(ctx context.Context, text string, data any, o Options) (any, error) {
	switch {
	case IsJinja(text):
		v, err := jinja.Evaluate(text, jinjaContext(ctx, data, o))
		if err != nil {
			return nil, &JinjaError{Expression: text, Err: err}
		}
		return v, nil
	case yaql.HasExpression(text):
		return texts.Text(text).Eval(ctx, data, o.YAQL)
	}
	return text, nil
}

// EvaluateJinja gives the value of a bare Jinja expression, without its brackets. The error is a *JinjaError.
func EvaluateJinja(ctx context.Context, expression string, data any, o Options) (any, error) {
	v, err := jinja.Expression(expression, jinjaContext(ctx, data, o))
	if err != nil {
		return nil, &JinjaError{Expression: expression, Err: err}
	}
	return v, nil
}

// JinjaError is a Jinja text that cannot be evaluated.
type JinjaError struct {
	Expression string
	Err        error
}

func (e *JinjaError) Error() string {
	return fmt.Sprintf("Can not evaluate Jinja expression [expression=%s, error=%v]", e.Expression, e.Err) // Mistral's words
}

// Unwrap gives the failure itself.
func (e *JinjaError) Unwrap() error { return e.Err }

// contextView is how Jinja's messages name the context.
const contextView = "mistral.workflow.data_flow.ContextView"

func jinjaContext(ctx context.Context, data any, o Options) *jinja.Context {
	c := &jinja.Context{Vars: value.MapOf("_", data), Limits: o.Jinja}
	if m, ok := data.(*value.Map); ok {
		c.TypeNames = map[any]string{m: contextView}
		for _, name := range []string{"__env", "__execution", "__task_execution"} {
			v, _ := m.GetStr(name)
			c.Vars.SetStr(name, v)
		}
	}
	c.Funcs, c.Filters = jinjaFunctions(ctx, data, o)
	return c
}
