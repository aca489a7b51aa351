// Package resources is the contract between hotloom and whoever implements resource types, tools and workflow actions:
// a provider.
//
// The contract is plain Go: providers that are part of hotloom implement it directly, those in other processes through
// package plugins, which carries the same calls over gRPC. Its hosts are the `hotloom` command, the embedded engine and
// a real heat-engine (through the bridge); all of them see the same calls in the same order.
//
// Long work is started and then asked for (Start, Poll), and everything that is needed to go on stands in the operation
// itself: the host keeps an Operation, and hands it back with what the last Result said. So a host or a provider may be
// killed and started again between any two calls.
package resources

import (
	"context"
	"maps"
	"slices"

	"github.com/hotloom/hotloom/resources/catalog"
)

// Provider offers resource types, tools and actions. Its methods may be called from any goroutine, for several things at
// once. An error is a *Error; anything else counts as a Permanent one.
type Provider interface {
	// Describe says what the provider offers. It touches nothing outside the process.
	Describe(ctx context.Context) (*Description, error)

	// Validate finds what is wrong with a resource's properties beyond what the schema says. The host has checked them
	// against the schema (CheckValues) before; values that are not known yet are left out of Properties, and Unknown names
	// their paths. It changes nothing, and asks other services only to read.
	Validate(ctx context.Context, of *Instance) ([]Fault, error)

	// Start begins an operation, and may end it at once. A second Start with the same Key does not do the work twice: it
	// says what has become of the first. With an error, the result may still carry an ID and Data: what was made before
	// the failure, for the delete that follows.
	Start(ctx context.Context, op *Operation) (*Result, error)

	// Poll says how an operation stands. op is the one that was started, with Token, Resource.ID and Resource.Data as
	// the last result gave them (see Operation.Follow). An error ends the operation, as it does from Start.
	Poll(ctx context.Context, op *Operation) (*Result, error)

	// Cancel asks an operation to stop. Poll then tells how it ended: done after all, or with an error of kind
	// Cancelled. Cancelling what is not running is no error.
	Cancel(ctx context.Context, op *Operation) error

	// Attributes reads attributes of a resource as they are now; no names means all. Attributes that have no value (yet)
	// are nil or left out.
	Attributes(ctx context.Context, of *Instance, names []string) (Values, error)
}

// Values are named values of the plain kinds that JSON has: nil, bool, int64, float64, string, []any and map[string]any.
type Values = map[string]any

// Description is what a provider offers, by name.
type Description struct {
	Name    string                   `json:"name"` // of the provider: lower case, digits and -
	Version string                   `json:"version"`
	Summary string                   `json:"summary,omitempty"`
	Types   map[string]*catalog.Type `json:"types,omitempty"`
	Tools   map[string]*Tool         `json:"tools,omitempty"`   // what a component type's `tool` names
	Actions map[string]*ActionType   `json:"actions,omitempty"` // what a workflow's task calls
}

// Tool is a program that configures software on a host from a config and inputs: what Heat calls a hook.
type Tool struct {
	Description string `json:"description,omitempty"`
	// Options are the keys that a component type's `options` may have.
	Options map[string]*catalog.Property `json:"options,omitempty"`
	// Config says what a config is to this tool: text, or a map or list. "" is text.
	Config catalog.Kind `json:"config,omitempty"`
	// Actions are the lifecycle actions that it can run; empty means all that a component can have.
	Actions []Action `json:"actions,omitempty"`
	// Exits are exit codes of the program with their meaning; a code that is not listed fails, unless it is 0.
	Exits []Exit `json:"exits,omitempty"`
	// Program is what must be installed on the host, for example ansible-playbook; "" needs nothing.
	Program string `json:"program,omitempty"`
}

// Exit is the meaning of one exit code.
type Exit struct {
	Code    int    `json:"code"`
	OK      bool   `json:"ok"`
	Meaning string `json:"meaning"`
}

// ActionType is one workflow action.
type ActionType struct {
	Description string                       `json:"description,omitempty"`
	Inputs      map[string]*catalog.Property `json:"inputs,omitempty"`
	Open        bool                         `json:"open,omitempty"`       // takes inputs of other names too
	Repeatable  bool                         `json:"repeatable,omitempty"` // running it twice is as good as once
}

// Argument is one input of an action. Default is plain, and nil where there is none.
type Argument struct {
	Name     string
	Required bool
	Default  any
}

// Arguments are the inputs of an action: required ones first, each kind in order.
func (t *ActionType) Arguments() []Argument {
	var out, optional []Argument
	for _, name := range slices.Sorted(maps.Keys(t.Inputs)) {
		in := Argument{Name: name, Required: t.Inputs[name].Required}
		if in.Required {
			out = append(out, in)
			continue
		}
		if plain, err := Plain(t.Inputs[name].Default); err == nil {
			in.Default = plain
		}
		optional = append(optional, in)
	}
	return append(out, optional...)
}
