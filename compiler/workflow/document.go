// Package workflow is the OpenStack Mistral workflow language, version 2: documents parsed with positions, checked as
// Mistral checks them, and printed back.
//
// An error finding stands exactly where Mistral's own validator refuses a document, or dies over it. Lint adds
// warnings of what Mistral accepts and what will go wrong when the workflow runs. The package refuses nothing else,
// evaluates no expressions and runs nothing: that is internal/engine's.
package workflow

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

// Kind is which of Mistral's three kinds of document a text is.
type Kind uint8

// The kinds.
const (
	Auto      Kind = iota // as the text looks
	Workflows             // version and one key a workflow
	Workbook              // name, workflows, actions
	Actions               // version and one key an ad-hoc action
)

var kindNames = [...]string{"auto", "workflow", "workbook", "action"}

func (k Kind) String() string { return kindNames[k] }

// Document is a parsed document. Of one with errors it holds what could be understood.
type Document struct {
	Kind        Kind
	Node        *source.Node
	Name        string // of a workbook
	Description string
	Tags        []string
	Workflows   []*Workflow
	Actions     []*Action
}

// Workflow finds a workflow by the name it is run under: NAME, or WORKBOOK.NAME in a workbook.
func (d *Document) Workflow(name string) *Workflow {
	for _, w := range d.Workflows {
		if w.FullName() == name {
			return w
		}
	}
	return nil
}

// Param is a declared input of a workflow or an ad-hoc action.
type Param struct {
	Name       string
	Default    any // unevaluated: Mistral hands an expression here on as text
	HasDefault bool
	At         diag.Location
}

// Workflow is one workflow.
type Workflow struct {
	Name        string
	Workbook    string // name of the workbook it stands in, or ""
	Node        *source.Node
	At          diag.Location // of the name
	Reverse     bool
	Description string
	Tags        []string
	Input       []Param
	Output      *value.Map // nil where absent, as all sections
	OutputError *value.Map
	Vars        *value.Map
	Defaults    *Task // task-defaults: policies, clauses, requires, safe-rerun only
	Tasks       []*Task
	Spec        *value.Map // the definition as expressions see it: execution().spec

	byName  map[string]*Task
	inbound map[string][]*Task
}

// FullName is the name that a workflow is stored and run under.
func (w *Workflow) FullName() string {
	if w.Workbook != "" {
		return w.Workbook + "." + w.Name
	}
	return w.Name
}

// ClassName is Mistral's name for the kind of workflow, used in its messages.
func (w *Workflow) ClassName() string {
	if w.Reverse {
		return "ReverseWorkflowSpec"
	}
	return "DirectWorkflowSpec"
}

// Task finds a task by name, or nil.
func (w *Workflow) Task(name string) *Task { return w.byName[name] }

// Task is one task.
type Task struct {
	Name        string
	Node        *source.Node
	At          diag.Location // of the name
	Description string
	Tags        []string

	// Action or Workflow is the name without inline parameters; it may hold expressions. A task with neither runs
	// std.noop.
	Action, Workflow string
	// Input is a *value.Map with the inline parameters merged in, an expression as string, or nil.
	Input     any
	WithItems []Items
	Policies  Policies

	Publish, PublishOnError, PublishOnSkip *value.Map
	OnSuccess, OnError, OnComplete, OnSkip *Clause
	Join                                   Join
	Requires                               []string
	Target                                 string
	KeepResult                             bool // false only where it is false or an empty value; an expression counts as true
	SafeRerun                              any  // bool, expression, or nil where not given
	Spec                                   *value.Map
}

// Items is one VAR in LIST of with-items; List is a []any or an expression.
type Items struct {
	Var  string
	List any
}

// Join says how many inbound tasks must have triggered a task. The zero Join is none.
type Join struct {
	All   bool
	Count float64 // of `one` and numbers; Mistral takes 2.0 too
}

// Is reports whether a task joins: `join: 0` does not.
func (j Join) Is() bool { return j.All || j.Count > 0 }

// Policies are a task's policies as written: numbers, booleans, expressions; nil where absent.
type Policies struct {
	WaitBefore, WaitAfter, Timeout, PauseBefore, Concurrency, FailOn any
	Retry                                                            *Retry
}

// Retry is a retry policy; BreakOn and ContinueOn are "" where absent.
type Retry struct {
	Count, Delay        any
	BreakOn, ContinueOn any
}

// Clause is an on-success, on-error, on-complete or on-skip clause.
type Clause struct {
	Node    *source.Node
	Publish *Publish
	Next    []Next
}

// Publish is a publish section; nil maps are absent kinds.
type Publish struct{ Branch, Global, Atomic *value.Map }

// Next is one transition of a clause: to a task or to one of the engine's commands.
type Next struct {
	Name      string
	Condition any        // expression, or "" for always; Mistral lets other values pass under some keys
	Params    *value.Map // of a command
	At        diag.Location
}

// Commands are the engine commands that a clause may name in place of a task.
var Commands = []string{"noop", "fail", "succeed", "pause"}

// Action is an ad-hoc action.
type Action struct {
	Name        string
	Workbook    string
	Node        *source.Node
	At          diag.Location
	Description string
	Tags        []string
	Base        string
	BaseInput   *value.Map
	Input       []Param
	Output      any // nil where absent or null
}

// FullName is the name that an action is stored and called under.
func (a *Action) FullName() string {
	if a.Workbook != "" {
		return a.Workbook + "." + a.Name
	}
	return a.Name
}
