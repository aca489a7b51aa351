// Package sdk is what authors of providers write against.
//
// A provider is an ordinary Go program: a resource type is a struct with tagged fields and methods that do the work, and
// main is one line.
//
//	type Note struct {
//		Path string `hot:"path,required" doc:"file that holds the note"`
//		Text string `hot:"text,update" default:"" length:"..4096"`
//		Size int    `attr:"size" doc:"bytes in the file"`
//	}
//
//	func (n *Note) Create(ctx context.Context, c *sdk.Call) error {
//		c.SetID(n.Path)
//		n.Size = len(n.Text)
//		return os.WriteFile(n.Path, []byte(n.Text), 0o600)
//	}
//
//	func (n *Note) Delete(ctx context.Context, c *sdk.Call) error { return os.RemoveAll(c.ID()) }
//
//	func main() {
//		sdk.Serve(sdk.Provider{Name: "notes", Version: "1.0.0", Types: sdk.Types{
//			"Example::Note": func() sdk.Resource { return new(Note) },
//		}})
//	}
//
// docs/providers.md explains tags, long work, recovery and errors; package conformance tests a provider.
package sdk

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/hotloom/hotloom/plugins"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/typed"
)

// What a provider is made of: see package typed, which explains each.
type (
	Provider = typed.Provider
	Types    = typed.Types
	Resource = typed.Resource
	Call     = typed.Call
	Actions  = typed.Actions
	Action   = typed.Action
	Tools    = typed.Tools
	Tool     = typed.Tool

	Updater     = typed.Updater
	Reader      = typed.Reader
	Checker     = typed.Checker
	Validator   = typed.Validator
	Suspender   = typed.Suspender
	Signaler    = typed.Signaler
	Snapshotter = typed.Snapshotter
	Poller      = typed.Poller
	Canceler    = typed.Canceler
	Recoverer   = typed.Recoverer
	Describer   = typed.Describer

	// Fault is what Validate finds.
	Fault = resources.Fault
	// Values are named plain values.
	Values = resources.Values
)

// Serve serves a provider until its host ends it. It does not return when the provider cannot be understood: it says why
// and ends the process.
func Serve(p Provider) {
	served, err := typed.New(p)
	if err != nil {
		fmt.Fprintf(os.Stderr, "%v\n", err)
		os.Exit(1)
	}
	plugins.Serve(served)
}

// Func makes a workflow action of a function; see typed.Func.
func Func[In any](description string, fn func(ctx context.Context, in In, c *Call) (any, error)) Action {
	return typed.Func(description, fn)
}

// Errorf is an error that no second try mends; %w keeps the cause. Any other error that a method returns counts as one.
func Errorf(format string, args ...any) error {
	return resources.Errorf(resources.Permanent, format, args...)
}

// Invalid is an error about the value at a path of the properties.
func Invalid(path []string, format string, args ...any) error {
	return resources.InvalidAt(path, format, args...)
}

// Retry is an error that may pass: the host tries the operation again, with the same key, after some time.
func Retry(after time.Duration, format string, args ...any) error {
	return resources.RetryAfter(after, format, args...)
}

// NotFound is an error that says that the thing does not exist any more. In Delete it is as good as success.
func NotFound(format string, args ...any) error {
	return resources.Errorf(resources.NotFound, format, args...)
}
