package yaql

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/value/regex"
)

// kind is what a parameter takes.
type kind uint8

const (
	kAny     kind = iota
	kStr          // text
	kInt          // integer or boolean
	kInteger      // integer, no boolean
	kNum          // integer or float, no boolean
	kBool
	kList // list or tuple
	kDict
	kSet     // set, keys or items view
	kColl    // anything that can be walked, but no text and no dict
	kNoSet   // the same without sets
	kIter    // an iterator proper
	kOrdered // result of orderBy
	kTime
	kSpan
	kRegex
	kNull
	kContext
	kRuleVal // an evaluated rule
	kLambda  // evaluated late, $ being the item
	kBodyFn  // evaluated late in a context that the function gives
	kMethod  // a call, evaluated late on a receiver that the function gives
	kRule    // a rule, its sides evaluated late
	kNode    // the expression itself
	kKeyword // a bare word
)

var kindNames = map[string]kind{
	"any": kAny, "str": kStr, "int": kInt, "integer": kInteger, "num": kNum, "bool": kBool, "list": kList, "dict": kDict,
	"set": kSet, "coll": kColl, "noset": kNoSet, "iter": kIter, "ordered": kOrdered, "time": kTime, "span": kSpan, "regex": kRegex,
	"null": kNull, "context": kContext, "ruleval": kRuleVal, "lambda": kLambda, "body": kBodyFn, "method": kMethod, "rule": kRule,
	"keyword": kKeyword, "node": kNode,
}

func (k kind) lazy() bool { return k >= kLambda && k <= kNode }

// narrower says whether every value of k is also one of other, but not the reverse: the more special of two matching
// overloads wins. It mirrors the subclass relation of the Python types.
func (k kind) narrower(other kind) bool {
	if k == other || k.lazy() || other.lazy() || k == kKeyword || other == kKeyword {
		return false
	}
	switch other {
	case kAny:
		return k != kNum
	case kColl, kNoSet:
		return k == kList || k == kSet || k == kIter || k == kStr || k == kDict || k == kOrdered
	case kList:
		return k == kStr
	case kInt, kInteger:
		return k == kBool
	case kNum:
		return k == kInt || k == kInteger || k == kBool
	}
	return false
}

// noValue stands for an argument that was not given.
type noValue struct{}

// TypeName is the name of YAQL's own marker for it.
func (noValue) TypeName() string { return "MarkerClass" }

// Repr shows it.
func (noValue) Repr() string { return "<NoValue>" }

type param struct {
	name     string
	kind     kind
	nullable bool
	optional bool
	def      any
}

// overload is one form of a function. Its code gets arguments converted by its parameters.
type overload struct {
	name     string
	function bool
	method   bool
	noKW     bool // rules among the arguments are not keyword arguments
	scoped   bool // the code uses a context of its own
	params   []param
	star     *param
	kwargs   *param
	code     func(c *call) (any, error)
}

// signature reads parameters: "string:str, sub:str?, start:int=0, *args:any, **kwargs:any". "?" lets null in
// and "!" keeps it out ("any" takes it otherwise); "=…" is the default, "=" alone an optional one without value.
func (o *overload) signature(sig string) {
	for _, s := range strings.Split(sig, ",") {
		s = strings.TrimSpace(s)
		if s == "" {
			continue
		}
		name, rest, _ := strings.Cut(s, ":")
		typ, def, hasDef := strings.Cut(rest, "=")
		p := param{name: strings.TrimLeft(name, "*"), optional: hasDef}
		k, ok := kindNames[strings.TrimRight(typ, "?!")]
		if !ok {
			panic("yaql: bad type in signature " + sig)
		}
		p.kind = k
		open := k == kAny || k == kLambda || k == kBodyFn || k == kMethod || k == kNull
		p.nullable = strings.HasSuffix(typ, "?") || (open && !strings.HasSuffix(typ, "!"))
		if hasDef {
			p.def = defaultValue(def)
		}
		switch {
		case strings.HasPrefix(name, "**"):
			o.kwargs = &p
		case strings.HasPrefix(name, "*"):
			o.star = &p
		default:
			o.params = append(o.params, p)
		}
	}
}

func defaultValue(s string) any {
	switch s {
	case "":
		return noValue{}
	case "null":
		return nil
	case "true":
		return true
	case "false":
		return false
	case "0s":
		return value.Span{}
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n
	}
	return strings.Trim(s, "'")
}

// check says whether a parameter takes an argument. An expression that is not evaluated yet may become anything.
func (p *param) check(a argument) bool {
	c, isConst := a.node.(*Const)
	switch p.kind {
	case kLambda, kBodyFn:
		return true
	case kMethod:
		_, ok := a.node.(*Call)
		return ok || a.node == nil
	case kRule:
		_, ok := a.node.(*Rule)
		return ok
	case kNode:
		return a.node != nil
	case kKeyword:
		return isConst && c.Word
	}
	v := a.val
	if isConst {
		v = c.Value
	} else if a.node != nil {
		return true
	}
	if v == nil {
		return p.nullable
	}
	return p.kind.has(v)
}

// has says whether a value that is not null is of a kind.
func (k kind) has(v any) bool {
	switch v.(type) {
	case string:
		return k == kStr || k == kAny
	case bool:
		return k == kBool || k == kInt || k == kAny
	case int64, *big.Int:
		return k == kInt || k == kInteger || k == kNum || k == kAny
	case float64:
		return k == kNum || k == kAny
	case value.Tuple, []any:
		return k == kList || k == kColl || k == kNoSet || k == kAny
	case *value.Map:
		return k == kDict || k == kAny
	case *value.Set, value.KeysView, value.ItemsView:
		return k == kSet || k == kColl || k == kAny
	case value.ValuesView:
		return k == kColl || k == kNoSet || k == kAny
	case iterator:
		return k == kIter || k == kColl || k == kNoSet || k == kAny
	case *ordering:
		return k == kOrdered || k == kColl || k == kNoSet || k == kAny
	case value.Time:
		return k == kTime || k == kAny
	case value.Span:
		return k == kSpan || k == kAny
	case *regex.Regexp:
		return k == kRegex || k == kAny
	case *scope:
		return k == kContext || k == kAny
	case *ruleValue:
		return k == kRuleVal || k == kAny
	case []byte:
		return k == kList || k == kColl || k == kNoSet || k == kAny
	}
	return k == kAny
}
