package lsp

import (
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/lint"
)

// offer is one thing that may stand at a place. Completion lists them; hover shows the one that stands there.
type offer struct {
	name       string
	kind       int    // of the protocol's completion items
	detail     string // one line
	doc        string // Markdown
	resource   string // the resource type whose description is made when it is asked for
	shape      shape  // of what follows a key
	call       string // of a function: its argument as a snippet
	text       bool   // the value is a text, whatever YAML takes the word for
	required   bool
	deprecated bool
	there      bool // it stands there already: shown, not offered again
}

// shape is how what follows a key is written.
type shape uint8

const (
	scalar shape = iota // on the key's line
	nested              // on lines of its own
)

// place is a cursor with what its document says.
type place struct {
	*cursor
	m    *meaning
	snap *snapshot
	// steps is the path in HOT's spelling; args are those that a pattern's stars match.
	steps, args []string
}

// pattern is a path. * is any step, *k a key, *i an item of a list; ** at the end any number of steps.
type pattern []string

func path(s string) pattern { return strings.Split(s, "/") }

// match gives the steps that stars match, the rest behind ** included.
func (p pattern) match(steps []string) (args, rest []string, ok bool) {
	for i, want := range p {
		switch {
		case want == "**":
			return args, steps[i:], true
		case i >= len(steps):
			return nil, nil, false
		case want == "*", want == "*k" && !isItem(steps[i]), want == "*i" && isItem(steps[i]):
			args = append(args, steps[i])
		case want != steps[i]:
			return nil, nil, false
		}
		if i+1 < len(p) && p[i+1] == "**" && i+1 > len(steps) {
			return nil, nil, false
		}
	}
	return args, nil, len(steps) == len(p)
}

// rule says what may stand at the places of a path: as key of the map there, as value.
type rule struct {
	at         pattern
	keys, vals func(*place) []offer
}

// offers lists what may stand at a place.
func (p *place) offers() []offer {
	if p.comment || !p.key && !p.value {
		return nil
	}
	p.steps = p.path
	switch p.m.kind {
	case lint.KindTemplate:
		return p.template()
	case lint.KindEnvironment:
		return p.byRules(environmentRules())
	case lint.KindWorkflow, lint.KindWorkbook, lint.KindActions:
		return p.mistral()
	}
	if len(p.path) == 0 && p.key && len(p.keys) == 0 {
		return words("a template", "heat_template_version")
	}
	return nil
}

func (p *place) byRules(rules []rule) []offer {
	for _, r := range rules {
		args, rest, ok := r.at.match(p.steps)
		if !ok {
			continue
		}
		p.args = append(args, rest...)
		var out []offer
		if p.key && r.keys != nil {
			out = append(out, r.keys(p)...)
		}
		if p.value && r.vals != nil {
			out = append(out, r.vals(p)...)
		}
		return out
	}
	return nil
}

// arg is the n-th step that the pattern's stars matched.
func (p *place) arg(n int) string {
	if n < len(p.args) {
		return p.args[n]
	}
	return ""
}

// words are offers that have no more to say.
func words(detail string, names ...string) []offer {
	out := make([]offer, len(names))
	for i, name := range names {
		out[i] = offer{name: name, kind: itemKeyword, detail: detail}
	}
	return out
}

// keyWords is words for keys: those in nestedKeys are written with what follows on lines of its own.
func keyWords(detail string, names ...string) []offer {
	out := words(detail, names...)
	for i := range out {
		out[i].kind, out[i].doc = itemField, keyDocs()[out[i].name]
		if slices.Contains(nestedKeys, out[i].name) {
			out[i].shape = nested
		}
	}
	return out
}

// values are words that stand as values.
func values(detail string, names ...string) []offer {
	out := words(detail, names...)
	for i := range out {
		out[i].kind = itemValue
	}
	return out
}

// fixedKeys and fixedValues make functions of rules.
func fixedKeys(detail string, names ...string) func(*place) []offer {
	return func(*place) []offer { return keyWords(detail, names...) }
}

func fixedValues(detail string, names ...string) func(*place) []offer {
	return func(*place) []offer { return values(detail, names...) }
}
