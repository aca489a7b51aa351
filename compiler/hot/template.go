// Package hot is the HOT document: versions, sections, parameters, resources, outputs, environments and nested
// templates, in HOT and in the CFN format that Heat still accepts, plus hotloom's additions (components and
// component_types).
//
// It knows structure, not meaning of function calls (compiler/function) nor of resource types (lint). Loading a
// faulty document gives a partial one together with all its findings.
package hot

import (
	"github.com/hotloom/hotloom/compiler/source"
)

// Template is one HOT or CFN document. Names are unique; order is that of the document.
type Template struct {
	Root            *source.Node // the whole document
	Version         *Version     // nil where unknown; rules then assume the newest
	VersionNode     *source.Node
	Description     *source.Node
	ParameterGroups []*ParameterGroup
	Parameters      []*Parameter
	Conditions      []*Condition
	Resources       []*Resource
	Outputs         []*Output
	Mappings        *source.Node     // CFN
	ComponentTypes  []*ComponentType // hotloom's section
	Refs            []*source.Node   // keys of {ref: X} that are read as get_resource

	names index
}

// ParameterGroup is one item of parameter_groups.
type ParameterGroup struct {
	Node        *source.Node
	Label       *source.Node
	Description *source.Node
	Parameters  []*source.Node // names
}

// Parameter is one parameter definition. Fields are nil where absent.
type Parameter struct {
	Name        *source.Node // the key
	Node        *source.Node // the definition
	Type        ParameterType
	TypeNode    *source.Node
	Label       *source.Node
	Description *source.Node
	Default     *source.Node
	Hidden      bool // truthiness as Heat takes it: the string "false" hides
	Immutable   bool
	Constraints []*Constraint
	Tags        *source.Node
}

// Condition is one named condition definition.
type Condition struct{ Name, Value *source.Node }

// Resource is one resource definition. Fields are nil where absent.
type Resource struct {
	Name           *source.Node // the key
	Node           *source.Node // the definition
	Type           *source.Node
	Properties     *source.Node
	Metadata       *source.Node
	DependsOn      []*source.Node // names
	DependsOnNode  *source.Node
	DeletionPolicy *source.Node
	UpdatePolicy   *source.Node
	ExternalID     *source.Node
	Condition      *source.Node
	Description    *source.Node
	Components     []*Component // hotloom's key
	ComponentsNode *source.Node // map or list
}

// Output is one output definition.
type Output struct {
	Name        *source.Node
	Node        *source.Node
	Value       *source.Node
	Description *source.Node
	Condition   *source.Node
}

// Component is one entry of a resource's `components` (DESIGN §2.1), structure checked, references not.
type Component struct {
	Name      *source.Node // the key, or the value of `name`
	Node      *source.Node // the definition
	Type      *source.Node // component_type
	Params    *source.Node // map; nil where absent
	DependsOn []*source.Node
	Condition *source.Node
	Timeout   int64 // seconds; DefaultTimeout where absent
	TimeoutAt *source.Node
	Actions   []*source.Node // nil: all that the type has configs for
	OnFailure OnFailure
	Metadata  *source.Node
}

// DefaultTimeout is the time limit of a step in seconds where the component gives none.
const DefaultTimeout = 3600

// OnFailure says what a failing step does to its stack.
type OnFailure uint8

// The ways.
const (
	Fail     OnFailure = iota // the default
	Continue                  // later steps run; the exit code can be read as deploy_status_code
)

// Lifecycle actions, as Heat names them, in the order they happen.
var Actions = []string{"CREATE", "UPDATE", "DELETE", "SUSPEND", "RESUME"}

// ComponentType is a reusable definition of software (DESIGN §2.2).
type ComponentType struct {
	Name    *source.Node // the key of component_types, or the registry's or library's name
	Node    *source.Node
	Tool    *source.Node
	Inputs  []*IO
	Outputs []*IO
	Options *source.Node
	Configs []*Config
}

// IO is one declared input or output of a component type.
type IO struct {
	Name        *source.Node
	Node        *source.Node
	Type        string // String Number CommaDelimitedList Json Boolean, as Heat's software config names them
	Default     *source.Node
	Description *source.Node
	Hidden      bool // a secret: never in logs, graphs, literals
	ErrorOutput bool // outputs only
}

// Config is what one or more lifecycle actions run.
type Config struct {
	Actions []string
	Node    *source.Node // text, map, or {get_file: …}
	At      *source.Node // the key
}
