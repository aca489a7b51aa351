// Package value holds values as Python has them, for the parts of hotloom whose meaning is defined by a Python
// program: HOT functions, YAQL, Jinja and the workflow engine.
//
// A value is one of
//
//	nil  bool  int64  *big.Int (only what int64 cannot hold)  float64  string  []byte
//	[]any (list)  Tuple  *Map (dict)  *Set  KeysView  ItemsView  ValuesView  Time  Span
//
// or an opaque value of a caller's own type, which is compared by identity. The package gives them Python's
// equality, order, hash, truth, str, repr, arithmetic, text methods, number and date formats, and JSON as Python's
// json module writes and reads it.
//
// Strings are Unicode text; lone surrogates, which Python strings can hold, become U+FFFD. Complex numbers do not
// exist: what would yield one is an error.
//
// Functions that walk values are methods of *Meter too: it bounds their work, since a small expression can build a
// value whose walk never ends (a list of two lists of two lists …). A nil *Meter is without bound.
package value

import (
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"sort"
)

// Tuple is Python's immutable, hashable sequence.
type Tuple []any

// Error is a Python exception: Class is its type's name ("TypeError"), Msg what str() of it gives.
type Error struct {
	Class, Msg string
}

// Error gives the message, or the class if there is none.
func (e *Error) Error() string {
	if e.Msg == "" {
		return e.Class
	}
	return e.Msg
}

// Errorf makes an exception of a class.
func Errorf(class, format string, args ...any) *Error {
	return &Error{Class: class, Msg: fmt.Sprintf(format, args...)}
}

// ErrBudget says that a Meter ran out.
var ErrBudget = errors.New("value: too much work")

// maxDepth is how deep nested values are walked, near where Python gives up.
const maxDepth = 965

var errDepth = &Error{Class: "RecursionError", Msg: "maximum recursion depth exceeded"}

// Meter is an allowance of work: one unit a visited value, and one a few dozen bytes of text made or compared.
type Meter struct {
	Left int64
}

func (m *Meter) spend(n int) error {
	if m == nil {
		return nil
	}
	m.Left -= int64(n)
	if m.Left < 0 {
		return ErrBudget
	}
	return nil
}

// enter guards one level of nesting; leave ends it.
func (m *Meter) enter(depth int) error {
	if depth > maxDepth {
		return errDepth
	}
	return m.spend(1)
}

// Pairer is how a caller's own type takes part in equality.
type Pairer interface{ EqualTo(other any) bool }

// Reprer is how a caller's own type takes part in repr.
type Reprer interface{ Repr() string }

// Typer is how a caller's own type names itself, as Python's type(x).__name__.
type Typer interface{ TypeName() string }

// TypeName gives Python's name of a value's type: "int", "NoneType", "list", …
func TypeName(v any) string {
	switch v := v.(type) {
	case nil:
		return "NoneType"
	case bool:
		return "bool"
	case int64, *big.Int:
		return "int"
	case float64:
		return "float"
	case string:
		return "str"
	case []byte:
		return "bytes"
	case []any:
		return "list"
	case Tuple:
		return "tuple"
	case *Map:
		if v.frozen {
			return "FrozenDict"
		}
		return "dict"
	case *Set:
		if v.frozen {
			return "frozenset"
		}
		return "set"
	case KeysView:
		return v.name("keys")
	case ItemsView:
		return v.name("items")
	case ValuesView:
		return v.name("values")
	case Time:
		return "datetime.datetime"
	case Span:
		return "datetime.timedelta"
	case Typer:
		return v.TypeName()
	}
	return "object"
}

// Truth is Python's bool(v).
func Truth(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case int64:
		return v != 0
	case float64:
		return v != 0
	case string:
		return v != ""
	case []byte:
		return len(v) > 0
	case []any:
		return len(v) > 0
	case Tuple:
		return len(v) > 0
	case *Map:
		return v.Len() > 0
	case *Set:
		return v.Len() > 0
	case KeysView:
		return v.M.Len() > 0
	case ItemsView:
		return v.M.Len() > 0
	case ValuesView:
		return v.M.Len() > 0
	case Span:
		return v != Span{}
	}
	return true
}

// Len is Python's len(v); ok is false for what has none.
func Len(v any) (n int, ok bool) {
	switch v := v.(type) {
	case string:
		return RuneLen(v), true
	case []byte:
		return len(v), true
	case []any:
		return len(v), true
	case Tuple:
		return len(v), true
	case *Map:
		return v.Len(), true
	case *Set:
		return v.Len(), true
	case KeysView:
		return v.M.Len(), true
	case ItemsView:
		return v.M.Len(), true
	case ValuesView:
		return v.M.Len(), true
	}
	return 0, false
}

// Seq gives the items of a list or tuple; ok is false for anything else. The result must not be changed.
func Seq(v any) (items []any, ok bool) {
	switch v := v.(type) {
	case []any:
		return v, true
	case Tuple:
		return v, true
	}
	return nil, false
}

// From turns ordinary Go values into values of this package: all integer and float types, maps with string keys
// (sorted, as Go has no order), slices, pointers and nil. What it does not know is returned as it is.
func From(v any) any {
	switch v := v.(type) {
	case nil, bool, int64, float64, string, []byte, Tuple, *Map, *Set, Time, Span:
		return v
	case int:
		return int64(v)
	case *big.Int:
		return NormInt(v)
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = From(x)
		}
		return out
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		m := NewMap(len(v))
		for _, k := range keys {
			m.SetStr(k, From(v[k]))
		}
		return m
	}
	return fromReflect(v)
}

func fromReflect(v any) any {
	rv := reflect.ValueOf(v)
	switch rv.Kind() {
	case reflect.Bool:
		return rv.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return rv.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return NormInt(new(big.Int).SetUint64(rv.Uint()))
	case reflect.Float32, reflect.Float64:
		return rv.Float()
	case reflect.String:
		return rv.String()
	case reflect.Slice, reflect.Array:
		out := make([]any, rv.Len())
		for i := range out {
			out[i] = From(rv.Index(i).Interface())
		}
		return out
	case reflect.Map:
		if rv.Type().Key().Kind() != reflect.String {
			return v
		}
		keys := make([]string, 0, rv.Len())
		for _, k := range rv.MapKeys() {
			keys = append(keys, k.String())
		}
		sort.Strings(keys)
		m := NewMap(len(keys))
		for _, k := range keys {
			m.SetStr(k, From(rv.MapIndex(reflect.ValueOf(k).Convert(rv.Type().Key())).Interface()))
		}
		return m
	}
	return v
}
