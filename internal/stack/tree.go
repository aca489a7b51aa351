package stack

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Node is one resource of a stack or of a stack nested in it.
type Node struct {
	Name       string
	Type       string // "" where only events tell of it
	PhysicalID string
	Status     string // ACTION_STATE
	Reason     string
	Began      time.Time // of the action that Status is of
	Changed    time.Time // the last event
	Parent     *Node     // the resource that is the nested stack; nil at the top
	Children   []*Node   // of a nested stack, in the order in which they were seen

	stackID string
	placed  bool
}

// Path is the way from the top, as Heat writes it without "resources": outer.inner.
func (n *Node) Path() string {
	if n.Parent == nil {
		return n.Name
	}
	return n.Parent.Path() + "." + n.Name
}

// State is IN_PROGRESS, COMPLETE or FAILED.
func (n *Node) State() string { return half(n.Status, 1) }

// Action is the action that the status is of.
func (n *Node) Action() string { return half(n.Status, 0) }

// Tree is what is known of a stack's resources.
type Tree struct {
	Top []*Node

	root  Ref
	nodes map[[2]string]*Node // by stack id and name
	stack map[string]*Node    // the resource that is a nested stack, by the stack's id

	byName map[string]*Node // STACK-RESOURCE by names; nil where there are two
}

// NewTree begins a tree with nothing in it.
func NewTree(root Ref) *Tree {
	return &Tree{root: root, nodes: map[[2]string]*Node{}, stack: map[string]*Node{}, byName: map[string]*Node{}}
}

// Load takes in a list of resources with their nested ones. It gives their states where no event has told a later one.
func (t *Tree) Load(resources []Resource) {
	slices.SortStableFunc(resources, func(a, b Resource) int { return cmp.Compare(a.Created.Unix(), b.Created.Unix()) })
	for _, r := range resources {
		if id := r.Nested().ID; id != "" {
			t.stack[id] = t.node(r.Stack(), r.Name)
		}
	}
	for _, r := range resources {
		n := t.node(r.Stack(), r.Name)
		n.Type = cmp.Or(r.Type, n.Type)
		n.PhysicalID = cmp.Or(r.PhysicalID, n.PhysicalID)
		if n.Status == "" || r.Updated.After(n.Changed) {
			n.set(r.Status, r.Reason, cmp.Or(r.Updated.Time, r.Created.Time))
		}
		t.place(n)
	}
}

// Apply takes in an event, and gives the node that it is of, or nil for an event of a stack as a whole.
func (t *Tree) Apply(e *Event) *Node {
	in := e.Stack()
	if e.OfStack() || e.Name == in.Name {
		return nil
	}
	n := t.node(in, e.Name)
	if e.PhysicalID != "" {
		n.PhysicalID = e.PhysicalID
	}
	if e.Action() != "SIGNAL" && !e.Time.Before(n.Changed) {
		n.set(e.Status, e.Reason, e.Time.Time)
	}
	t.place(n)
	return n
}

// told reports whether an applied event can be told in full: its resource's type and place are known.
func (t *Tree) told(e *Event) bool {
	n := t.Find(e)
	return n == nil || n.placed && n.Type != ""
}

// shortID is what Heat ends the names of nested stacks with.
var shortID = regexp.MustCompile(`-[a-z2-7]{12}$`)

// Guess finds the place of an applied event's resource where no list of resources tells it, as of a nested stack that is
// gone: Heat names nested stacks STACK-RESOURCE-ID, unless the template does.
func (t *Tree) Guess(e *Event) {
	n, in := t.Find(e), e.Stack()
	at := shortID.FindStringIndex(in.Name)
	if n == nil || n.placed || at == nil {
		return
	}
	if parent := t.byName[in.Name[:at[0]]]; parent != nil && parent.stackID != in.ID {
		t.stack[in.ID] = parent
		t.place(n)
	}
}

// Find gives the node that an applied event is of, or nil.
func (t *Tree) Find(e *Event) *Node { return t.nodes[[2]string{e.Stack().ID, e.Name}] }

func (n *Node) set(status, why string, at time.Time) {
	if half(status, 0) != n.Action() || n.Began.IsZero() || half(status, 1) == "IN_PROGRESS" {
		n.Began = at
	}
	n.Status, n.Reason, n.Changed = status, Reason(why), at
}

func (t *Tree) node(in Ref, name string) *Node {
	key := [2]string{in.ID, name}
	n := t.nodes[key]
	if n == nil {
		n = &Node{Name: name, stackID: in.ID}
		t.nodes[key] = n
		full := in.Name + "-" + name
		if _, twice := t.byName[full]; twice {
			n = nil
		}
		t.byName[full] = n
	}
	return t.nodes[key]
}

// place puts a node below its parent, once that is known.
func (t *Tree) place(n *Node) {
	switch parent := t.stack[n.stackID]; {
	case n.placed:
	case n.stackID == t.root.ID:
		n.placed = true
		t.Top = append(t.Top, n)
	case parent != nil:
		n.placed = true
		n.Parent = parent
		parent.Children = append(parent.Children, n)
	}
}

// Counts are the numbers of resources by state, nested ones included, and of all.
func (t *Tree) Counts() (byState map[string]int, all int) {
	byState = map[string]int{}
	for _, n := range t.nodes {
		if n.Status == "DELETE_COMPLETE" {
			continue
		}
		byState[n.State()]++
		all++
	}
	return byState, all
}

// Failed are the nodes that failed and have no failed one below them: the causes, the earliest first.
func (t *Tree) Failed() []*Node {
	var out []*Node
	for _, n := range t.nodes {
		if n.State() == "FAILED" && !slices.ContainsFunc(n.Children, func(c *Node) bool { return c.State() == "FAILED" }) {
			out = append(out, n)
		}
	}
	slices.SortFunc(out, func(a, b *Node) int {
		// what was cut off because something else failed is no cause
		return cmp.Or(cmpBool(isConsequence(a.Reason), isConsequence(b.Reason)), a.Changed.Compare(b.Changed), cmp.Compare(a.Path(), b.Path()))
	})
	return out
}

func isConsequence(why string) bool {
	return strings.Contains(why, "aborted") || strings.Contains(why, "Stack UPDATE cancelled") || strings.Contains(why, "cancelled")
}

func cmpBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
