package weave_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hotloom/hotloom/compiler/graph"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

const types = `heat_template_version: 2018-08-31
parameters: {p: {type: boolean}}
conditions: {c1: {get_param: p}, c2: {not: c1}, c3: {equals: [a, b]}}
component_types:
  all: {tool: script, inputs: {a: {default: ''}, b: {default: ''}}, outputs: {o: {}}, configs: {CREATE: x, UPDATE: x, DELETE: x, SUSPEND: x, RESUME: x}}
  some: {tool: script, inputs: {a: {default: ''}, b: {default: ''}}, outputs: {o: {}}, configs: {CREATE: x, DELETE: x}}
resources:
`

// drawTemplate makes a template without cycles: what waits comes later in a hidden order of all components.
func drawTemplate(t *rapid.T) string {
	type component struct{ host, name string }
	hosts := rapid.IntRange(1, 4).Draw(t, "hosts")
	perHost := make([][]int, hosts) // by host: places in the hidden order, ascending
	var hidden []component
	for i := range rapid.IntRange(1, 20).Draw(t, "components") {
		h := rapid.IntRange(0, hosts-1).Draw(t, "host")
		perHost[h] = append(perHost[h], len(hidden))
		hidden = append(hidden, component{fmt.Sprintf("h%d", h), fmt.Sprintf("c%d", i)})
	}
	var b strings.Builder
	b.WriteString(types)
	for h, places := range perHost {
		fmt.Fprintf(&b, "  h%d:\n    type: OS::Nova::Server\n", h)
		list := rapid.Bool().Draw(t, "list")
		if len(places) > 0 {
			b.WriteString("    components:\n")
		}
		if !list {
			places = rapid.Permutation(places).Draw(t, "as written")
		}
		for _, place := range places {
			dash := "      "
			if list {
				dash = "      - "
			}
			fmt.Fprintf(&b, "%s%s:\n", dash, hidden[place].name)
			line := func(format string, args ...any) { fmt.Fprintf(&b, "            "+format+"\n", args...) }
			line("component_type: %s", rapid.SampledFrom([]string{"all", "some"}).Draw(t, "type"))
			if c := rapid.SampledFrom([]string{"", "", "c1", "c2", "c3"}).Draw(t, "condition"); c != "" {
				line("condition: %s", c)
			}
			if place == 0 {
				continue
			}
			earlier := func(label string) component { return hidden[rapid.IntRange(0, place-1).Draw(t, label)] }
			if rapid.Bool().Draw(t, "depends") {
				a, c := earlier("on"), earlier("and on")
				line("depends_on: [%s.%s, %s.%s]", a.host, a.name, c.host, c.name)
			}
			if rapid.Bool().Draw(t, "reads") {
				a := earlier("output of")
				line("params: {a: {list_join: ['', [{get_attr: [%s, components, %s, o]}]]}}", a.host, a.name)
			}
		}
	}
	return b.String()
}

func weaveText(t interface{ Fatalf(string, ...any) }, text string) *weave.Program {
	root, found := source.Parse("t.yaml", []byte(text))
	template, faults := hot.LoadTemplate(root)
	found.Add(faults...)
	p, woven := weave.Weave(template, weave.Options{})
	found.Add(woven...)
	if found.HasErrors() {
		t.Fatalf("%s\n%s", findings(found), text)
	}
	return p
}

func TestOrderRespectsEveryEdge(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := weaveText(t, drawTemplate(t))
		place := map[string]int{}
		for i, n := range p.Graph.Order() {
			place[n.ID] = i
		}
		for e := range p.Graph.Edges() {
			if place[e.From] >= place[e.To] {
				t.Fatalf("%s does not come before %s, which waits for it", e.From, e.To)
			}
		}
		for _, h := range p.Hosts {
			for i, s := range h.Order {
				for _, other := range h.Order[i+1:] {
					if p.Graph.Reaches(other.ID, s.ID) {
						t.Fatalf("on %s %s runs before %s, which it waits for", h.Name(), s.ID, other.ID)
					}
				}
				for _, before := range s.Before {
					if !p.Graph.Reaches(before.ID, s.ID) {
						t.Fatalf("%s is before %s, but there is no edge", before.ID, s.ID)
					}
				}
			}
		}
	})
}

// TestEveryActionKeepsTheOrderOfCreate compares each action's order with that of CREATE over what both steps have,
// however many components in between lack the action.
func TestEveryActionKeepsTheOrderOfCreate(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := weaveText(t, drawTemplate(t))
		for a := range p.Graph.Nodes() {
			for b := range p.Graph.Nodes() {
				if a.Kind != graph.Step || b.Kind != graph.Step || a.Action != "CREATE" || b.Action != "CREATE" || !p.Graph.Reaches(a.ID, b.ID) {
					continue
				}
				for _, action := range hot.Actions[1:] {
					first, then := p.Step(a.ID+":"+action), p.Step(b.ID+":"+action)
					if action == "DELETE" || action == "SUSPEND" {
						first, then = then, first
					}
					if first != nil && then != nil && !p.Graph.Reaches(first.ID, then.ID) {
						t.Fatalf("%s comes before %s, but at %s not", a.ID, b.ID, action)
					}
				}
			}
		}
	})
}

// TestOrderSurvivesAbsentSteps takes those steps away whose condition is false under some value of the parameter: what
// is left keeps its order by direct predecessors alone.
func TestOrderSurvivesAbsentSteps(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := weaveText(t, drawTemplate(t))
		for _, absent := range []string{"c1", "c2"} {
			gone := func(s *weave.Step) bool { return s.Component.Decl.Condition.Str() == absent }
			left := &graph.Graph{}
			for n := range p.Graph.Nodes() {
				if s := p.Step(n.ID); s != nil && !gone(s) {
					left.Add(*n)
				}
			}
			for e := range p.Graph.Edges() {
				left.Connect(e)
			}
			for a := range left.Nodes() {
				for b := range left.Nodes() {
					if p.Graph.Reaches(a.ID, b.ID) && !left.Reaches(a.ID, b.ID) {
						t.Fatalf("without the steps of condition %s, %s does not wait for %s", absent, b.ID, a.ID)
					}
				}
			}
		}
	})
}
