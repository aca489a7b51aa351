// Package jinja evaluates Jinja2 templates and expressions as OpenStack Mistral does: Jinja 3.1's sandboxed environment
// with strict undefined values, trimmed and left-stripped blocks, and no loader.
//
// It is an evaluator of its own, because no Go library can be made equal to Mistral's results: they print Go values
// and keep no order of keys, so `{{ _.map }}` and loops over mappings differ, and their error texts are others. Values
// are those of compiler/value. Everything that costs is bounded by Limits; nothing reads files, clocks or the network.
//
// Left out: loading other templates (include, import, extends fail as they do without a loader), markup (safe and
// escape give plain text), lipsum, and the filters urlize and pprint.
package jinja

import (
	"fmt"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
)

// SyntaxError says that a template cannot be parsed. Offset is in bytes of the text.
type SyntaxError struct {
	Offset  int
	Message string
}

func (e *SyntaxError) Error() string { return e.Message }

// Func is a function that expressions can call: also as a filter, where its first argument is the filtered value.
type Func func(args []any, kwargs *value.Map) (any, error)

// Context is what a template sees.
type Context struct {
	Vars  *value.Map      // names; Mistral's has "_", "__env", …
	Funcs map[string]Func // functions of the caller, as names
	// Filters are the caller's functions as filters. Jinja hands a filter the filtered value as first argument.
	Filters map[string]Func
	// TypeNames names the type of values in messages where it is not Python's own, by identity: Mistral's `_` is a
	// mistral.workflow.data_flow.ContextView.
	TypeNames map[any]string
	Limits    Limits
}

// Limits bound an evaluation. Zero values stand for the defaults.
type Limits struct {
	Steps  int // evaluated nodes and walked items; 200,000
	Output int // bytes of one text, and half of what all texts of one evaluation may have; 4 MiB
}

var (
	printPart = lazyregexp.New(`\{\{(.*?)\}\}`)
	errNoPart = value.Errorf("IndexError", "list index out of range")
)

// Check parses a whole template, as Mistral's validation does; nil is fine. Unknown filters and names are found only
// when a template is evaluated.
func Check(text string) *SyntaxError {
	_, err := parseTemplate(text)
	return err
}

// CheckExpression parses a bare expression; nil is fine.
func CheckExpression(text string) *SyntaxError {
	_, err := parseExpression(text)
	return err
}

// Evaluate gives the value of a text that holds Jinja, as Mistral evaluates it: one {{ x }} that is the whole text
// gives its value, anything else is rendered as text. A text with {% … %} but no {{ … }} fails, as it does there.
func Evaluate(text string, ctx *Context) (any, error) {
	part := printPart().FindStringSubmatch(text)
	switch {
	case part == nil:
		return nil, errNoPart
	case part[0] == text:
		return Expression(part[1], ctx)
	}
	return Render(text, ctx)
}

// Expression gives the value of a bare expression. An undefined value is an error.
func Expression(text string, ctx *Context) (any, error) {
	e, serr := parseExpression(text)
	if serr != nil {
		return nil, value.Errorf("TemplateSyntaxError", "%s", serr.Message)
	}
	ev := newEvaluator(ctx)
	if err := ev.declared(&outStmt{of: e}); err != nil {
		return nil, err
	}
	v, err := ev.eval(e, ev.root)
	if err != nil {
		return nil, err
	}
	if u, ok := v.(*undefined); ok {
		return nil, u.err()
	}
	if s, ok := v.(*sequence); ok && s.err != nil {
		return nil, s.err // whoever gets the value walks it
	}
	return ev.export(v), nil
}

// Render gives the text of a template.
func Render(text string, ctx *Context) (string, error) {
	body, serr := parseTemplate(text)
	if serr != nil {
		return "", value.Errorf("TemplateSyntaxError", "%s", serr.Message)
	}
	ev := newEvaluator(ctx)
	var out output
	out.limit = ev.limits.Output
	if err := ev.declared(body...); err != nil {
		return "", err
	}
	if err := ev.run(body, ev.root, &out); err != nil {
		return "", err
	}
	return out.b.String(), nil
}

// declared finds a filter or test that does not exist, as Jinja does when it compiles a template.
func (e *evaluator) declared(body ...stmt) error {
	r := reader{own: func(name string) bool { return e.ctx.Filters[name] != nil }}
	r.body(body)
	for _, n := range r.unknown {
		switch {
		case n.Soft:
		case n.Kind == TestName:
			return fail("TemplateAssertionError", "No test named %s.", value.Repr(n.Name))
		default:
			return fail("TemplateAssertionError", "No filter named %s.", value.Repr(n.Name))
		}
	}
	return nil
}

func fail(class, format string, args ...any) error {
	return value.Errorf(class, "%s", fmt.Sprintf(format, args...))
}
