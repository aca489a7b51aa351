package evaluate

import (
	"context"
	"errors"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/expression"
	"github.com/hotloom/hotloom/compiler/jinja"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/yaql"
)

// Language is an expression language over data, with no template around it.
type Language struct {
	Jinja   bool         // else YAQL
	Dialect yaql.Dialect // of YAQL
	Data    any          // $.data to Heat's YAQL, $ to Mistral's, _ to Jinja
}

// ParseData reads data: JSON, or YAML where it is none.
func ParseData(name, text string) (any, *Failure) {
	if v, err := value.ParseJSON(text); err == nil {
		return v, nil
	}
	n, fault := parse(name, text)
	if fault != nil {
		return nil, fault
	}
	return valueOf(n), nil
}

// Eval computes an expression; name is what its text is called in messages, "" for none.
//
// To Heat, the text is a YAQL expression. To Mistral it is a text of a workflow, such as "<% $.a %>": what is in it
// counts, as there: {{ … }} is Jinja even where YAQL was asked for, and a text whose brackets make no expression, as across
// lines, is its own value. A text without brackets is a bare expression.
func (l Language) Eval(ctx context.Context, name, text string) (any, *Failure) {
	var v any
	var fault *Failure
	switch {
	case l.Dialect == yaql.Heat && !l.Jinja:
		v, fault = l.bareYAQL(ctx, name, text)
	case expression.IsJinja(text):
		if err := jinja.Check(text); err != nil {
			return nil, jinjaSyntax(name, text, err)
		}
		v, fault = l.text(ctx, name, text)
	case l.Jinja:
		v, fault = l.bareJinja(ctx, name, text)
	case strings.Contains(text, "<%") || strings.Contains(text, "%>"):
		v, fault = l.text(ctx, name, text)
	default:
		v, fault = l.bareYAQL(ctx, name, text)
	}
	if fault != nil {
		return nil, fault
	}
	return tagged(v, 0), nil
}

func (l Language) bareYAQL(ctx context.Context, name, text string) (any, *Failure) {
	e, serr := yaql.Parse(text)
	if serr != nil {
		return nil, failure(wrong(place(name, text, serr.Position, serr.Position), "%s", serr.Message), text)
	}
	v, err := yaql.Eval(ctx, l.Dialect, e, l.Data, yaql.Options{})
	if err != nil {
		return nil, yaqlFailure(name, text, 0, err)
	}
	return v, nil
}

func (l Language) text(ctx context.Context, name, text string) (any, *Failure) {
	v, err := expression.Evaluate(ctx, text, l.Data, expression.Options{})
	var yaqlError *yaql.EvaluationError
	switch {
	case err == nil:
		return v, nil
	case errors.As(err, &yaqlError):
		return nil, yaqlFailure(name, text, yaqlError.Inner, yaqlError.Err)
	}
	return nil, jinjaFailure(name, text, err)
}

func (l Language) bareJinja(ctx context.Context, name, text string) (any, *Failure) {
	if err := jinja.CheckExpression(text); err != nil {
		return nil, jinjaSyntax(name, text, err)
	}
	v, err := expression.EvaluateJinja(ctx, text, l.Data, expression.Options{})
	if err != nil {
		return nil, jinjaFailure(name, text, err)
	}
	return v, nil
}

// yaqlFailure points at the part of the text that failed; the expression starts at inner.
func yaqlFailure(name, text string, inner int, err error) *Failure {
	at := diag.Location{Path: name}
	class := ""
	var e *yaql.Error
	if errors.As(err, &e) {
		if e.Message != "" && e.Class != "LimitError" && !strings.HasSuffix(e.Class, "Exception") {
			class = e.Class + ": " // Python's own messages say little without it
		}
		if e.End > 0 {
			at = place(name, text, inner+e.Start, inner+e.End)
		}
	}
	return failure(wrong(at, "%s%v", class, err), text)
}

func jinjaSyntax(name, text string, err *jinja.SyntaxError) *Failure {
	offset := min(max(err.Offset, 0), len(text))
	n := value.RuneLen(text[:offset])
	return failure(wrong(place(name, text, n, n), "%s", err.Message), text)
}

func jinjaFailure(name, text string, err error) *Failure {
	var e *expression.JinjaError
	if errors.As(err, &e) {
		err = e.Err
	}
	class := ""
	var v *value.Error
	if errors.As(err, &v) && v.Msg != "" {
		class = v.Class + ": "
	}
	return failure(wrong(diag.Location{Path: name}, "%s%v", class, err), text)
}
