package yaql

// Node is one part of an expression. Positions are offsets in characters from the start of the expression.
type Node interface {
	Start() int
	End() int
}

type span struct{ start, end int32 } // below maxText

func between(start, end int) span { return span{int32(start), int32(end)} } //nolint:gosec // below maxText

// Start is where the node begins.
func (s span) Start() int { return int(s.start) }

// End is the place after its last character.
func (s span) End() int { return int(s.end) }

// Const is a literal, or a bare word, which means its own text.
type Const struct {
	span
	Value any
	Word  bool // a bare word
}

// Var is $, $name or $1. Name is without the dollar sign; that of $ is "1", as $ and $1 are the same.
type Var struct {
	span
	Name string
}

// Call is name(args). Arguments that are left out, as in f(,1), are nil.
type Call struct {
	span
	Name    string
	NameEnd int
	Args    []Node
}

// Binary is an operator between two operands; Name is the function that it calls.
type Binary struct {
	span
	Op          string
	OpAt        int
	Name        string
	Left, Right Node
}

// Unary is +x, -x or not x.
type Unary struct {
	span
	Op   string
	Name string
	X    Node
}

// Index is x[args].
type Index struct {
	span
	X    Node
	Args []Node
}

// List is [args].
type List struct {
	span
	Args []Node
}

// Dict is {args}.
type Dict struct {
	span
	Args []Node
}

// Paren is (x).
type Paren struct {
	span
	X Node
}

// Rule is key => value, in argument lists only.
type Rule struct {
	span
	Key, Value Node
}

// Expr is a parsed expression.
type Expr struct {
	Text string
	Root Node // nil if the text has a syntax error
}

// Function is a call found in an expression.
type Function struct {
	Name       string
	Method     bool // called on a receiver: x.name()
	Start, End int  // of the name
}

// Functions lists the calls of an expression in the order in which they are written.
func (e *Expr) Functions() []Function {
	var out []Function
	var walk func(n Node, method bool)
	all := func(ns []Node) {
		for _, n := range ns {
			walk(n, false)
		}
	}
	walk = func(n Node, method bool) {
		switch n := n.(type) {
		case *Call:
			out = append(out, Function{n.Name, method, n.Start(), n.NameEnd})
			all(n.Args)
		case *Binary:
			walk(n.Left, false)
			walk(n.Right, n.Op == "." || n.Op == "?.")
		case *Unary:
			walk(n.X, false)
		case *Index:
			walk(n.X, false)
			all(n.Args)
		case *List:
			all(n.Args)
		case *Dict:
			all(n.Args)
		case *Paren:
			walk(n.X, false)
		case *Rule:
			walk(n.Key, false)
			walk(n.Value, false)
		}
	}
	walk(e.Root, false)
	return out
}
