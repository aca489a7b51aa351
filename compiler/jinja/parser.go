package jinja

import (
	"fmt"
	"sort"
	"strings"
)

type parser struct {
	tokens []token
	at     int
	tags   []string   // open tags, innermost last
	ends   [][]string // what each open body may end with
	depth  int
}

// maxDepth is how deep a template may nest, near where Python's recursion ends.
const maxDepth = 400

// parseError travels as a panic inside this package only; the entry points recover it.
type parseError struct{ err *SyntaxError }

func parseTemplate(text string) (body []stmt, err *SyntaxError) {
	tokens, err := lexTemplate(text)
	if err != nil {
		return nil, err
	}
	defer recoverParse(&err)
	p := &parser{tokens: tokens}
	return p.body(nil), nil
}

func parseExpression(text string) (e expr, err *SyntaxError) {
	tokens, err := lexExpression(text)
	if err != nil {
		return nil, err
	}
	defer recoverParse(&err)
	p := &parser{tokens: tokens}
	e = p.expression()
	if p.cur().kind != "eof" {
		p.fail("chunk after expression")
	}
	return e, nil
}

func recoverParse(err **SyntaxError) {
	if r := recover(); r != nil {
		pe, ok := r.(parseError)
		if !ok {
			panic(r)
		}
		*err = pe.err
	}
}

func (p *parser) fail(format string, args ...any) {
	panic(parseError{&SyntaxError{p.cur().pos, fmt.Sprintf(format, args...)}})
}

func (p *parser) cur() token { return p.tokens[min(p.at, len(p.tokens)-1)] }
func (p *parser) look() token {
	return p.tokens[min(p.at+1, len(p.tokens)-1)]
}

func (p *parser) next() token {
	t := p.cur()
	p.at++
	return t
}

// is tests for a token kind, or for a name with "name:word".
func (t token) is(what string) bool {
	kind, word, named := strings.Cut(what, ":")
	return t.kind == kind && (!named || t.text == word)
}

func (p *parser) skip(what string) bool {
	if p.cur().is(what) {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(what string) token {
	t := p.cur()
	if t.is(what) {
		return p.next()
	}
	if t.kind == "eof" {
		p.fail("unexpected end of template, expected '%s'.", describe(what))
	}
	p.fail("expected token '%s', got '%s'", describe(what), t.describe())
	return t
}

func (t token) describe() string {
	if t.kind == "name" {
		return t.text
	}
	return describe(t.kind)
}

func describe(what string) string {
	if kind, word, named := strings.Cut(what, ":"); named && kind == "name" {
		return word
	}
	for _, op := range operators {
		if op.kind == what {
			return op.text
		}
	}
	switch what {
	case "block_begin":
		return "begin of statement block"
	case "block_end":
		return "end of statement block"
	case "variable_begin":
		return "begin of print statement"
	case "variable_end":
		return "end of print statement"
	case "data":
		return "template data / text"
	case "eof":
		return "end of template"
	}
	return what
}

func (p *parser) enter() {
	p.depth++
	if p.depth > maxDepth {
		p.fail("the template is nested too deep")
	}
}

func (p *parser) leave() { p.depth-- }

// body reads statements until one of the end tags, which is left as the current token, or to the end of the text.
func (p *parser) body(ends []string) []stmt {
	p.enter()
	defer p.leave()
	var out []stmt
	if ends != nil {
		p.ends = append(p.ends, ends)
		defer func() { p.ends = p.ends[:len(p.ends)-1] }()
	}
	for {
		switch t := p.cur(); t.kind {
		case "eof":
			return out
		case "data":
			out = append(out, &dataStmt{t.text})
			p.at++
		case "variable_begin":
			p.at++
			e := p.tuple(tupleOpts{condexpr: true})
			p.expect("variable_end")
			out = append(out, &outStmt{e})
		case "block_begin":
			p.at++
			for _, end := range ends {
				if p.cur().is(end) {
					return out
				}
			}
			out = append(out, p.statement()...)
			p.expect("block_end")
		default:
			p.fail("unexpected '%s'", t.describe())
		}
	}
}

// block is the body of a tag: from the end of its opening to one of the end tags, which is consumed if drop is set.
func (p *parser) block(drop bool, ends ...string) []stmt {
	p.skip("colon")
	p.expect("block_end")
	out := p.body(ends)
	if p.cur().kind == "eof" {
		p.failEnd("", append(p.ends, ends))
	}
	if drop {
		p.at++
	}
	return out
}

func (p *parser) failEnd(name string, stack [][]string) {
	var message []string
	if name == "" {
		message = append(message, "Unexpected end of template.")
	} else {
		message = append(message, fmt.Sprintf("Encountered unknown tag '%s'.", name))
	}
	if len(stack) > 0 {
		known := map[string]bool{}
		for _, ends := range stack {
			for _, e := range ends {
				known[describe(e)] = true
			}
		}
		var looking []string
		for _, e := range stack[len(stack)-1] {
			looking = append(looking, "'"+describe(e)+"'")
		}
		if name != "" && known[name] {
			message = append(message, "You probably made a nesting mistake. Jinja is expecting this tag, but currently looking for "+strings.Join(looking, " or ")+".")
		} else {
			message = append(message, "Jinja was looking for the following tags: "+strings.Join(looking, " or ")+".")
		}
	}
	if len(p.tags) > 0 {
		message = append(message, "The innermost block that needs to be closed is '"+p.tags[len(p.tags)-1]+"'.")
	}
	p.fail("%s", strings.Join(message, " "))
}

// tag gives the reader of a tag, or nil. (A table of these methods would refer to itself.)
func tag(name string) func(*parser) []stmt {
	switch name {
	case "for":
		return (*parser).forTag
	case "if":
		return (*parser).ifTag
	case "set":
		return (*parser).setTag
	case "with":
		return (*parser).withTag
	case "block":
		return (*parser).blockTag
	case "macro":
		return (*parser).macroTag
	case "call":
		return (*parser).callTag
	case "filter":
		return (*parser).filterTag
	case "autoescape":
		return (*parser).autoescapeTag
	case "print":
		return (*parser).printTag
	case "include":
		return (*parser).includeTag
	case "extends":
		return (*parser).extendsTag
	case "import":
		return (*parser).importTag
	case "from":
		return (*parser).fromTag
	}
	return nil
}

func (p *parser) statement() []stmt {
	t := p.cur()
	if t.kind != "name" {
		p.fail("tag name expected")
	}
	f := tag(t.text)
	if f == nil {
		p.failEnd(t.text, p.ends)
	}
	p.tags = append(p.tags, t.text)
	p.at++
	out := f(p)
	p.tags = p.tags[:len(p.tags)-1]
	return out
}

func (p *parser) forTag() []stmt {
	s := &forStmt{target: p.target("name:in")}
	p.expect("name:in")
	s.iter = p.tuple(tupleOpts{end: "name:recursive"})
	if p.skip("name:if") {
		s.test = p.expression()
	}
	s.recursive = p.skip("name:recursive")
	s.body = p.block(false, "name:endfor", "name:else")
	if p.next().text != "endfor" {
		s.otherwise = p.block(true, "name:endfor")
	}
	return []stmt{s}
}

func (p *parser) ifTag() []stmt {
	s := &ifStmt{}
	for {
		s.tests = append(s.tests, p.tuple(tupleOpts{}))
		s.bodies = append(s.bodies, p.block(false, "name:elif", "name:else", "name:endif"))
		t := p.next()
		if t.text == "elif" {
			continue
		}
		if t.text == "else" {
			s.otherwise = p.block(true, "name:endif")
		}
		return []stmt{s}
	}
}

func (p *parser) setTag() []stmt {
	var target expr
	if p.look().kind == "dot" {
		name := p.expect("name").text
		p.at++
		target = &nsRef{name, p.expect("name").text}
	} else {
		target = p.target("")
	}
	if p.skip("assign") {
		return []stmt{&setStmt{target, p.tuple(tupleOpts{condexpr: true})}}
	}
	var filter *filterExpr
	if p.cur().kind == "pipe" {
		filter = p.filter(nil)
	}
	return []stmt{&setBlock{target, filter, p.block(true, "name:endset")}}
}

func (p *parser) withTag() []stmt {
	s := &withStmt{}
	for p.cur().kind != "block_end" {
		if len(s.targets) > 0 {
			p.expect("comma")
		}
		s.targets = append(s.targets, p.target(""))
		p.expect("assign")
		s.vals = append(s.vals, p.expression())
	}
	s.body = p.block(true, "name:endwith")
	return []stmt{s}
}

func (p *parser) autoescapeTag() []stmt {
	p.expression()
	return []stmt{&scopeStmt{p.block(true, "name:endautoescape")}}
}

func (p *parser) blockTag() []stmt {
	name := p.expect("name").text
	p.skip("name:scoped")
	required := p.skip("name:required")
	if p.cur().kind == "sub" {
		p.fail("Block names in Jinja have to be valid Python identifiers and may not contain hyphens, use an underscore instead.")
	}
	body := p.block(true, "name:endblock")
	if required {
		for _, s := range body {
			if d, ok := s.(*dataStmt); !ok || strings.TrimSpace(d.text) != "" {
				p.fail("Required blocks can only contain comments or whitespace")
			}
		}
	}
	p.skip("name:" + name)
	return []stmt{&scopeStmt{body}}
}

func (p *parser) signature(m *macroStmt) {
	p.expect("lparen")
	for p.cur().kind != "rparen" {
		if len(m.params) > 0 {
			p.expect("comma")
		}
		name := p.expect("name").text
		if p.skip("assign") {
			m.defaults = append(m.defaults, p.expression())
		} else if len(m.defaults) > 0 {
			p.fail("non-default argument follows default argument")
		}
		m.params = append(m.params, name)
	}
	p.expect("rparen")
}

func (p *parser) macroTag() []stmt {
	m := &macroStmt{name: p.expect("name").text}
	p.signature(m)
	m.body = p.block(true, "name:endmacro")
	return []stmt{m}
}

func (p *parser) callTag() []stmt {
	m := &macroStmt{name: "caller"}
	if p.cur().kind == "lparen" {
		p.signature(m)
	}
	call, ok := p.expression().(*callExpr)
	if !ok {
		p.fail("expected call")
	}
	m.body = p.block(true, "name:endcall")
	return []stmt{&callStmt{call, m}}
}

func (p *parser) filterTag() []stmt {
	f := p.filterChain(nil, true)
	return []stmt{&filterStmt{f, p.block(true, "name:endfilter")}}
}

func (p *parser) printTag() []stmt {
	var out []stmt
	for p.cur().kind != "block_end" {
		if len(out) > 0 {
			p.expect("comma")
		}
		out = append(out, &outStmt{p.expression()})
	}
	return out
}

func (p *parser) importContext() {
	if (p.cur().is("name:with") || p.cur().is("name:without")) && p.look().is("name:context") {
		p.at += 2
	}
}

func (p *parser) includeTag() []stmt {
	p.expression()
	if p.cur().is("name:ignore") && p.look().is("name:missing") {
		p.at += 2
	}
	p.importContext()
	return []stmt{&loadStmt{}}
}

func (p *parser) extendsTag() []stmt {
	p.expression()
	return []stmt{&loadStmt{}}
}

func (p *parser) importTag() []stmt {
	p.expression()
	p.expect("name:as")
	p.expect("name")
	p.importContext()
	return []stmt{&loadStmt{}}
}

func (p *parser) fromTag() []stmt {
	p.expression()
	p.expect("name:import")
	for first := true; ; first = false {
		if !first {
			p.expect("comma")
		}
		if !first && (p.cur().is("name:with") || p.cur().is("name:without")) && p.look().is("name:context") {
			p.at += 2
			break
		}
		name := p.expect("name").text
		if strings.HasPrefix(name, "_") {
			p.fail("names starting with an underline can not be imported")
		}
		if p.skip("name:as") {
			p.expect("name")
		}
		if p.cur().kind != "comma" {
			p.importContext()
			break
		}
	}
	return []stmt{&loadStmt{}}
}

// target reads what can be assigned to: names and tuples of them.
func (p *parser) target(end string) expr {
	t := p.tuple(tupleOpts{simple: true, end: end})
	p.assignable(t)
	return t
}

func (p *parser) assignable(t expr) {
	switch t := t.(type) {
	case *nameExpr:
		if reserved(t.name) {
			p.fail("can't assign to 'name'")
		}
	case *tupleExpr:
		for _, item := range t.items {
			p.assignable(item)
		}
	default:
		p.fail("can't assign to '%s'", strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%T", t), "*jinja."), "Expr")))
	}
}

func reserved(name string) bool {
	words := []string{"False", "None", "True", "false", "none", "true"}
	i := sort.SearchStrings(words, name)
	return i < len(words) && words[i] == name
}
