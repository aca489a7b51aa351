package function

import (
	"slices"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// Check finds what Heat refuses about the template's function calls, names and dependencies under the scope's
// parameter values, and warns of what it silently takes for something else. What Heat would refuse only under other
// values, because a condition now selects something else or is not known, is a warning.
func (s *Scope) Check() diag.List {
	var found diag.List
	graph := newDependencies(s.Template)
	base := checker{scope: s, version: s.version, functions: s.table.values, found: &found, graph: graph, ordinary: map[ordinary]bool{}}
	for _, c := range s.Template.Conditions {
		base.conditionDefinition(c)
	}
	for _, r := range s.Template.Resources {
		base.resource(r)
	}
	for _, o := range s.Template.Outputs {
		base.output(o)
	}
	for _, c := range s.Template.Conditions {
		base.unusedCondition(c)
	}
	found.Add(graph.cycles()...)
	found.Add(graph.unreadAttributes()...)
	found.Sort()
	return found
}

// place is where a value stands; it decides when Heat resolves it.
type place uint8

const (
	inProperties     place = iota // resolved when the stack is created, at the latest
	inMetadata                    // resolved when the resource is made
	inUpdatePolicy                // as properties, but no source of dependencies
	inDeletionPolicy              // resolved while the template is read
	inExternalID                  // resolved when dependencies are looked for
	inComponent                   // hotloom's components: becomes properties
	inOutput                      // resolved when it is read; a failure shows as null
	inCondition                   // resolved when something uses the condition
)

// checker walks one value. It is copied where the circumstances change.
type checker struct {
	scope     *Scope
	version   *hot.Version
	functions map[string]*Function // those that are live where the walk is
	found     *diag.List
	graph     *dependencies
	ordinary  map[ordinary]bool // what suspect has ruled out
	place     place
	from      *hot.Resource // whose value it is

	parsed    bool // Heat surely constructs the calls here
	validated bool // Heat surely validates them
	certain   bool // which of the two counts for the check that is running
	computed  bool // Heat computes the value when it validates the call around it, which then reports what fails
}

// add reports a finding, as a possibility where Heat need not get there.
func (k *checker) add(d diag.Diagnostic) {
	if !k.certain && k.found != nil && k.graph != nil {
		d = possible(d)
	}
	k.found.Add(d)
}

func (k *checker) find(n *source.Node) (Call, bool) { return find(k.functions, n) }

// unpacks reports whether Python would unpack n into that many variables: lists, but texts and maps too.
func (k *checker) unpacks(n *source.Node, count int) bool {
	switch {
	case n.Is(source.List):
		return len(n.Items) == count
	case n.Is(source.String):
		return len([]rune(n.Text)) == count
	case k.isMap(n):
		return len(n.Pairs) == count
	}
	return false
}

// resource checks one resource: Heat constructs all of its calls, but validates only what its condition enables and
// what is not adopted by external_id.
func (k checker) resource(r *hot.Resource) {
	if r.Condition != nil {
		k.conditionUse(r.Condition, true)
	}
	enabled := k.scope.Enabled(r)
	k.from, k.parsed = r, true
	k.validated = enabled == True && !k.scope.adopted(r)
	k.duplicate(r, enabled)
	k.section(inProperties, r.Properties)
	k.section(inMetadata, r.Metadata)
	k.section(inUpdatePolicy, r.UpdatePolicy)
	k.early(inDeletionPolicy, r, "deletion policy", r.DeletionPolicy)
	k.early(inExternalID, r, "external id", r.ExternalID)
	k.wholeSection(r, "properties", r.Properties)
	k.wholeSection(r, "update_policy", r.UpdatePolicy)
	for _, name := range r.DependsOn {
		k.dependsOn(r, name)
	}
	for _, c := range r.Components {
		k.section(inComponent, c.Params)
		k.section(inComponent, c.Metadata)
		if c.Condition != nil {
			k.conditionUse(c.Condition, k.validated)
		}
	}
}

// early checks a key that Heat resolves as it reads the template: it must be a string or a call, and a deletion policy
// that is computed must exist.
func (k checker) early(p place, r *hot.Resource, key string, n *source.Node) {
	if !n.Is(source.Map) {
		return
	}
	// An id that is adopted keeps Heat from looking at the rest of the resource, not at the id.
	k.parsed, k.validated, k.certain = true, p == inDeletionPolicy || k.scope.Enabled(r) == True, true
	before := len(*k.found)
	k.section(p, n)
	if _, isCall := find(k.scope.table.values, n); !isCall {
		removed := len(n.Pairs) == 1 && k.version.HasRemoved(hot.KeyText(n.Pairs[0].Key)) // a call to Heat, which may look at it or not
		if !removed && !(*k.found)[before:].HasErrors() {
			k.add(keyKind(r, key, n))
		}
		return
	}
	v, err := k.scope.Eval(n)
	switch s, isString := v.(string); {
	case err != nil:
		k.add(finding(err, n))
	case p != inDeletionPolicy || v == nil || unknownIn(v) != nil:
	case !isString || !slices.Contains(k.version.DeletionPolicies(), s):
		k.add(deletionPolicyValue(r, v, k.version))
	}
}

// adopted reports whether the resource stands for an existing thing. An id that is not known yet counts as none: so it
// does to Heat.
func (s *Scope) adopted(r *hot.Resource) bool {
	if r.ExternalID == nil {
		return false
	}
	reads := false
	Walk(s.version, r.ExternalID, func(c Call) bool {
		reads = reads || c.Function.Name == "get_attr"
		return true
	})
	return !reads
}

func (k checker) section(p place, n *source.Node) {
	if n != nil {
		k.place = p
		k.value(n)
	}
}

// duplicate finds a resource with the name of a parameter, if it exists.
func (k checker) duplicate(r *hot.Resource, enabled Truth) {
	name := r.Name.Text
	k.certain = enabled == True
	switch p := k.scope.Template.Parameter(name); {
	case p != nil:
		k.add(duplicateName(r, p.Name))
	case isPseudo(k.version, name):
		k.add(duplicateName(r, nil))
	}
}

// wholeSection finds properties or an update policy that are one call: Heat fails on them, except for types that do
// not look at them.
func (k checker) wholeSection(r *hot.Resource, key string, n *source.Node) {
	c, isCall := find(k.scope.table.values, n)
	if !isCall {
		return
	}
	if t := k.scope.TypeOf(r); t != nil && t.Placeholder {
		return
	}
	k.certain = k.validated
	k.add(wholeSectionCall(r, key, c))
}

func (k checker) dependsOn(r *hot.Resource, name *source.Node) {
	target := k.scope.Template.Resource(name.Text)
	if target == nil {
		k.certain = k.validated
		k.add(unknownResource(name, name.Text, k.scope.Template))
		return
	}
	if k.scope.Enabled(r) != False && !k.scope.adopted(r) {
		k.graph.add(edge{from: r, to: target, at: name, why: "depends_on", certain: k.validated && k.scope.Enabled(target) == True})
	}
}

func (k checker) output(o *hot.Output) {
	if o.Condition != nil {
		k.conditionUse(o.Condition, true)
	}
	if o.Value == nil {
		return
	}
	enabled := k.scope.OutputEnabled(o) == True // a false condition keeps Heat from looking at the value
	k.place, k.parsed, k.validated = inOutput, enabled, enabled
	k.value(o.Value)
}

// value checks a value and all that is in it.
func (k *checker) value(n *source.Node) {
	if c, isCall := k.find(n); isCall {
		k.call(c)
		return
	}
	if p := n.Single(); p != nil {
		k.plainMap(p.Key, p.Value)
	}
	for _, item := range n.Items {
		k.value(item)
	}
	for _, p := range n.Pairs {
		k.value(p.Value)
	}
}

func (k *checker) call(c Call) {
	if isIf(c) {
		k.ifCall(c)
		return
	}
	if c.Arg != nil {
		inner := *k
		inner.computed = k.computed || c.Function.Computes
		inner.value(c.Arg)
	}
	before := len(*k.found)
	if c.Function.Shape != nil {
		k.certain = k.parsed
		c.Function.Shape(k, c)
	}
	if len(*k.found) > before {
		return
	}
	if c.Function.Validate != nil {
		k.certain = k.validated
		c.Function.Validate(k, c)
	}
	if c.Function.Refs != nil && k.place != inCondition {
		k.certain = k.validated
		c.Function.Refs(c, k.reference)
	}
}

// ifCall checks the branch that the condition selects as Heat does, and the other one for what would be wrong if it
// were selected.
func (k *checker) ifCall(c Call) {
	before := len(*k.found)
	k.certain = k.parsed
	c.Function.Shape(k, c)
	if len(*k.found) > before {
		return
	}
	selected := Maybe
	k.conditionUse(c.Arg.Items[0], k.parsed)
	if k.parsed {
		if t, err := k.scope.Truth(c.Arg.Items[0]); err == nil {
			selected = t
		}
	}
	for i, branch := range c.Arg.Items[1:] {
		b := *k
		if selected != True && i == 0 || selected != False && i == 1 {
			b.parsed, b.validated = false, false
		}
		b.value(branch)
	}
}

// plainMap warns of a map with one key that the author may have meant as a call.
func (k *checker) plainMap(key, arg *source.Node) {
	name := hot.KeyText(key)
	switch {
	case k.version.HasRemoved(name):
		k.certain = k.validated
		k.add(removedFunction(key, k.version))
	case k.place == inCondition && k.version.HasFunction(name):
		k.certain = k.parsed
		k.add(functionInCondition(key, k.version))
	default:
		if d, ok := k.suspect(key, name, arg); ok {
			k.found.Add(d)
		}
	}
}
