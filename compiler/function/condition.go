package function

import (
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// Truth is what a condition comes to as far as the parameters are known.
type Truth uint8

// The truths.
const (
	Maybe Truth = iota // it depends on values that are not known
	False
	True
)

func (t Truth) not() Truth {
	switch t {
	case True:
		return False
	case False:
		return True
	}
	return Maybe
}

func truth(b bool) Truth {
	if b {
		return True
	}
	return False
}

// condState is the state of a named condition's evaluation.
type condState struct {
	running, done bool
	truth         Truth
	err           error
	waits         *waits // what the definition waits for; nil before somebody asks
}

// waits are unknown values, each reason once, of parameters that a condition reads itself or through others.
type waits struct {
	values []any
	seen   map[string]bool
}

func (w *waits) add(v any) {
	u := unknownIn(v)
	if u == nil || w.seen[u.Why] || len(w.values) >= maxReasons {
		return
	}
	if w.seen == nil {
		w.seen = map[string]bool{}
	}
	w.seen[u.Why] = true
	w.values = append(w.values, u)
}

// Enabled says whether the resource exists: whether its condition holds. A condition that cannot be computed may hold.
func (s *Scope) Enabled(r *hot.Resource) Truth { return s.holds(r.Condition) }

// OutputEnabled says whether the output has its value.
func (s *Scope) OutputEnabled(o *hot.Output) Truth { return s.holds(o.Condition) }

func (s *Scope) holds(condition *source.Node) Truth {
	if condition == nil {
		return True
	}
	t, err := s.Truth(condition)
	if err != nil {
		return Maybe
	}
	return t
}

// Truth computes a condition as it stands under a condition key, in an if or within another condition: a boolean, the
// name of a condition, or a function call. Each named condition is computed once.
func (s *Scope) Truth(n *source.Node) (Truth, error) {
	v, err := s.EvalCondition(n)
	if err != nil {
		return Maybe, err
	}
	return s.truthOf(v, n)
}

// truthOf reads a computed value as a condition: Heat takes null for true and a string for a condition's name, even
// where a function made it.
func (s *Scope) truthOf(v Value, n *source.Node) (Truth, error) {
	switch v := v.(type) {
	case *Unknown:
		return Maybe, nil
	case nil:
		return True, nil
	case bool:
		return truth(v), nil
	case string:
		if s.Template.Condition(v) != nil {
			return s.Condition(v)
		}
		if !n.Is(source.String) {
			return Maybe, &Fault{Diagnostic: conditionNotBool(n, v)}
		}
		return Maybe, &Fault{Diagnostic: unknownCondition(n, s.Template)}
	}
	return Maybe, &Fault{Diagnostic: conditionNotBool(n, v)}
}

// join computes a condition function that joins conditions. Heat resolves the calls among them first, and looks names
// up as it comes to them.
func (s *Scope) join(c Call) (Truth, error) {
	if shaped := s.shape(s.table.conditions, c); len(shaped) > 0 {
		return Maybe, &Fault{Diagnostic: shaped[0]}
	}
	nodes := c.Function.Truths(c)
	values := make([]Value, len(nodes))
	for i, n := range nodes {
		v, err := s.EvalCondition(n)
		if err != nil {
			return Maybe, err
		}
		values[i] = v
	}
	i := 0
	return c.Function.Join(func() (Truth, bool, error) {
		if i >= len(nodes) {
			return Maybe, false, nil
		}
		t, err := s.truthOf(values[i], nodes[i])
		i++
		return t, true, err
	})
}

// Condition computes the named condition, which exists.
func (s *Scope) Condition(name string) (Truth, error) {
	state := s.conditions[name]
	if state == nil {
		state = &condState{}
		s.conditions[name] = state
	}
	c := s.Template.Condition(name)
	switch {
	case state.done:
		return state.truth, state.err
	case state.running:
		return Maybe, &Fault{Diagnostic: s.conditionCycle(name)}
	}
	state.running = true
	s.running = append(s.running, c)
	state.truth, state.err = s.definition(c)
	s.running = s.running[:len(s.running)-1]
	state.running, state.done = false, true
	return state.truth, state.err
}

// definition computes what a definition comes to: here a string is no name but a mistake.
func (s *Scope) definition(c *hot.Condition) (Truth, error) {
	if _, isCall := find(s.table.conditions, c.Value); !isCall && !c.Value.Is(source.Bool) {
		return Maybe, &Fault{Diagnostic: s.conditionDefinition(c)}
	}
	v, err := s.EvalCondition(c.Value)
	switch v := v.(type) {
	case *Unknown:
		return Maybe, err
	case bool:
		return truth(v), err
	}
	if err != nil {
		return Maybe, err
	}
	return Maybe, &Fault{Diagnostic: conditionNotBool(c.Value, v)}
}

// undecided is what stands for the value that a condition decides which depends on what is not known: the parameters
// that it reads, itself or through the conditions that it names.
func (s *Scope) undecided(n *source.Node) *Unknown {
	var w waits
	s.waitsOf(n, &w)
	if len(w.values) > 0 {
		out := *together(w.values[0].(*Unknown), w.values)
		out.Parameter, out.Form = false, Open // which value it is, is open as well
		return &out
	}
	return &Unknown{Why: "a condition"}
}

// waitsOf adds what a condition waits for. It looks through each named condition once.
func (s *Scope) waitsOf(n *source.Node, into *waits) {
	var refs []Reference
	if n.Is(source.String) {
		refs = []Reference{{Kind: Condition, Target: n}}
	} else {
		w := walker{table: s.table, visit: collect(&refs)}
		w.condition(n)
	}
	for _, r := range refs {
		name := r.Target.Text
		switch {
		case r.Kind == Condition && s.Template.Condition(name) != nil:
			for _, v := range s.namedWaits(name).values {
				into.add(v)
			}
		case r.Kind == Parameter:
			if v, err := s.parameter(r.Call, name); err == nil {
				into.add(v)
			}
		}
	}
}

func (s *Scope) namedWaits(name string) *waits {
	state := s.conditions[name]
	if state == nil {
		state = &condState{}
		s.conditions[name] = state
	}
	if state.waits == nil {
		state.waits = &waits{} // before it is filled: conditions may lead back here
		s.waitsOf(s.Template.Condition(name).Value, state.waits)
	}
	return state.waits
}
