package flow

import (
	"context"
	"fmt"
	"time"

	"github.com/hotloom/hotloom/compiler/expression"
	"github.com/hotloom/hotloom/compiler/jinja"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/yaql"
)

// The limits of one expression. The interpreter waits for it, so that one workflow cannot stop the others for long.
const (
	maxExpressionSteps  = 4_000_000
	maxExpressionMemory = 256 << 20
	maxExpressionText   = 16 << 20
)

// scope is what an expression is evaluated for. It answers task(), execution() and their like.
type scope struct {
	r    *Run
	exec *Execution
	task *Task // nil outside of tasks
}

// view is Mistral's ContextView: layers of names, the strongest first.
type view []*value.Map

// flat gives the view as one map.
func (v view) flat() *value.Map {
	n := 0
	for _, m := range v {
		if m != nil {
			n += m.Len()
		}
	}
	out := value.NewMap(n)
	for _, m := range v {
		if m == nil {
			continue
		}
		for k, x := range m.All() {
			if _, ok := out.Get(k); !ok {
				_ = out.Set(k, x) // a key of a map is hashable
			}
		}
	}
	return out
}

// evaluate evaluates all expressions in data, which is not changed. Over an empty context nothing is evaluated.
func (s scope) evaluate(data any, v view) (any, error) {
	return s.evaluateOver(data, v.flat())
}

// evaluateOver is evaluate with a context that need not be a mapping.
func (s scope) evaluateOver(data, ctx any) (any, error) {
	if !value.Truth(ctx) {
		return data, nil
	}
	return s.walk(data, ctx)
}

func (s scope) walk(data, ctx any) (any, error) {
	switch d := data.(type) {
	case string:
		return s.text(d, ctx)
	case []any:
		out := make([]any, len(d))
		for i, item := range d {
			v, err := s.walk(item, ctx)
			if err != nil {
				return nil, err
			}
			out[i] = v
		}
		return out, nil
	case *value.Map:
		out := value.NewMap(d.Len())
		for k, item := range d.All() {
			v, err := s.walk(item, ctx)
			if err != nil {
				return nil, err
			}
			_ = out.Set(k, v) // a key of a map is hashable
		}
		return out, nil
	}
	return data, nil
}

func (s scope) text(text string, ctx any) (any, error) {
	if !expression.IsJinja(text) && !yaql.HasExpression(text) {
		return text, nil
	}
	v, err := expression.Evaluate(context.Background(), text, ctx, s.options())
	if err != nil {
		return nil, err
	}
	return s.plain(v)
}

func (s scope) options() expression.Options {
	now := s.r.now
	return expression.Options{
		YAQL: yaql.Options{
			MaxSteps: maxExpressionSteps, MaxMemory: maxExpressionMemory, Workflow: s,
			Now: func() time.Time { return now },
		},
		Jinja: jinja.Limits{Steps: maxExpressionSteps, Output: maxExpressionText},
	}
}

// plain turns a result into what a workflow's data consists of: what JSON can hold.
func (s scope) plain(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool, int64, float64, string:
		return v, nil
	case []any:
		return s.plainList(v)
	case value.Tuple:
		return s.plainList(v)
	case *value.Set:
		return s.plainList(v.Items())
	case value.KeysView:
		return s.plainList(v.M.Keys())
	case value.ValuesView:
		items := make([]any, v.M.Len())
		for i := range items {
			_, items[i] = v.M.At(i)
		}
		return s.plainList(items)
	case value.ItemsView:
		items := make([]any, v.M.Len())
		for i := range items {
			items[i] = v.Item(i)
		}
		return s.plainList(items)
	case *value.Map:
		out := value.NewMap(v.Len())
		for k, x := range v.All() {
			p, err := s.plain(x)
			if err != nil {
				return nil, err
			}
			if key, ok := k.(string); ok {
				out.SetStr(key, p)
			} else {
				out.SetStr(value.Str(k), p)
			}
		}
		return out, nil
	case value.Time:
		return v.ISO("T"), nil
	case value.Span:
		return v.String(), nil
	case []byte:
		return string(v), nil
	}
	if value.IsInt(v) {
		return v, nil
	}
	return nil, fmt.Errorf("the expression gives a value of type %s, which a workflow cannot keep", value.TypeName(v))
}

func (s scope) plainList(items []any) (any, error) {
	out := make([]any, len(items))
	for i, item := range items {
		p, err := s.plain(item)
		if err != nil {
			return nil, err
		}
		out[i] = p
	}
	return out, nil
}
