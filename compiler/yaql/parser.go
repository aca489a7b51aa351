package yaql

import (
	"strconv"
)

// Limits on the size of one expression; YAQL itself has none.
const (
	maxText  = 1 << 20 // bytes
	maxDepth = 5000    // nesting of the tree
)

// Levels of precedence, tightest first, as YAQL numbers them.
const (
	levelDot = iota + 1
	levelIndex
	levelSign
	levelMatch
	levelTimes
	levelPlus
	levelCompare
	levelNot
	levelAnd
	levelOr
	levelArrow
	levelAny
)

// Parse reads a bare YAQL expression. The result is never nil; its Root is nil if there is an error. Like YAQL's own
// parser it stops at the first fault.
func Parse(text string) (*Expr, *SyntaxError) {
	e := &Expr{Text: text}
	if len(text) > maxText {
		return e, &SyntaxError{Class: "YaqlGrammarException", Message: "expression of more than " + strconv.Itoa(maxText) + " bytes"}
	}
	p := &parser{lex: newLexer(text), text: text}
	p.advance()
	root := p.expression(levelAny)
	if p.err == nil && p.tok.kind != tEnd {
		p.unexpected()
	}
	if p.err != nil {
		return e, p.err
	}
	e.Root = root
	return e, nil
}

// parser is a Pratt parser. After the first error all its methods return quickly; results are then meaningless.
type parser struct {
	lex   lexer
	text  string
	tok   token
	last  int // end of the token before tok
	depth int
	err   *SyntaxError
}

func (p *parser) advance() {
	if p.err != nil {
		return
	}
	p.last = p.tok.end
	t, err := p.lex.next()
	if err != nil {
		p.stop(err)
		return
	}
	p.tok = t
}

// stop ends parsing: no token follows an error.
func (p *parser) stop(err *SyntaxError) {
	if p.err == nil {
		p.err = err
	}
	p.tok = token{kind: tEnd}
}

func (p *parser) unexpected() {
	if p.err != nil {
		return
	}
	if p.tok.kind == tEnd {
		p.stop(&SyntaxError{Position: p.lex.size, Class: "YaqlGrammarException", Message: "Parse error: unexpected end of statement"})
		return
	}
	p.stop(&SyntaxError{
		Position: p.tok.start, Class: "YaqlGrammarException",
		Message: "Parse error: unexpected '" + p.tok.shown() + "' at position " + strconv.Itoa(p.tok.start) + " of expression '" + p.text + "'",
	})
}

func (p *parser) is(op string) bool { return p.tok.kind == tOp && p.tok.text == op }

func (p *parser) expect(op string) {
	if !p.is(op) {
		p.unexpected()
		return
	}
	p.advance()
}

func (p *parser) enter() bool {
	p.depth++
	if p.depth > maxDepth && p.err == nil {
		p.stop(&SyntaxError{Position: p.tok.start, Class: "YaqlGrammarException", Message: "expression nested deeper than " + strconv.Itoa(maxDepth)})
	}
	return p.err == nil
}

// expression reads an operand and all operators after it that bind at least as tightly as level.
func (p *parser) expression(level int) Node {
	was := p.depth
	defer func() { p.depth = was }()
	if !p.enter() {
		return nil
	}
	left := p.operand()
	for p.err == nil && p.tok.kind == tOp {
		if p.is("[") {
			if levelIndex > level {
				break
			}
			p.advance()
			args := p.arguments("]")
			left = &Index{between(start(left), p.last), left, args}
		} else {
			op := p.tok.op.binary
			if op == nil || op.level > level {
				break
			}
			text, at := p.tok.text, p.tok.start
			p.advance()
			operandLevel := op.level - 1
			if op.right {
				operandLevel = op.level
			}
			right := p.expression(operandLevel)
			left = &Binary{between(start(left), p.last), text, at, op.name, left, right}
		}
		if !p.enter() { // a chain of operators is a tree as deep as it is long
			return nil
		}
	}
	return left
}

func start(n Node) int {
	if n == nil {
		return 0
	}
	return n.Start()
}

func (p *parser) operand() Node {
	t := p.tok
	at := between(t.start, t.end)
	switch t.kind {
	case tValue:
		p.advance()
		return &Const{span: at, Value: t.val}
	case tWord:
		p.advance()
		return &Const{span: at, Value: t.text, Word: true}
	case tVar:
		p.advance()
		name := t.text[1:]
		if name == "" {
			name = "1"
		}
		return &Var{at, name}
	case tFunc:
		p.advance()
		args := p.arguments(")")
		return &Call{between(t.start, p.last), t.text, t.end - 1, args}
	case tOp:
		if op := t.op.prefix; op != nil {
			p.advance()
			x := p.expression(op.level)
			return &Unary{between(t.start, p.last), t.text, op.name, x}
		}
		switch t.text {
		case "(":
			p.advance()
			x := p.expression(levelAny)
			p.expect(")")
			return &Paren{between(t.start, p.last), x}
		case "[":
			p.advance()
			args := p.arguments("]")
			return &List{between(t.start, p.last), args}
		case "{":
			p.advance()
			args := p.arguments("}")
			return &Dict{between(t.start, p.last), args}
		}
	}
	p.unexpected()
	return nil
}

// arguments reads up to and past the closing bracket: values and gaps first, then rules. A gap is written by an
// extra comma before a value; one gap may also stand between the values and the rules.
func (p *parser) arguments(end string) []Node {
	if p.is(end) {
		p.advance()
		return nil
	}
	var args []Node
	gaps := p.commas()
	rules := false
	for first := true; p.err == nil; first = false {
		v := p.expression(levelAny)
		for range gaps {
			args = append(args, nil)
		}
		switch {
		case p.is("=>") && (gaps == 0 || (!first && gaps == 1)):
			p.advance()
			dest := p.expression(levelAny)
			v = &Rule{between(start(v), p.last), v, dest}
			rules = true
		case rules:
			p.unexpected()
		}
		args = append(args, v)
		if p.is(end) {
			p.advance()
			return args
		}
		p.expect(",")
		gaps = 0
		if !rules {
			gaps = p.commas()
		}
	}
	return nil
}

func (p *parser) commas() int {
	n := 0
	for p.is(",") {
		n++
		p.advance()
	}
	return n
}
