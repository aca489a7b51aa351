package yaql

import (
	"context"
	"fmt"

	"github.com/hotloom/hotloom/compiler/value"
)

// Frames count the depth of evaluation as Python counts it, so that too deep expressions fail at a like depth.
const (
	maxFrames     = 980
	frameCall     = 7
	frameLambda   = 2
	frameParen    = 2
	frameRule     = 2
	frameIterator = 1
	frameOutput   = 2 // of a list or dict in the result; an iterator takes one more
)

// evaluation is one run of an expression, with what is left of its limits.
type evaluation struct {
	ctx   context.Context
	lib   *library
	opts  Options
	data  any
	meter value.Meter // steps left
	bytes int64       // memory left
	depth int
	polls int

	failed Node // where the first error came up

	tuples seenLists
	root   scope
}

// Eval evaluates an expression. For Heat, data is the data of the yaql function and $ is {"data": data}; for Mistral,
// data is the context $ itself. data must not change meanwhile; lists in it are seen as tuples, as in the original.
// The result shares nothing with YAQL's own kinds of values: lists, dicts, sets, text, numbers, times.
//
// The error is *Error, or ctx's.
func Eval(ctx context.Context, d Dialect, e *Expr, data any, o Options) (any, error) {
	if e.Root == nil {
		return nil, &Error{Class: "YaqlGrammarException", Message: "expression has a syntax error"}
	}
	o = o.normal(d)
	ev := &evaluation{ctx: ctx, lib: libraryOf(d), opts: o, data: data, meter: value.Meter{Left: o.MaxSteps}, bytes: o.MaxMemory}
	v, err := ev.top(d, e.Root)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		err = asError(err)
		if own, ok := err.(*Error); ok && ev.failed != nil {
			own.Start, own.End = ev.failed.Start(), ev.failed.End()
		}
		return nil, err
	}
	return v, nil
}

// mistralVariables are those that Mistral gives to functions such as env() through the data.
var mistralVariables = [...]string{"__env", "__execution", "__task_execution"}

func (ev *evaluation) top(d Dialect, root Node) (any, error) {
	sc := &ev.root
	if d == Mistral {
		sc.vars = make([]variable, 0, 1+len(mistralVariables))
	}
	if d == Heat {
		ev.data = value.MapOf("data", ev.data)
	}
	sc.set("1", ev.input(ev.data))
	if m, ok := ev.data.(*value.Map); ok && d == Mistral {
		for _, name := range mistralVariables {
			v, _ := m.GetStr(name)
			sc.set(name, v)
		}
	}
	v, err := ev.eval(root, receiver{}, sc)
	if err != nil {
		return nil, err
	}
	if _, missing := v.(noValue); missing {
		return nil, errNoMatch("#finalize", receiver{})
	}
	if err := ev.quota(v); err != nil {
		return nil, err
	}
	out, err := ev.output(v)
	if err != nil {
		return nil, err
	}
	return out, ev.quota(out)
}

// step charges n units of work.
func (ev *evaluation) step(n int) error {
	ev.meter.Left -= int64(n)
	if ev.meter.Left < 0 {
		return limitf(msgSteps)
	}
	if ev.polls++; ev.polls&0xff == 0 && ev.ctx.Err() != nil {
		return ev.ctx.Err()
	}
	return nil
}

// alloc charges n bytes of memory; to be called before they are taken.
func (ev *evaluation) alloc(n int) error {
	ev.bytes -= int64(n)
	if ev.bytes < 0 || n < 0 {
		return limitf("expression needs too much memory")
	}
	if n < 128 {
		return nil
	}
	return ev.step(n >> 7)
}

// text charges a text about to be made, memory and work.
func (ev *evaluation) text(n int) error {
	if err := ev.alloc(n); err != nil {
		return err
	}
	return ev.step(n >> 5)
}

// enter goes n frames deeper.
func (ev *evaluation) enter(n int) error {
	ev.depth += n
	if ev.depth > maxFrames {
		ev.depth -= n
		return fail("RecursionError", "maximum recursion depth exceeded")
	}
	if err := ev.step(1 + n/frameCall); err != nil {
		ev.depth -= n
		return err
	}
	return nil
}

func (ev *evaluation) leave(n int) { ev.depth -= n }

// quota is YAQL's memory quota on one value, or on several together.
func (ev *evaluation) quota(vs ...any) error {
	if ev.opts.Quota <= 0 {
		return nil
	}
	n := 0
	for _, v := range vs {
		switch v.(type) {
		case *ruleValue:
			n += 56
		case *gen:
			n += 104
		default:
			n += value.SizeOf(v)
		}
	}
	return ev.quotaSize(n)
}

func (ev *evaluation) quotaSize(n int) error {
	if ev.opts.Quota > 0 && n > ev.opts.Quota {
		return errQuota()
	}
	return nil
}

// eval evaluates a node; recv is what a call is a method of.
func (ev *evaluation) eval(n Node, recv receiver, sc *scope) (any, error) {
	v, err := ev.node(n, recv, sc)
	if err != nil && ev.failed == nil {
		ev.failed = n
	}
	return v, err
}

func (ev *evaluation) node(n Node, recv receiver, sc *scope) (any, error) {
	switch n := n.(type) {
	case *Const:
		return n.Value, nil
	case *Var:
		if err := ev.step(1); err != nil {
			return nil, err
		}
		v := sc.get(n.Name)
		return v, ev.quota(v)
	case *Call:
		return ev.callNode(n, recv, sc)
	case *Binary:
		return ev.binary(n, sc)
	case *Unary:
		return ev.call(n.Name, sc, receiver{}, []argument{{node: n.X}}, nil)
	case *Index:
		return ev.call("#indexer", sc, receiver{}, append([]argument{{node: n.X}}, unevaluated(n.Args)...), nil)
	case *List:
		return ev.call("#list", sc, receiver{}, unevaluated(n.Args), nil)
	case *Dict:
		return ev.call("#map", sc, receiver{}, unevaluated(n.Args), nil)
	case *Paren:
		if err := ev.enter(frameParen); err != nil {
			return nil, err
		}
		defer ev.leave(frameParen)
		return ev.eval(n.X, recv, sc)
	case *Rule:
		if err := ev.enter(frameRule); err != nil {
			return nil, err
		}
		defer ev.leave(frameRule)
		k, err := ev.eval(n.Key, receiver{}, sc)
		if err != nil {
			return nil, err
		}
		v, err := ev.eval(n.Value, receiver{}, sc)
		return &ruleValue{k, v}, err
	}
	return nil, fmt.Errorf("yaql: unknown node %T", n)
}

func unevaluated(nodes []Node) []argument { return appendNodes(make([]argument, 0, len(nodes)), nodes) }

func appendNodes(args []argument, nodes []Node) []argument {
	for _, n := range nodes {
		if n == nil {
			args = append(args, argument{val: noValue{}})
		} else {
			args = append(args, argument{node: n})
		}
	}
	return args
}

// callNode calls a function, or a method of a receiver.
func (ev *evaluation) callNode(n *Call, recv receiver, sc *scope) (any, error) {
	var buf [4]argument // nothing keeps args
	args := buf[:0]
	if recv.given {
		args = append(args, argument{val: recv.val})
	}
	return ev.call(n.Name, sc, recv, appendNodes(args, n.Args), nil)
}

func (ev *evaluation) binary(n *Binary, sc *scope) (any, error) {
	if sc.defs || n.Op != "." {
		return ev.call(n.Name, sc, receiver{}, []argument{{node: n.Left}, {node: n.Right}}, nil)
	}
	// the commonest operator, without the search for overloads
	switch right := n.Right.(type) {
	case *Call:
		if err := ev.enter(frameCall); err != nil {
			return nil, err
		}
		defer ev.leave(frameCall)
		left, err := ev.eval(n.Left, receiver{}, sc)
		if err != nil {
			return nil, err
		}
		if err := ev.quota(left); err != nil {
			return nil, err
		}
		if err := ev.enter(frameLambda); err != nil {
			return nil, err
		}
		defer ev.leave(frameLambda)
		v, err := ev.callNode(right, receiver{true, left}, sc)
		if err != nil && ev.failed == nil {
			ev.failed = right
		}
		return v, err
	case *Const:
		if right.Word {
			if err := ev.enter(frameCall); err != nil {
				return nil, err
			}
			defer ev.leave(frameCall)
			left, err := ev.eval(n.Left, receiver{}, sc)
			if err != nil {
				return nil, err
			}
			v, err := ev.attribute(left, right, sc)
			if err != nil && ev.failed == nil {
				ev.failed = right
			}
			return v, err
		}
	}
	return nil, errNoMatch(n.Name, receiver{})
}

// attribute is x.word: a key of a dict, the attributes of all items of a collection, or a property.
func (ev *evaluation) attribute(x any, word *Const, sc *scope) (any, error) {
	if err := ev.quota(x); err != nil {
		return nil, err
	}
	name := word.Value.(string)
	switch {
	case kDict.has(x) && x != nil:
		v, ok := x.(*value.Map).GetStr(name)
		if !ok {
			return nil, errKey(name)
		}
		return v, ev.quota(v)
	case x != nil && isIterable(x):
		coll, err := ev.limited(x)
		if err != nil {
			return nil, err
		}
		return ev.lazy("map", coll, func(x any) (any, bool, bool, error) {
			v, err := ev.call("#operator_.", sc, receiver{}, []argument{{val: x}, {node: word}}, nil)
			return v, true, false, err
		}), nil
	}
	return ev.call("#property#"+name, sc, receiver{}, []argument{{val: x}}, nil)
}
