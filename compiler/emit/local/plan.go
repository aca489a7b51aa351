// Package local lays out what happens to a stack on this machine: a template with everything nested in it becomes one
// flat plan of nodes, and the plan an OpenStack Mistral workflow for the embedded engine.
//
// It knows parameters' values, and so how many members a group has; what depends on results of others is computed when
// the workflow runs. It knows no clouds and runs nothing: internal/local does.
package local

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/graph"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

// Kind says what a node of the plan is.
type Kind string

// The kinds.
const (
	Host     Kind = "host"     // a server
	Resource Kind = "resource" // another resource
	Group    Kind = "group"    // complete when its members are
	Nested   Kind = "stack"    // a resource that a nested template stands for; complete when all in it is
	Step     Kind = "step"     // one component on one host
	Wait     Kind = "wait"     // a workflow handle
	Workflow Kind = "workflow" // an execution of a workflow
)

// Node is one thing that is made, updated and removed as one.
//
// Its Key is unique and stable: RESOURCE and HOST.COMPONENT in the template itself, GROUP/0 and GROUP/0.COMPONENT for the
// members of a group, RESOURCE/NAME for what is in the template nested behind a resource.
type Node struct {
	Key        string
	Kind       Kind
	Type       string        // resource type, component type or workflow reference
	Stack      *Stack        // whose functions its values are computed with
	Resource   *hot.Resource // nil for steps
	Properties *source.Node  // as far as a group's index is concerned, computed; nil where absent
	Metadata   *source.Node
	Component  *weave.Component // steps
	Host       string           // steps: the key of the host
	Member     int              // of the group that the node is a member of, or runs on a member of; else -1
	Members    []string         // groups: the keys of the members
	Inner      *Stack           // Nested: what is in it
	After      []string         // the keys of what it waits for, without repetition
	At         *source.Node     // the author's definition
}

// Location is where the author defined the node.
func (n *Node) Location() diag.Location { return n.At.At() }

// Stack is one template in one place: the root, one behind a resource, or a member of a group.
type Stack struct {
	Path       string // "" at the root; else RESOURCE/ or GROUP/0/, with those above before it
	Template   *hot.Template
	Program    *weave.Program
	Parent     *Stack
	Properties *source.Node // what the parent gives as parameters
	Hot        *hot.Stack

	scope *function.Scope // as far as values are known before anything exists
}

// Key is the key of a node in the stack.
func (s *Stack) Key(name string) string { return s.Path + name }

// Plan is the nodes of a stack, each behind those that it waits for.
type Plan struct {
	Root  *Stack
	Nodes []*Node

	byKey map[string]*Node
}

// Node finds a node, or nil.
func (p *Plan) Node(key string) *Node { return p.byKey[key] }

// Has reports whether a plan has a node.
func (p *Plan) Has(key string) bool { return p.byKey[key] != nil }

func (p *Plan) add(n *Node) {
	n.After = unique(n.After)
	p.Nodes = append(p.Nodes, n)
	p.byKey[n.Key] = n
}

func unique(keys []string) []string {
	seen := make(map[string]bool, len(keys))
	var out []string
	for _, k := range keys {
		if !seen[k] {
			seen[k] = true
			out = append(out, k)
		}
	}
	return out
}

// isFirst reports whether a graph's node is the one that stands for what it is: a component is there with its CREATE
// step, or the first that it has.
func isFirst(p *weave.Program, n *graph.Node) bool {
	s := p.Step(n.ID)
	return s == nil || s == s.Component.Steps[0]
}
