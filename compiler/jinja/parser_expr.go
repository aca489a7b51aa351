package jinja

func (p *parser) expression() expr { return p.condition() }

func (p *parser) condition() expr {
	p.enter()
	defer p.leave()
	e := p.or()
	for p.skip("name:if") {
		c := &condExpr{test: p.or(), then: e}
		if p.skip("name:else") {
			c.otherwise = p.condition()
		}
		e = c
	}
	return e
}

func (p *parser) or() expr {
	left := p.and()
	for p.skip("name:or") {
		left = &logicExpr{false, left, p.and()}
	}
	return left
}

func (p *parser) and() expr {
	left := p.not()
	for p.skip("name:and") {
		left = &logicExpr{true, left, p.not()}
	}
	return left
}

func (p *parser) not() expr {
	if p.skip("name:not") {
		p.enter()
		defer p.leave()
		return &notExpr{p.not()}
	}
	return p.compare()
}

func (p *parser) compare() expr {
	c := &compareExpr{first: p.sum()}
	for {
		switch t := p.cur(); {
		case t.kind == "eq" || t.kind == "ne" || t.kind == "lt" || t.kind == "lteq" || t.kind == "gt" || t.kind == "gteq":
			p.at++
			c.ops = append(c.ops, t.kind)
		case p.skip("name:in"):
			c.ops = append(c.ops, "in")
		case t.is("name:not") && p.look().is("name:in"):
			p.at += 2
			c.ops = append(c.ops, "notin")
		default:
			if len(c.ops) == 0 {
				return c.first
			}
			return c
		}
		c.rest = append(c.rest, p.sum())
	}
}

func (p *parser) sum() expr {
	left := p.concat()
	for {
		switch t := p.cur(); t.kind {
		case "add", "sub":
			p.at++
			left = &binaryExpr{t.kind, left, p.concat()}
		default:
			return left
		}
	}
}

func (p *parser) concat() expr {
	parts := []expr{p.product()}
	for p.skip("tilde") {
		parts = append(parts, p.product())
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return &concatExpr{parts}
}

func (p *parser) product() expr {
	left := p.power()
	for {
		switch t := p.cur(); t.kind {
		case "mul", "div", "floordiv", "mod":
			p.at++
			left = &binaryExpr{t.kind, left, p.power()}
		default:
			return left
		}
	}
}

func (p *parser) power() expr {
	left := p.unary(true)
	for p.skip("pow") {
		left = &binaryExpr{"pow", left, p.unary(true)}
	}
	return left
}

func (p *parser) unary(filters bool) expr {
	p.enter()
	defer p.leave()
	var e expr
	switch {
	case p.skip("sub"):
		e = &unaryExpr{true, p.unary(false)}
	case p.skip("add"):
		e = &unaryExpr{false, p.unary(false)}
	default:
		e = p.primary()
	}
	e = p.postfix(e)
	if filters {
		e = p.filters(e)
	}
	return e
}

func (p *parser) primary() expr {
	t := p.cur()
	switch t.kind {
	case "name":
		p.at++
		switch t.text {
		case "true", "True":
			return &constExpr{true}
		case "false", "False":
			return &constExpr{false}
		case "none", "None":
			return &constExpr{nil}
		}
		return &nameExpr{t.text, t.pos}
	case "string":
		s := ""
		for p.cur().kind == "string" {
			s += p.next().text
		}
		return &constExpr{s}
	case "integer", "float":
		p.at++
		return &constExpr{t.val}
	case "lparen":
		p.at++
		e := p.tuple(tupleOpts{condexpr: true, parentheses: true})
		p.expect("rparen")
		return e
	case "lbracket":
		p.at++
		return &listExpr{p.items("rbracket", p.expression)}
	case "lbrace":
		p.at++
		d := &dictExpr{}
		p.items("rbrace", func() expr {
			d.keys = append(d.keys, p.expression())
			p.expect("colon")
			d.vals = append(d.vals, p.expression())
			return nil
		})
		return d
	}
	p.fail("unexpected '%s'", t.describe())
	return nil
}

// items reads comma-separated items up to the closing bracket; a comma may stand before that.
func (p *parser) items(end string, item func() expr) []expr {
	var out []expr
	for n := 0; p.cur().kind != end; n++ {
		if n > 0 {
			p.expect("comma")
		}
		if p.cur().kind == end {
			break
		}
		out = append(out, item())
	}
	p.expect(end)
	return out
}

type tupleOpts struct {
	simple      bool // names and literals only
	condexpr    bool // X if Y allowed
	parentheses bool // () is a value
	end         string
}

func (p *parser) tuple(o tupleOpts) expr {
	parse := p.or
	switch {
	case o.simple:
		parse = p.primary
	case o.condexpr:
		parse = p.expression
	}
	var items []expr
	isTuple := false
	for {
		if len(items) > 0 {
			p.expect("comma")
		}
		if k := p.cur().kind; k == "variable_end" || k == "block_end" || k == "rparen" || o.end != "" && p.cur().is(o.end) {
			break
		}
		items = append(items, parse())
		if p.cur().kind != "comma" {
			break
		}
		isTuple = true
	}
	if !isTuple {
		if len(items) > 0 {
			return items[0]
		}
		if !o.parentheses {
			p.fail("Expected an expression, got '%s'", p.cur().describe())
		}
	}
	return &tupleExpr{items}
}

func (p *parser) postfix(e expr) expr {
	for {
		switch {
		case p.skip("dot"):
			switch t := p.next(); t.kind {
			case "name":
				e = &attrExpr{e, t.text}
			case "integer":
				e = &itemExpr{e, &constExpr{t.val}}
			default:
				p.at--
				p.fail("expected name or number")
			}
		case p.skip("lbracket"):
			var keys []expr
			for p.cur().kind != "rbracket" {
				if len(keys) > 0 {
					p.expect("comma")
				}
				keys = append(keys, p.subscript())
			}
			p.expect("rbracket")
			if len(keys) == 1 {
				e = &itemExpr{e, keys[0]}
			} else {
				e = &itemExpr{e, &tupleExpr{keys}}
			}
		case p.cur().kind == "lparen":
			e = &callExpr{e, p.callArgs()}
		default:
			return e
		}
	}
}

func (p *parser) subscript() expr {
	s := &sliceExpr{}
	if !p.skip("colon") {
		e := p.expression()
		if !p.skip("colon") {
			return e
		}
		s.start = e
	}
	ends := func() bool { k := p.cur().kind; return k == "rbracket" || k == "comma" }
	if p.cur().kind != "colon" && !ends() {
		s.stop = p.expression()
	}
	if p.skip("colon") && !ends() {
		s.step = p.expression()
	}
	return s
}

func (p *parser) filters(e expr) expr {
	for {
		switch {
		case p.cur().kind == "pipe":
			e = p.filter(e)
		case p.cur().is("name:is"):
			e = p.test(e)
		case p.cur().kind == "lparen":
			e = &callExpr{e, p.callArgs()}
		default:
			return e
		}
	}
}

func (p *parser) filter(of expr) *filterExpr { return p.filterChain(of, false) }

func (p *parser) filterChain(of expr, inline bool) *filterExpr {
	var f *filterExpr
	for p.cur().kind == "pipe" || inline {
		if !inline {
			p.at++
		}
		at := p.cur().pos
		f = &filterExpr{of: of, name: p.dotted(), pos: at}
		if p.cur().kind == "lparen" {
			f.args = p.callArgs()
		}
		inline, of = false, f
	}
	return f
}

func (p *parser) dotted() string {
	name := p.expect("name").text
	for p.skip("dot") {
		name += "." + p.expect("name").text
	}
	return name
}

func (p *parser) test(of expr) expr {
	p.expect("name:is")
	negated := p.skip("name:not")
	at := p.cur().pos
	t := &testExpr{of: of, name: p.dotted(), pos: at}
	switch c := p.cur(); {
	case c.kind == "lparen":
		t.args = p.callArgs()
	case c.kind == "string" || c.kind == "integer" || c.kind == "float" || c.kind == "lbracket" || c.kind == "lbrace" ||
		c.kind == "name" && c.text != "else" && c.text != "or" && c.text != "and":
		if c.is("name:is") {
			p.fail("You cannot chain multiple tests with is")
		}
		t.args.args = []expr{p.postfix(p.primary())}
	}
	if negated {
		return &notExpr{t}
	}
	return t
}

func (p *parser) callArgs() callArgs {
	var a callArgs
	open := p.expect("lparen")
	ensure := func(ok bool) {
		if !ok {
			panic(parseError{&SyntaxError{open.pos, "invalid syntax for function call expression"}})
		}
	}
	for first := true; p.cur().kind != "rparen"; first = false {
		if !first {
			p.expect("comma")
			if p.cur().kind == "rparen" {
				break
			}
		}
		switch {
		case p.skip("mul"):
			ensure(a.all == nil && a.kws == nil)
			a.all = p.expression()
		case p.skip("pow"):
			ensure(a.kws == nil)
			a.kws = p.expression()
		case p.cur().kind == "name" && p.look().kind == "assign":
			ensure(a.kws == nil)
			a.names = append(a.names, p.cur().text)
			p.at += 2
			a.named = append(a.named, p.expression())
		default:
			ensure(a.all == nil && a.kws == nil && len(a.names) == 0)
			a.args = append(a.args, p.expression())
		}
	}
	p.expect("rparen")
	return a
}
