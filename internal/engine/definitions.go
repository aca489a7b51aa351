package engine

import (
	"fmt"
	"strings"
	"sync"
	"unicode"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/internal/action"
	"github.com/hotloom/hotloom/internal/engine/flow"
	"github.com/hotloom/hotloom/internal/engine/store"
)

// definitions answers the interpreter from the store, with what was read once kept.
type definitions struct {
	store      *store.Store
	actions    *action.Registry
	executions func() []*flow.Execution

	mu    sync.Mutex
	docs  map[string]*workflow.Document // by hash
	names map[name]string               // hash, "" where there is none
}

type name struct{ kind, namespace, name string }

var _ flow.Definitions = (*definitions)(nil)

func newDefinitions(s *store.Store, actions *action.Registry) *definitions {
	return &definitions{
		store: s, actions: actions, docs: map[string]*workflow.Document{}, names: map[name]string{},
		executions: func() []*flow.Execution { return nil },
	}
}

// document gives a parsed document by hash; nil if it is not there.
func (d *definitions) document(hash string) *workflow.Document {
	d.mu.Lock()
	defer d.mu.Unlock()
	if doc, ok := d.docs[hash]; ok {
		return doc
	}
	stored, ok, err := d.store.Document(hash)
	if err != nil || !ok {
		return nil
	}
	doc, _ := workflow.Parse(&source.File{Path: stored.Path, Text: stored.Text}, stored.Kind)
	d.docs[hash] = doc
	return doc
}

func (d *definitions) find(kind, namespace, called string) string {
	key := name{kind, namespace, called}
	d.mu.Lock()
	hash, known := d.names[key]
	d.mu.Unlock()
	if known {
		return hash
	}
	hash, err := d.store.Find(kind, namespace, called)
	if err != nil {
		return ""
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.names[key] = hash
	return hash
}

// Workflow finds a workflow by name. Its key is the document's hash and the name.
func (d *definitions) Workflow(called, namespace string) (*workflow.Workflow, string) {
	hash := d.find("workflow", namespace, called)
	if hash == "" {
		return nil, ""
	}
	key := hash + "/" + called
	return d.Load(key), key
}

// Load gives the workflow of a key.
func (d *definitions) Load(key string) *workflow.Workflow {
	hash, called, _ := strings.Cut(key, "/")
	if doc := d.document(hash); doc != nil {
		return doc.Workflow(called)
	}
	return nil
}

// AdHoc finds an ad-hoc action.
func (d *definitions) AdHoc(called, namespace string) *workflow.Action {
	hash := d.find("action", namespace, called)
	if hash == "" {
		return nil
	}
	if doc := d.document(hash); doc != nil {
		for _, a := range doc.Actions {
			if a.FullName() == called {
				return a
			}
		}
	}
	return nil
}

// Environment finds a stored environment.
func (d *definitions) Environment(called string) (*value.Map, bool) {
	m, ok, err := d.store.Environment(called)
	return m, ok && err == nil
}

// Action describes a built-in action.
func (d *definitions) Action(called string) (flow.ActionInfo, bool) {
	def := d.actions.Find(called)
	if def == nil {
		return flow.ActionInfo{}, false
	}
	info := flow.ActionInfo{Name: def.Name, Class: def.Class, Repr: def.Repr, Async: def.Async, Open: def.Open, Check: def.Check}
	for _, in := range def.Inputs {
		info.Inputs = append(info.Inputs, flow.Input{Name: in.Name, Required: in.Required})
	}
	return info, true
}

// Executions gives the executions in memory. It is called by the interpreter only, in the scheduler's goroutine.
func (d *definitions) Executions() []*flow.Execution { return d.executions() }

// Define reads a document and lets its workflows and actions be run under their names in the namespace. Findings are
// what Mistral refuses (errors); with errors nothing is stored. Runs that have begun keep the definitions they began
// with.
func (e *Engine) Define(file *source.File, kind workflow.Kind, namespace string) (*workflow.Document, diag.List, error) {
	doc, findings := workflow.Parse(file, kind)
	if findings.HasErrors() {
		return doc, findings, nil
	}
	var workflows, actions []string
	for _, w := range doc.Workflows {
		workflows = append(workflows, w.FullName())
	}
	for _, a := range doc.Actions {
		actions = append(actions, a.FullName())
	}
	for _, n := range append(append([]string{}, workflows...), actions...) {
		if strings.ContainsFunc(n, unicode.IsSpace) {
			return doc, findings, &Refusal{Message: fmt.Sprintf("Name '%s' must not contain spaces", n)}
		}
	}
	hash := store.Hash(doc.Kind, file.Text)
	if err := e.store.PutDocument(store.Document{Hash: hash, Kind: doc.Kind, Path: file.Path, Text: file.Text}, namespace, workflows, actions); err != nil {
		return doc, findings, err
	}
	e.defs.mu.Lock()
	defer e.defs.mu.Unlock()
	clear(e.defs.names)
	e.defs.docs[hash] = doc
	return doc, findings, nil
}

// SetEnvironment stores an environment that params.env may name.
func (e *Engine) SetEnvironment(called string, vars *value.Map) error {
	return e.store.PutEnvironment(called, vars)
}

// Lacking warns of actions that an OpenStack Mistral has and this engine does not.
func (e *Engine) Lacking(doc *workflow.Document) diag.List {
	var out diag.List
	for _, w := range doc.Workflows {
		for _, t := range w.Tasks {
			if e.opts.Actions.Find(t.Action) == nil && workflow.OpenStackAction(t.Action) != nil {
				out.Add(diag.Warnf(t.CallAt(), "workflow-action-elsewhere", "the engine here does not have the action %s, which OpenStack Mistral has; the task will fail", t.Action))
			}
		}
	}
	return out
}
