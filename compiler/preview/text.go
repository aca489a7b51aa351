package preview

import (
	"fmt"
	"io"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
)

// Labels say how places are shown: where the author wrote what stands there.
type Labels func(Place) diag.Location

func (l Labels) of(p Place) string {
	at := p.At
	if l != nil {
		if found := l(p); found.Start.Line > 0 {
			at = found
		}
	}
	if at.Start.Line == 0 {
		return ""
	}
	return at.String()
}

// Text writes a plan for people: what goes first, then what changes, and one line that counts.
func (p *Plan) Text(w io.Writer, labels Labels) error {
	t := &textWriter{w: w, labels: labels}
	for _, r := range p.Refusals {
		t.line("refused  %s%s", r.Message, at(labels.of(r.Place)))
	}
	var counts [Replace + 1]int
	var recorded []string
	for _, action := range []Action{Replace, Delete, Update, Create} {
		for _, c := range p.Changes {
			if c.Action != action {
				continue
			}
			if c.Recorded {
				recorded = append(recorded, c.Path)
				continue
			}
			counts[action]++
			t.change(c)
		}
	}
	if len(recorded) > 0 {
		t.line("record   %s: Heat writes down the new definition and does nothing", strings.Join(recorded, ", "))
	}
	stay := len(recorded)
	for _, c := range p.Changes {
		if c.Action == Keep {
			stay++
		}
	}
	t.line("%s", summary(counts, stay))
	return t.err
}

func summary(counts [Replace + 1]int, stay int) string {
	var parts []string
	for _, action := range []Action{Replace, Delete, Update, Create} {
		if n := counts[action]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d to %s", n, action))
		}
	}
	if len(parts) == 0 {
		return fmt.Sprintf("nothing to do: %d stay as they are", stay)
	}
	return strings.Join(parts, ", ") + fmt.Sprintf("; %d stay as they are", stay)
}

type textWriter struct {
	w      io.Writer
	labels Labels
	err    error
}

func (t *textWriter) line(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format+"\n", args...)
	}
}

func at(place string) string {
	if place == "" {
		return ""
	}
	return "  (" + place + ")"
}

func (t *textWriter) change(c Change) {
	kind := c.Type
	if c.OldType != "" && c.OldType != c.Type {
		kind = c.OldType + " → " + c.Type
	}
	may := ""
	if c.Possible {
		may = "perhaps "
	}
	t.line("%-8s %s%s (%s)%s", c.Action, may, c.Path, kind, at(t.labels.of(c.Place)))
	for _, cause := range c.Causes {
		if c.Action == Replace && !cause.Replaces {
			continue // what could change in place is no matter then
		}
		t.line("           %s%s", cause.Describe(), at(t.labels.of(cause.Place)))
		if cause.Advice != "" && cause.Replaces {
			t.line("           to avoid it: %s", cause.Advice)
		}
	}
}

// Describe says in words what a cause is.
func (c Cause) Describe() string {
	var b strings.Builder
	switch c.What {
	case "type":
		fmt.Fprintf(&b, "its type is %v, was %v", c.After, c.Before)
		return b.String()
	case "state":
		return fmt.Sprintf("it is %v", c.Before)
	case "policy":
		if c.Property == "" {
			return "this type does so at every update"
		}
		return c.Property + " asks for it at every update"
	case "property":
		b.WriteString(c.Property)
	case "metadata":
		b.WriteString(strings.TrimSuffix("metadata."+c.Property, "."))
	default:
		b.WriteString(c.What)
	}
	may := "is"
	if c.Possible {
		may = "may become"
	}
	if Show(c.Before) == Show(c.After) {
		b.WriteString(map[bool]string{false: " becomes another value", true: " may become another value"}[c.Possible])
	} else if !c.Secret {
		before, after := contrast(c.Before, c.After)
		fmt.Fprintf(&b, " %s %s, was %s", may, after, before)
	} else {
		fmt.Fprintf(&b, " %s another", may)
	}
	var why []string
	for _, s := range c.Sources {
		why = append(why, s.describe(c))
	}
	if len(why) > 0 {
		b.WriteString(": " + strings.Join(why, "; "))
	}
	return b.String()
}

func (s Source) describe(c Cause) string {
	if len(s.From) == 1 && s.From[0].Kind == "parameter" {
		return s.From[0].describe(c) + ", through " + s.Name
	}
	switch s.Kind {
	case "parameter":
		if s.Secret {
			return "parameter " + s.Name + " is another"
		}
		if Show(s.Before) == Show(c.Before) && Show(s.After) == Show(c.After) {
			return "parameter " + s.Name // its values are those of the property
		}
		before, after := contrast(s.Before, s.After)
		return fmt.Sprintf("parameter %s is %s, was %s", s.Name, after, before)
	case "file":
		if s.Before != nil {
			return fmt.Sprintf("file %s takes the place of %v", s.Name, s.Before)
		}
		return "file " + s.Name + " has another content"
	case "condition":
		return fmt.Sprintf("condition %s is %v", s.Name, s.After)
	case "attribute":
		return "attribute " + s.Name + " may change"
	}
	return fmt.Sprintf("resource %s is %sd", s.Name, s.Action)
}

// widest is how much of a value is shown.
const widest = 60

// contrast shows two values, of long texts the first lines that differ.
func contrast(before, after any) (b, a string) {
	x, xText := before.(string)
	y, yText := after.(string)
	if xText && yText && (strings.Contains(x, "\n") || strings.Contains(y, "\n") || len(x)+len(y) > 2*widest) {
		i := 0
		for i < len(x) && i < len(y) && x[i] == y[i] {
			i++
		}
		start := strings.LastIndexByte(x[:i], '\n') + 1
		line := strings.Count(x[:start], "\n") + 1
		cut := func(s string) string {
			s, _, _ = strings.Cut(s[min(start, len(s)):], "\n")
			return quoted(s)
		}
		return fmt.Sprintf("%s in line %d", cut(x), line), cut(y)
	}
	return quotedValue(before), quotedValue(after)
}

func quotedValue(v any) string {
	if s, ok := v.(string); ok {
		return quoted(s)
	}
	return shorten(Show(v))
}

func quoted(s string) string { return `"` + shorten(s) + `"` }

func shorten(s string) string {
	if r := []rune(s); len(r) > widest {
		return string(r[:widest]) + "…"
	}
	return s
}
