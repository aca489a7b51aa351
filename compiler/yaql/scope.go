package yaql

import "strings"

// scope is YAQL's context: variables and functions in layers.
type scope struct {
	parent *scope
	vars   []variable
	one    [1]variable            // room for vars
	funcs  map[string][]*overload // defined by def()
	defs   bool                   // this layer or one below it has functions of its own
}

type variable struct {
	name string // without the dollar sign; that of $ is "1"
	val  any
}

func (s *scope) child() *scope { return &scope{parent: s, defs: s.defs} }

func normalName(name string) string {
	name = strings.TrimPrefix(name, "$")
	if name == "" {
		return "1"
	}
	return name
}

func (s *scope) set(name string, v any) {
	for i := range s.vars {
		if s.vars[i].name == name {
			s.vars[i].val = v
			return
		}
	}
	if s.vars == nil {
		s.vars = s.one[:0]
	}
	s.vars = append(s.vars, variable{name, v})
}

func (s *scope) get(name string) any {
	for ; s != nil; s = s.parent {
		for i := range s.vars {
			if s.vars[i].name == name {
				return s.vars[i].val
			}
		}
	}
	return nil
}

func (s *scope) define(o *overload) {
	if s.funcs == nil {
		s.funcs = map[string][]*overload{}
	}
	s.funcs[o.name] = append(s.funcs[o.name], o)
	s.defs = true
}

// TypeName is what Python calls the type of a context that is itself a result.
func (s *scope) TypeName() string { return "Context" }

// Repr shows a context in texts.
func (s *scope) Repr() string { return "<yaql.language.contexts.Context object>" }
