package lint

import (
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// part is the part of a template that a value stands in.
type part uint8

const (
	inProperties part = iota
	inMetadata
	inPolicy // deletion_policy, update_policy, external_id
	inOutput
	inComponent
)

// place is one value of a template: a section of a resource, or an output's value.
type place struct {
	part part
	node *source.Node
	res  *hot.Resource // nil for outputs
	out  *hot.Output
}

// callAt is a function call and where it stands.
type callAt struct {
	place
	function.Call
}

// mapAt is a map that is no call.
type mapAt struct {
	place
	node *source.Node
}

// index holds what several rules look for, found in one walk.
type index struct {
	places     []place
	calls      []callAt
	maps       []mapAt
	conditions []function.Call           // calls in conditions, wherever those stand
	parameters map[string][]usage        // uses by parameter name
	resources  map[string][]usage        // references by resource name, depends_on left out
	named      map[string][]*source.Node // uses by condition name
}

// usage is one reference and where it stands; the place is zero for conditions.
type usage struct {
	place
	function.Reference
}

func newIndex(t *hot.Template) *index {
	ix := &index{parameters: map[string][]usage{}, resources: map[string][]usage{}, named: map[string][]*source.Node{}}
	v := t.VersionOf()
	for _, r := range t.Resources {
		for _, pl := range resourcePlaces(r) {
			ix.value(v, pl)
		}
		ix.condition(v, r.Condition)
	}
	for _, o := range t.Outputs {
		if o.Value != nil {
			ix.value(v, place{part: inOutput, node: o.Value, out: o})
		}
		ix.condition(v, o.Condition)
	}
	for _, c := range t.Conditions {
		ix.condition(v, c.Value)
	}
	return ix
}

func resourcePlaces(r *hot.Resource) []place {
	var out []place
	add := func(pt part, n *source.Node) {
		if n != nil {
			out = append(out, place{part: pt, node: n, res: r})
		}
	}
	add(inProperties, r.Properties)
	add(inMetadata, r.Metadata)
	add(inPolicy, r.DeletionPolicy)
	add(inPolicy, r.UpdatePolicy)
	add(inPolicy, r.ExternalID)
	for _, c := range r.Components {
		add(inComponent, c.Params)
		add(inComponent, c.Metadata)
	}
	return out
}

func (ix *index) value(v *hot.Version, pl place) {
	ix.places = append(ix.places, pl)
	function.Walk(v, pl.node, func(c function.Call) bool {
		ix.calls = append(ix.calls, callAt{pl, c})
		ix.references(pl, c)
		return true
	})
	pl.node.Walk(func(n *source.Node) bool {
		if n.Kind == source.Map {
			if _, isCall := function.Find(v, n); !isCall {
				ix.maps = append(ix.maps, mapAt{pl, n})
			}
		}
		return true
	})
}

func (ix *index) condition(v *hot.Version, n *source.Node) {
	if n == nil {
		return
	}
	if n.Is(source.String) {
		ix.named[n.Text] = append(ix.named[n.Text], n)
		return
	}
	function.WalkCondition(v, n, func(c function.Call) bool {
		ix.conditions = append(ix.conditions, c)
		ix.references(place{}, c)
		return true
	})
}

func (ix *index) references(pl place, c function.Call) {
	if c.Function.Refs == nil {
		return
	}
	c.Function.Refs(c, func(r function.Reference) {
		if !r.Target.Is(source.String) {
			return
		}
		name := r.Target.Text
		switch r.Kind {
		case function.Parameter:
			ix.parameters[name] = append(ix.parameters[name], usage{pl, r})
		case function.Resource, function.Attribute:
			ix.resources[name] = append(ix.resources[name], usage{pl, r})
		case function.ParameterOrResource:
			ix.parameters[name] = append(ix.parameters[name], usage{pl, r})
			ix.resources[name] = append(ix.resources[name], usage{pl, r})
		case function.Condition:
			ix.named[name] = append(ix.named[name], r.Target)
		}
	})
}

// dependsOn reports whether a resource depends, directly or not, on one for which wanted holds.
func (p *Pass) dependsOn(r *hot.Resource, wanted func(*hot.Resource) bool) bool {
	seen := map[*hot.Resource]bool{r: true}
	queue := []*hot.Resource{r}
	for len(queue) > 0 {
		next := p.dependencies(queue[0])
		queue = queue[1:]
		for _, d := range next {
			if seen[d] {
				continue
			}
			if wanted(d) {
				return true
			}
			seen[d] = true
			queue = append(queue, d)
		}
	}
	return false
}

// dependencies lists the resources that r names, in depends_on or in its values.
func (p *Pass) dependencies(r *hot.Resource) []*hot.Resource {
	if p.edges == nil {
		p.edges = map[*hot.Resource][]*hot.Resource{}
		for name, uses := range p.index.resources {
			target := p.Template.Resource(name)
			for _, u := range uses {
				if target != nil && u.res != nil && (u.part == inProperties || u.part == inMetadata) {
					p.edges[u.res] = append(p.edges[u.res], target)
				}
			}
		}
		for _, from := range p.Template.Resources {
			for _, n := range from.DependsOn {
				if target := p.Template.Resource(n.Text); target != nil {
					p.edges[from] = append(p.edges[from], target)
				}
			}
		}
	}
	return p.edges[r]
}
