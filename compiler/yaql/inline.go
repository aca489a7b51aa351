package yaql

import (
	"context"
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
)

// Text is a string of a workflow document with its <% %> parts.
type Text struct {
	Source string
	Parts  []Part
}

// Part is one <% %> of a text.
type Part struct {
	Source     string // with the brackets
	Start, End int    // in the text, in characters, brackets included
	Inner      int    // where the expression starts in the text, in characters; positions in it count from here
	Expr       *Expr
	Err        *SyntaxError // what Mistral's validation says, its position counted from Inner

	fault *SyntaxError // what evaluation says: there blanks around the expression are cut off first
}

// ParseText finds and parses the expressions in a text: <% … %> on one line, as short as can be. Blanks and further
// <, % and > characters around an expression do not belong to it; blanks count only in the positions that Mistral's
// own messages name.
func ParseText(s string) *Text {
	t := &Text{Source: s}
	at := 0
	for {
		from, to := nextPart(s[at:])
		if from < 0 {
			return t
		}
		source := s[at+from : at+to]
		inner := strings.TrimLeft(source, "<%>")
		left := len(source) - len(inner)
		inner = strings.TrimRight(inner, "<%>")
		trimmed := strings.TrimLeftFunc(inner, value.IsSpace)
		left += len(inner) - len(trimmed)
		expr, fault := Parse(strings.TrimRightFunc(trimmed, value.IsSpace))
		err := fault
		if fault != nil || strings.Trim(inner, " \t\r\n") != expr.Text {
			_, err = Parse(inner)
		}
		if err != nil && err != fault {
			err.Position = max(0, err.Position-value.RuneLen(inner)+value.RuneLen(trimmed))
		}
		start := value.RuneLen(s[:at+from])
		t.Parts = append(t.Parts, Part{
			Source: source, Start: start, End: start + value.RuneLen(source),
			Inner: start + value.RuneLen(source[:left]), Expr: expr, Err: err, fault: fault,
		})
		at += to
	}
}

// nextPart finds <% … %> without a line end in it.
func nextPart(s string) (from, to int) {
	for at := 0; ; {
		i := strings.Index(s[at:], "<%")
		if i < 0 {
			return -1, -1
		}
		i += at
		end := strings.Index(s[i+2:], "%>")
		if end < 0 {
			return -1, -1
		}
		if !strings.Contains(s[i:i+2+end], "\n") {
			return i, i + 2 + end + 2
		}
		at = i + 2
	}
}

// HasExpression says whether a text holds a <% … %>.
func HasExpression(s string) bool {
	from, _ := nextPart(s)
	return from >= 0
}

// Eval evaluates a text: itself if it has no expression, the value of the expression if it is nothing but one, else
// the text with each expression replaced by Python's str() of its value.
//
// The error is an *Error whose message is that of the original: "Can not evaluate YAQL expression [expression=…,
// error=…]", without the data.
func (t *Text) Eval(ctx context.Context, data any, o Options) (any, error) {
	out := t.Source
	for _, p := range t.Parts {
		var v any
		var err error
		if p.fault != nil {
			err = &Error{Class: p.fault.Class, Message: p.fault.Message, Start: p.fault.Position, End: p.fault.Position}
		} else {
			v, err = Eval(ctx, Mistral, p.Expr, data, o)
		}
		if err != nil {
			return nil, &EvaluationError{Expression: p.Expr.Text, Inner: p.Inner, Err: err}
		}
		if len(p.Source) == len(t.Source) {
			return v, nil
		}
		o := o.normal(Mistral)
		meter := &value.Meter{Left: o.MaxSteps}
		s, err := meter.Str(v)
		if err == nil && int64(value.ReplacedLen(out, p.Source, s, -1)) > o.MaxMemory {
			err = limitf("expression needs too much memory")
		}
		if err != nil {
			return nil, &EvaluationError{Expression: p.Expr.Text, Inner: p.Inner, Err: asError(err)}
		}
		out = strings.ReplaceAll(out, p.Source, s)
	}
	return out, nil
}

// EvaluationError says which expression of a text failed. Err is *Error, or the context's error; the places in it count
// from Inner, where the expression starts in the text, in characters.
type EvaluationError struct {
	Expression string
	Inner      int
	Err        error
}

func (e *EvaluationError) Error() string {
	return "Can not evaluate YAQL expression [expression=" + e.Expression + ", error=" + e.Err.Error() + "]"
}

// Unwrap gives the failure itself.
func (e *EvaluationError) Unwrap() error { return e.Err }
