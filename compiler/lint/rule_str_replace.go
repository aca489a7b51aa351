package lint

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
)

var strReplace = &Check{"str-replace", checkStrReplace}

var replaceUnused = &Rule{
	ID: "str-replace-unused", Severity: diag.Warning, Check: strReplace,
	Summary: "A parameter of str_replace does not occur in its template.",
	Heat:    "Accepted; str_replace_strict and str_replace_vstrict refuse it when the value is computed.",
}

var replacePrefix = &Rule{
	ID: "str-replace-prefix", Severity: diag.Warning, Check: strReplace,
	Summary: "A placeholder occurs inside another word of the template, so part of that word is replaced.",
	Heat:    "Every occurrence is replaced, inside other words too; of placeholders that overlap the longer goes first.",
}

var replaceLeft = &Rule{
	ID: "str-replace-left", Severity: diag.Warning, Check: strReplace,
	Summary: "Text that looks like a placeholder stays in the result of str_replace.",
	Heat:    "Only the placeholders that params names are replaced; the rest is text.",
}

func checkStrReplace(p *Pass) {
	for _, c := range p.index.calls {
		switch c.Function.Name {
		case "str_replace", "str_replace_strict", "str_replace_vstrict":
			p.replaceCall(c.Call)
		}
	}
}

func (p *Pass) replaceCall(c function.Call) {
	params := c.Arg.Get("params")
	template := c.Arg.Get("template")
	if !params.Is(source.Map) || params.Single() != nil && p.isCall(params) {
		return
	}
	text := template
	if call, isCall := function.Find(p.Version, template); isCall && call.Function.Name == "get_file" && p.files != nil {
		text = p.files(call.Arg)
	}
	if !text.Is(source.String) {
		return
	}
	var names []string
	for _, pair := range params.Pairs {
		name := hot.KeyText(pair.Key)
		names = append(names, name)
		if name != "" && !strings.Contains(text.Text, name) {
			d := diag.Warnf(pair.Key.At(), "str-replace-unused", "placeholder %q does not occur in the template", name)
			if c.Function.Name != "str_replace" {
				d.Message += ", and " + c.Function.Name + " refuses that"
			}
			p.report(d)
		}
	}
	if text != template {
		return // positions below are those of the template's own text
	}
	p.insideWords(params, template, names)
	p.leftOver(template, names)
}

func (p *Pass) isCall(n *source.Node) bool {
	_, ok := function.Find(p.Version, n)
	return ok
}

// insideWords reports placeholders without a mark of their own that are part of longer words of the text.
func (p *Pass) insideWords(params, template *source.Node, names []string) {
	var words []string
	for _, pair := range params.Pairs {
		name := hot.KeyText(pair.Key)
		if len(name) < 2 || !isWord(name) {
			continue
		}
		if words == nil {
			words = strings.FieldsFunc(template.Text, func(r rune) bool { return !wordRune(r) })
		}
		for _, w := range words {
			if w == name || !strings.Contains(w, name) || slices.ContainsFunc(names, func(other string) bool {
				return len(other) > len(name) && strings.Contains(other, name) && strings.Contains(w, other)
			}) {
				continue
			}
			p.report(diag.Warnf(pair.Key.At(), "str-replace-prefix", "placeholder %q is also replaced inside %q", name, w).
				With("give the placeholder marks that occur nowhere else, such as %%%s%%", name))
			break
		}
	}
}

func wordRune(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// isWord reports whether a text is letters, digits and underscores only.
func isWord(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !wordRune(r) })
}

// conventions are the usual ways to mark a placeholder.
var conventions = []func() *regexp.Regexp{
	lazyregexp.New(`%[A-Za-z_][A-Za-z0-9_]*%`),
	lazyregexp.New(`__[A-Za-z][A-Za-z0-9_]*?__`),
	lazyregexp.New(`<%[^%>\n]+%>`),
	lazyregexp.New(`\$\{?[a-z_][A-Za-z0-9_]*\}?`),
}

// leftOver reports words that are marked as all the known placeholders are, but are none.
func (p *Pass) leftOver(template *source.Node, names []string) {
	for i, form := range conventions {
		if len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return form().FindString(n) != n }) {
			continue
		}
		if i == len(conventions)-1 && len(names) < 2 {
			return // a shell has variables of its own
		}
		for _, found := range form().FindAllString(template.Text, -1) {
			if slices.Contains(names, found) || slices.ContainsFunc(names, func(n string) bool { return strings.Contains(found, n) }) {
				continue
			}
			if i == len(conventions)-1 && assigned(template.Text, found) {
				continue
			}
			p.report(diag.Warnf(template.At(), "str-replace-left", "%q looks like a placeholder, but params does not name it", found))
			break
		}
	}
}

// assigned reports whether a shell text gives the variable a value itself.
func assigned(text, variable string) bool {
	name := strings.Trim(variable, "${}")
	return regexp.MustCompile(`(^|[\s;({])(export\s+|local\s+|read\s+|for\s+)?` + regexp.QuoteMeta(name) + `(=|\s+in\b|\s*$)`).MatchString(text)
}
