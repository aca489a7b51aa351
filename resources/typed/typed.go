// Package typed makes a resources.Provider of ordinary Go: a resource type is a struct whose fields are its properties
// and attributes, with methods Create, Update, Delete and so on that simply do the work.
//
// It does what every provider would have to do by itself: schemas from struct tags, checks and conversion of values,
// running methods in the background behind start and poll, deadlines, cancellation, and not doing twice what was
// started twice. Package plugins/sdk serves such providers as processes of their own.
package typed

import (
	"context"
	"fmt"
	"regexp"

	"github.com/hotloom/hotloom/resources"
)

// Provider is what an author writes.
type Provider struct {
	Name    string // lower-case letters, digits and -
	Version string
	Summary string
	Types   Types
	Tools   Tools
	Actions Actions
}

// Types are resource types by their name in templates, each with what makes a new value of its struct.
type Types map[string]func() Resource

// Resource is one resource type: a pointer to a struct with fields tagged `hot` (properties) and `attr` (attributes).
// A method runs on a fresh value with the properties filled in, and attributes as the last method left them. It may take
// its time; ctx ends with the operation's deadline and when the operation is cancelled. What it needs later it keeps
// with Call.SetID and Call.Set, not in the struct.
//
// Further abilities are further methods: those of Updater, Reader, Checker, Validator, Suspender, Signaler, Snapshotter,
// Poller, Canceler, Recoverer and Describer.
type Resource interface {
	Create(ctx context.Context, c *Call) error
	// Delete removes what Create made. It is called after a failed Create too, perhaps with no ID; that there is nothing
	// is no error.
	Delete(ctx context.Context, c *Call) error
}

// The abilities that a Resource may have besides.
type (
	// Updater changes the resource in place. The struct has the new properties, Call.Prior those before. Without this
	// method, or after Call.Replace, a change makes a new resource.
	Updater interface {
		Update(ctx context.Context, c *Call) error
	}
	// Reader reads the attributes as they are now into the struct. Without it they stay as the last method left them.
	Reader interface {
		Read(ctx context.Context, c *Call) error
	}
	// Checker finds out whether the resource is still there and well; an error says what is wrong with it.
	Checker interface {
		Check(ctx context.Context, c *Call) error
	}
	// Validator finds what is wrong with the properties beyond the schema. Fields whose values are not known yet have
	// their zero value; Call.Known tells.
	Validator interface {
		Validate(ctx context.Context, c *Call) []resources.Fault
	}
	// Suspender suspends and resumes.
	Suspender interface {
		Suspend(ctx context.Context, c *Call) error
		Resume(ctx context.Context, c *Call) error
	}
	// Signaler gets what is sent to the resource's signal URL. Call.Authentic says whether the host knows the sender.
	Signaler interface {
		Signal(ctx context.Context, c *Call, details any) error
	}
	// Snapshotter makes snapshots; what Call.SetOutput is given in Snapshot is given back as saved.
	Snapshotter interface {
		Snapshot(ctx context.Context, c *Call) error
		Restore(ctx context.Context, c *Call, saved any) error
		DeleteSnapshot(ctx context.Context, c *Call, saved any) error
	}
	// Poller goes on with work that a method has left with Call.Later: it asks how the work stands, and calls Later
	// again, or returns. Everything it needs is in the token, so that it works in another process too.
	Poller interface {
		Poll(ctx context.Context, c *Call) error
	}
	// Canceler stops work that a method has left with Call.Later.
	Canceler interface {
		Cancel(ctx context.Context, c *Call) error
	}
	// Recoverer ends an operation in whose middle the provider was killed: Call.Action under Call.Key may have been done
	// whole, in part or not at all. Without it such an operation fails, except for Delete and Check, which run again.
	Recoverer interface {
		Recover(ctx context.Context, c *Call) error
	}
)

var goodName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// New makes the provider that hosts call. The error says which struct or tag cannot be understood.
func New(p Provider) (resources.Provider, error) {
	if !goodName.MatchString(p.Name) {
		return nil, fmt.Errorf("provider name %q: use lower-case letters, digits and -", p.Name)
	}
	s := &server{
		types: map[string]*resourceType{}, provider: p, works: map[string]*work{},
		description: &resources.Description{Name: p.Name, Version: p.Version, Summary: p.Summary},
	}
	if err := s.describe(); err != nil {
		return nil, fmt.Errorf("provider %s: %w", p.Name, err)
	}
	return s, nil
}
