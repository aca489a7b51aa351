// Package host runs providers in processes of their own: it finds them, checks them, starts them when they are first
// needed, keeps them, starts them again after a crash, and ends them.
//
// What it gives to its callers is a resources.Provider for each: a provider that crashes, hangs, answers nonsense or is
// not there makes the one operation fail that needed it, and nothing else.
package host

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/plugins"
	"github.com/hotloom/hotloom/plugins/discover"
	"github.com/hotloom/hotloom/resources"
)

// Source says where a provider comes from; see package discover.
type Source = discover.Source

// Options of New. The zero value has the limits named here.
type Options struct {
	Log          *slog.Logger  // nil: slog.Default()
	StartTimeout time.Duration // from start to handshake; 0: 20 s
	CallTimeout  time.Duration // for one call, besides the wait that its operation allows; 0: 30 s
	MaxMessage   int           // bytes of one message; 0: plugins.MaxMessage
	Parallel     int           // calls of one provider at a time; 0: 64
	// Backoff is the pause before a crashed provider is started again; it doubles with each crash that follows, up to
	// 100 times as long. 0: 100 ms.
	Backoff time.Duration
}

func (o Options) withDefaults() Options {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	set := func(d *time.Duration, def time.Duration) {
		if *d <= 0 {
			*d = def
		}
	}
	set(&o.StartTimeout, 20*time.Second)
	set(&o.CallTimeout, 30*time.Second)
	set(&o.Backoff, 100*time.Millisecond)
	if o.MaxMessage <= 0 {
		o.MaxMessage = plugins.MaxMessage
	}
	if o.Parallel <= 0 {
		o.Parallel = 64
	}
	return o
}

// Host runs a set of providers. Its methods may be called from any goroutine.
type Host struct {
	opts    Options
	sources []Source
	byName  map[string]*Provider

	mu    sync.Mutex
	index *Index // of what all describe; nil until it is asked for
}

// New makes a host of sources; it starts nothing. The error is about two sources of one name.
func New(sources []Source, o Options) (*Host, error) {
	h := &Host{opts: o.withDefaults(), sources: sources, byName: map[string]*Provider{}}
	for _, s := range sources {
		if other := h.byName[s.Name]; other != nil {
			return nil, fmt.Errorf("provider %s is there twice: %s and %s", s.Name, other.source.Path, s.Path)
		}
		h.byName[s.Name] = newProvider(s, h.opts)
	}
	return h, nil
}

// Sources are the providers' sources, in order.
func (h *Host) Sources() []Source { return h.sources }

// Provider is the provider of a name, nil where there is none. It runs only when it is called.
func (h *Host) Provider(name string) *Provider { return h.byName[name] }

// Close ends all providers.
func (h *Host) Close() error {
	var wg sync.WaitGroup
	for _, p := range h.byName {
		wg.Go(func() { _ = p.Close() })
	}
	wg.Wait()
	return nil
}

// Index says which provider has what.
type Index struct {
	Types, Tools, Actions map[string]*Provider
	Descriptions          map[string]*resources.Description // by provider
}

// Index describes all providers. The cache answers for those whose file has not changed; others are started. A provider
// that cannot be described, or offers what another offers already, is an error; the index then has the rest.
func (h *Host) Index(ctx context.Context) (*Index, []error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.index != nil {
		return h.index, nil
	}
	descriptions := make([]*resources.Description, len(h.sources))
	faults := make([]error, len(h.sources))
	var wg sync.WaitGroup
	for i, s := range h.sources {
		wg.Go(func() { descriptions[i], faults[i] = h.byName[s.Name].Described(ctx) })
	}
	wg.Wait()
	ix := &Index{
		Types: map[string]*Provider{}, Tools: map[string]*Provider{}, Actions: map[string]*Provider{},
		Descriptions: map[string]*resources.Description{},
	}
	var errs []error
	for i, s := range h.sources {
		if faults[i] != nil {
			errs = append(errs, faults[i])
			continue
		}
		errs = append(errs, ix.add(h.byName[s.Name], descriptions[i])...)
	}
	if len(errs) == 0 {
		h.index = ix
	}
	return ix, errs
}

func (ix *Index) add(p *Provider, d *resources.Description) []error {
	ix.Descriptions[p.Name()] = d
	var errs []error
	claim := func(what string, into map[string]*Provider, name string) {
		if other := into[name]; other != nil {
			errs = append(errs, fmt.Errorf("%s %s is offered by two providers, %s and %s: remove one", what, name, other.Name(), p.Name()))
			return
		}
		into[name] = p
	}
	for name := range d.Types {
		claim("resource type", ix.Types, name)
	}
	for name := range d.Tools {
		claim("tool", ix.Tools, name)
	}
	for name := range d.Actions {
		claim("action", ix.Actions, name)
	}
	return errs
}

// ForType gives the provider of a resource type. The error says what there is.
func (h *Host) ForType(ctx context.Context, name string) (*Provider, error) {
	ix, errs := h.Index(ctx)
	return pick("resource type", ix.Types, name, errs)
}

// ForTool gives the provider of a tool.
func (h *Host) ForTool(ctx context.Context, name string) (*Provider, error) {
	ix, errs := h.Index(ctx)
	return pick("tool", ix.Tools, name, errs)
}

func pick(what string, from map[string]*Provider, name string, errs []error) (*Provider, error) {
	if p := from[name]; p != nil {
		return p, nil
	}
	message := fmt.Sprintf("no provider offers %s %s", what, name)
	var known []string
	for n := range from {
		known = append(known, n)
	}
	slices.Sort(known)
	if near := diag.Nearest(name, known); near != "" {
		message += fmt.Sprintf("; did you mean %q?", near)
	}
	for _, err := range errs {
		message += "; " + err.Error()
	}
	return nil, resources.Errorf(resources.Unsupported, "%s", message)
}
