// Package openstack holds the actions of OpenStack services: named as OpenStack Mistral's, with the inputs and results of
// the Python clients that Mistral makes its actions of.
//
// What an action sends and gives back stands in the table calls.txt; functions do what a table cannot say. Requests go
// through package cloud, which knows logins, endpoints and repetition.
package openstack

import (
	"context"
	_ "embed"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/internal/action"
	"github.com/hotloom/hotloom/internal/cloud"
)

// Connect logs in to a cloud; region is "" for the one that is configured. It is called when the first action needs it.
type Connect func(ctx context.Context, region string) (*cloud.Client, error)

// Actions gives the actions, which share one login for each region.
func Actions(connect Connect) []action.Definition {
	clouds := &clouds{connect: connect, byRegion: map[string]*cloud.Client{}}
	out := make([]action.Definition, 0, len(table().calls))
	for _, c := range table().calls {
		out = append(out, c.definition(clouds))
	}
	return out
}

// Has reports whether the package has an action, by its full name.
func Has(name string) bool {
	return slices.ContainsFunc(table().calls, func(c *call) bool { return c.full() == name })
}

// clouds are the logins that were made.
type clouds struct {
	connect  Connect
	mu       sync.Mutex
	byRegion map[string]*cloud.Client
}

func (c *clouds) client(ctx context.Context, region string) (*cloud.Client, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if client := c.byRegion[region]; client != nil {
		return client, nil
	}
	client, err := c.connect(ctx, region)
	if err == nil {
		c.byRegion[region] = client
	}
	return client, err
}

func (c *call) full() string { return c.service.name + "." + c.name }

// class is the name of Mistral's class for a service's actions, which its messages show.
func (s *service) class() string {
	var b strings.Builder
	for _, word := range strings.Split(s.name, "_") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String() + "Action"
}

func (c *call) definition(clouds *clouds) action.Definition {
	d := action.Definition{
		Name: c.full(), Class: "mistral_extra.actions.openstack.actions." + c.service.class(), Open: c.signature.Open,
		// Reading twice is as good as once.
		Repeatable: c.method == http.MethodGet || c.method == http.MethodHead,
	}
	for _, p := range c.signature.Inputs {
		d.Inputs = append(d.Inputs, action.Input{Name: p.Name, Required: !p.HasDefault, Default: p.Default})
	}
	d.Run = func(ctx context.Context, in *value.Map, _ action.Call) (any, error) {
		out, err := c.run(ctx, clouds, in)
		if err != nil {
			return nil, fmt.Errorf("%s.%s failed: %w", c.service.class(), c.name, cloud.Explain(err))
		}
		return out, nil
	}
	return d
}

func (c *call) run(ctx context.Context, clouds *clouds, given *value.Map) (any, error) {
	in := newInputs(c.signature, given)
	client, err := clouds.client(ctx, in.text("action_region"))
	if err != nil {
		return nil, err
	}
	sc, err := client.Service(c.service.kind)
	if err != nil {
		return nil, err
	}
	s := &session{sc: sc, service: c.service, headers: c.service.headers(in)}
	if c.function != nil {
		return c.function(ctx, s, in)
	}
	return s.perform(ctx, c, in)
}

// inputs are those of one run. Those that were looked at as such are not among the rest, for which an action takes any name.
type inputs struct {
	signature *workflow.Signature
	given     *value.Map
}

func newInputs(sig *workflow.Signature, given *value.Map) *inputs {
	if given == nil {
		given = value.NewMap(0)
	}
	return &inputs{sig, given}
}

// get gives an input, or its default.
func (in *inputs) get(name string) any {
	if v, ok := in.given.GetStr(name); ok {
		return v
	}
	return in.standard(name)
}

func (in *inputs) standard(name string) any {
	for _, p := range in.signature.Inputs {
		if p.Name == name {
			return p.Default
		}
	}
	return nil
}

func (in *inputs) text(name string) string {
	if v := in.get(name); v != nil {
		return value.Str(v)
	}
	return ""
}

func (in *inputs) on(name string) bool { return value.Truth(in.get(name)) }

func (in *inputs) declared(name string) bool {
	return slices.ContainsFunc(in.signature.Inputs, func(p workflow.Param) bool { return p.Name == name })
}

// rest gives the inputs that the signature does not name, but for those of used.
func (in *inputs) rest(used ...string) *value.Map {
	out := value.NewMap(0)
	for k, v := range in.given.All() {
		if name := value.Str(k); !in.declared(name) && !slices.Contains(used, name) {
			out.SetStr(name, v)
		}
	}
	return out
}
