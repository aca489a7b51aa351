package weave

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/graph"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// Options say what a template's text does not.
type Options struct {
	// Types are where component types are looked for that the template does not define, one after the other: the
	// files that the environment's resource_registry names, the library. Built-in types come last.
	Types []Types
	// ResolveType says what the type of a resource (or of a group's member) comes to under the environment's
	// resource_registry: the name of another type, or a nested template. Nil: every type is what it is called.
	ResolveType func(resource string, typ *source.Node) (name string, nested *hot.Template)
	// Below gives the options that hold in the template nested behind a resource. Nil: the same.
	Below func(resource string) Options
}

// Weave gathers a template's hosts, components, handles and workflows, checks them against their types and each other,
// and makes the workflow graph. The program is never nil; of a faulty template it holds what could be understood. A
// template without components gives a program without hosts, and the graph of its resources.
//
// Templates nested in it that have components are woven too (Program.Nested).
//
// It reports what hotloom adds to HOT only: function calls, names of resources and parameters, and loops of resources
// alone are compiler/function's.
func Weave(t *hot.Template, opts Options) (*Program, diag.List) {
	p, found := weave(t, opts)
	found.Add(p.weaveNested(opts)...)
	found.Sort()
	return p, found
}

// weave weaves one template by itself.
func weave(t *hot.Template, opts Options) (*Program, diag.List) {
	w := newWeaver(t, opts)
	w.gatherHosts()
	w.gatherWorkflows()
	w.readValues()
	w.resolveDependsOn()
	w.checkConditions()
	w.checkWorkflows()
	w.buildGraph()
	return w.p, w.found
}

// weaver carries the state of one Weave.
type weaver struct {
	t     *hot.Template
	v     *hot.Version
	opts  Options
	scope *function.Scope // knows no parameter's value: what is true here is always true
	p     *Program
	found diag.List

	types     map[string]*hot.ComponentType // by name, nil for those that are nowhere
	handles   map[*hot.Resource]*Handle
	workflows map[*hot.Resource]*Workflow
	links     map[*Component][]link // what a component waits for
	needs     map[*hot.Resource][]link
	guards    map[*Read]*guard
	nodeNames []string // all that a component's depends_on can name; made when first needed
	comparing int      // how many more names may be compared for suggestions
}

// link is one reason to wait: for a component, all components of a host, or a resource. Exactly one of the three is set.
type link struct {
	component *Component
	host      *Host
	resource  *hot.Resource
	reason    graph.Reason
	detail    string
	at        *source.Node
}

// components are those that the link leads to.
func (l link) components() []*Component {
	switch {
	case l.component != nil:
		return []*Component{l.component}
	case l.host != nil:
		return l.host.Components
	}
	return nil
}

// maxComparisons bounds the search for suggestions over one template, which is quadratic in the number of mistakes.
const maxComparisons = 50_000

func newWeaver(t *hot.Template, opts Options) *weaver {
	return &weaver{
		t: t, v: t.VersionOf(), opts: opts, scope: function.NewScope(t, nil),
		p: &Program{
			Template: t, Graph: &graph.Graph{},
			hosts: map[string]*Host{}, steps: map[string]*Step{},
		},
		types:   map[string]*hot.ComponentType{},
		handles: map[*hot.Resource]*Handle{}, workflows: map[*hot.Resource]*Workflow{},
		links: map[*Component][]link{}, needs: map[*hot.Resource][]link{}, guards: map[*Read]*guard{},
		comparing: maxComparisons,
	}
}

func (w *weaver) add(d diag.Diagnostic) { w.found.Add(d) }

// suggest adds the nearest of the candidates to the finding, if one is near.
func (w *weaver) suggest(d diag.Diagnostic, word string, candidates []string) diag.Diagnostic {
	if near := w.nearest(word, candidates); near != "" {
		return d.With("did you mean %q?", near)
	}
	return d
}

func (w *weaver) nearest(word string, candidates []string) string {
	if w.comparing -= len(candidates); w.comparing < 0 {
		return ""
	}
	return diag.Nearest(word, candidates)
}

// resourceNames are the names of those resources for which keep holds.
func (w *weaver) resourceNames(keep func(*hot.Resource) bool) []string {
	var names []string
	for _, r := range w.t.Resources {
		if keep(r) {
			names = append(names, r.Name.Str())
		}
	}
	return names
}

// componentNames are the names of a host's components, as written.
func (h *Host) componentNames() []string {
	if len(h.names) != len(h.Components) {
		h.names = h.names[:0]
		for _, c := range h.Components {
			h.names = append(h.names, c.Name())
		}
	}
	return h.names
}
