package jinja

import "slices"

// Read is a use of an attribute of a name, such as `_.x`. Safe says that its absence is provided for: by a default
// filter or a test.
type Read struct {
	Of, Name string
	Offset   int // of the name, in bytes
	Safe     bool
}

// Reads lists the attributes of names that a template or an expression reads, in order; nothing for a text that
// cannot be parsed. Names that the template sets itself are left out.
func Reads(text string) []Read {
	body, err := parseTemplate(text)
	if err != nil {
		return nil
	}
	var r reader
	r.body(body)
	return r.out
}

// NameKind says what a name is used as.
type NameKind uint8

// The kinds.
const (
	FilterName NameKind = iota
	TestName
	FunctionName
)

func (k NameKind) String() string { return [...]string{"filter", "test", "function"}[k] }

// Name is a filter, a test or a function that a template uses.
type Name struct {
	Name   string
	Kind   NameKind
	Offset int // in bytes
	// Soft says that it stands in an if: there Jinja looks the name up when it comes to it, elsewhere before it renders
	// anything.
	Soft bool
}

// Unknown lists the filters, tests and functions that a text uses and that neither Jinja has nor the caller, whose
// filters and functions own tells, nor the text itself makes. It lists nothing for a text that cannot be parsed.
func Unknown(text string, own func(name string) bool) []Name {
	body, err := parseTemplate(text)
	if err != nil {
		return nil
	}
	r := reader{own: own, made: map[string]bool{"loop": true, "caller": true, "self": true, "super": true, "varargs": true, "kwargs": true}}
	r.body(body)
	return slices.DeleteFunc(r.unknown, func(n Name) bool { return n.Kind == FunctionName && r.made[n.Name] })
}

type reader struct {
	out     []Read
	unknown []Name
	own     func(name string) bool
	made    map[string]bool // names that the text gives values to; nil where nobody asks
	soft    int
}

func (r *reader) make(targets ...expr) {
	for _, t := range targets {
		switch t := t.(type) {
		case *nameExpr:
			if r.made != nil {
				r.made[t.name] = true
			}
		case *tupleExpr:
			r.make(t.items...)
		}
	}
}

func (r *reader) called(x *callExpr) {
	name, isName := x.fn.(*nameExpr)
	if !isName || r.made == nil || r.own != nil && r.own(name.name) || slices.Contains(globalNames, name.name) {
		return
	}
	r.unknown = append(r.unknown, Name{Name: name.name, Kind: FunctionName, Offset: name.pos, Soft: r.soft > 0})
}

// globalNames are the functions that every template of Jinja has.
var globalNames = []string{"range", "dict", "lipsum", "cycler", "joiner", "namespace"}

func (r *reader) filter(x *filterExpr) {
	if filterNamed(x.name) == nil && !slices.Contains(leftOut, x.name) && (r.own == nil || !r.own(x.name)) {
		r.unknown = append(r.unknown, Name{Name: x.name, Offset: x.pos, Soft: r.soft > 0})
	}
}

func (r *reader) test(x *testExpr) {
	if !hasTest(x.name) {
		r.unknown = append(r.unknown, Name{Name: x.name, Kind: TestName, Offset: x.pos, Soft: r.soft > 0})
	}
}

func (r *reader) exprs(safe bool, list ...expr) {
	for _, x := range list {
		r.expr(x, safe)
	}
}

func (r *reader) args(a callArgs, safe bool) {
	r.exprs(safe, a.args...)
	r.exprs(safe, a.named...)
	r.exprs(safe, a.all, a.kws)
}

func (r *reader) expr(x expr, safe bool) {
	if read, ok := readOf(x); ok {
		read.Safe = safe
		r.out = append(r.out, read)
		return
	}
	switch x := x.(type) {
	case *listExpr:
		r.exprs(safe, x.items...)
	case *tupleExpr:
		r.exprs(safe, x.items...)
	case *dictExpr:
		r.exprs(safe, x.keys...)
		r.exprs(safe, x.vals...)
	case *attrExpr:
		r.expr(x.of, safe)
	case *itemExpr:
		r.exprs(safe, x.of, x.key)
	case *sliceExpr:
		r.exprs(safe, x.start, x.stop, x.step)
	case *callExpr:
		r.called(x)
		r.expr(x.fn, safe)
		r.args(x.args, safe)
	case *filterExpr:
		if x == nil {
			return
		}
		r.filter(x)
		r.expr(x.of, safe || x.name == "default" || x.name == "d")
		r.args(x.args, safe)
	case *testExpr:
		r.test(x)
		r.expr(x.of, safe || x.name == "defined" || x.name == "undefined")
		r.args(x.args, safe)
	case *notExpr:
		r.expr(x.of, safe)
	case *logicExpr:
		// `x is defined and x` reads x only where it is there.
		_, guarded := x.left.(*testExpr)
		r.expr(x.left, safe)
		r.expr(x.right, safe || guarded)
	case *binaryExpr:
		r.exprs(safe, x.left, x.right)
	case *unaryExpr:
		r.expr(x.of, safe)
	case *concatExpr:
		r.exprs(safe, x.parts...)
	case *compareExpr:
		r.expr(x.first, safe)
		r.exprs(safe, x.rest...)
	case *condExpr:
		_, guarded := x.test.(*testExpr)
		r.soft++
		r.expr(x.test, safe)
		r.exprs(safe || guarded, x.then, x.otherwise)
		r.soft--
	}
}

func (r *reader) body(body []stmt) {
	for _, s := range body {
		switch s := s.(type) {
		case *outStmt:
			r.expr(s.of, false)
		case *setStmt:
			r.make(s.target)
			r.expr(s.to, false)
		case *setBlock:
			r.make(s.target)
			r.expr(s.filter, false)
			r.body(s.body)
		case *forStmt:
			r.make(s.target)
			r.exprs(false, s.iter, s.test)
			r.body(s.body)
			r.body(s.otherwise)
		case *ifStmt:
			r.soft++
			r.exprs(false, s.tests...)
			for _, b := range s.bodies {
				r.body(b)
			}
			r.body(s.otherwise)
			r.soft--
		case *withStmt:
			r.make(s.targets...)
			r.exprs(false, s.vals...)
			r.body(s.body)
		case *scopeStmt:
			r.body(s.body)
		case *macroStmt:
			r.make(&nameExpr{name: s.name})
			for _, name := range s.params {
				r.make(&nameExpr{name: name})
			}
			r.exprs(false, s.defaults...)
			r.body(s.body)
		case *callStmt:
			r.expr(s.call, false)
			r.body(s.as.body)
		case *filterStmt:
			r.expr(s.filter, false)
			r.body(s.body)
		}
	}
}

func readOf(x any) (Read, bool) {
	switch x := x.(type) {
	case *attrExpr:
		if n, ok := x.of.(*nameExpr); ok {
			return Read{Of: n.name, Name: x.name, Offset: n.pos}, true
		}
	case *itemExpr:
		n, isName := x.of.(*nameExpr)
		k, isConst := x.key.(*constExpr)
		if isName && isConst {
			if s, ok := k.val.(string); ok {
				return Read{Of: n.name, Name: s, Offset: n.pos}, true
			}
		}
	}
	return Read{}, false
}
