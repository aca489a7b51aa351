// Package conformance tests a provider from its author's own `go test`:
//
//	func TestConformance(t *testing.T) {
//		conformance.Test(t, provider, conformance.Example{
//			Type:       "Example::Note",
//			Properties: sdk.Values{"path": filepath.Join(t.TempDir(), "note")},
//		})
//	}
//
// It speaks to the provider through the real protocol, and in the place of every host: it creates, reads, updates and
// deletes, loses the provider in the middle of each step, cancels, sends what no host may send, and looks for secrets in
// everything that comes back.
package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"

	"github.com/hotloom/hotloom/plugins"
	"github.com/hotloom/hotloom/plugins/proto"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
	"github.com/hotloom/hotloom/resources/typed"
)

// Example is a resource that the tests can really make, or an action that they can run.
type Example struct {
	Type       string
	Action     string // a workflow's action, instead of a type: Properties are its inputs
	Properties resources.Values
	Update     resources.Values // properties that differ only in what may be updated; nil: updates are not tested
	// Replace says that the Update is expected to ask for a new resource.
	Replace bool
	// Timeout is how long one operation may take; 0 is a minute.
	Timeout time.Duration
	// Fresh gives properties for one more resource beside those that are there; nil: Properties, after a delete.
	Fresh func(t *testing.T) resources.Values
}

// Test runs all tests, each as a subtest.
func Test(t *testing.T, p typed.Provider, examples ...Example) {
	t.Helper()
	TestProvider(t, func(t *testing.T) resources.Provider {
		served, err := typed.New(p)
		if err != nil {
			t.Fatal(err)
		}
		return served
	}, examples...)
}

// TestProvider is Test of a provider that implements the contract itself. start makes one as a fresh process would have
// it; a test that loses the provider calls it again.
func TestProvider(t *testing.T, start func(*testing.T) resources.Provider, examples ...Example) {
	t.Helper()
	d, err := connect(t, start(t)).Describe(t.Context())
	if err != nil {
		t.Fatalf("describe: %v", err)
	}
	t.Run("schema", func(t *testing.T) { checkDescription(t, d) })
	for _, e := range examples {
		if e.Action != "" {
			testAction(t, start, d, e)
			continue
		}
		typ := d.Types[e.Type]
		if typ == nil {
			t.Errorf("the provider has no type %s", e.Type)
			continue
		}
		if e.Timeout == 0 {
			e.Timeout = time.Minute
		}
		k := &kit{start: start, e: e, typ: typ}
		t.Run(e.Type, func(t *testing.T) {
			t.Run("life", k.life)
			t.Run("repeated start", k.repeated)
			t.Run("lost provider", k.lost)
			t.Run("cancel", k.cancel)
			t.Run("delete of nothing", k.deleteNothing)
			t.Run("unknown property", k.unknownProperty)
			t.Run("unknown type", k.unknownType)
			t.Run("secrets", k.secrets)
		})
	}
}

// connect puts the real protocol between the tests and a provider.
func connect(t *testing.T, p resources.Provider) *plugins.Client {
	t.Helper()
	pipe := bufconn.Listen(1 << 20)
	server := grpc.NewServer(grpc.MaxRecvMsgSize(plugins.MaxMessage), grpc.MaxSendMsgSize(plugins.MaxMessage))
	proto.RegisterProviderServer(server, plugins.NewServer(p))
	served := make(chan error, 1)
	go func() { served <- server.Serve(pipe) }()
	conn, err := grpc.NewClient("passthrough:///provider", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return pipe.DialContext(ctx) }),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(plugins.MaxMessage)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = conn.Close()
		server.Stop()
		<-served
		if c, ok := p.(io.Closer); ok {
			_ = c.Close()
		}
	})
	return plugins.NewClient(conn)
}

type kit struct {
	start func(*testing.T) resources.Provider
	e     Example
	typ   *catalog.Type
	count int
}

func (k *kit) properties(t *testing.T) resources.Values {
	if k.e.Fresh != nil {
		return k.e.Fresh(t)
	}
	return maps.Clone(k.e.Properties)
}

func (k *kit) operation(t *testing.T, action resources.Action) *resources.Operation {
	t.Helper()
	k.count++
	values, faults := resources.CheckValues(k.typ.Properties, k.properties(t))
	if len(faults) > 0 {
		t.Fatalf("the example's properties do not fit the schema: %v", faults)
	}
	return &resources.Operation{
		Key: fmt.Sprintf("conformance-%d", k.count), Action: action, Wait: time.Second, Deadline: time.Now().Add(k.e.Timeout),
		Resource: &resources.Instance{
			Type: k.e.Type, Name: "example", Stack: "conformance", StackID: "6a8c0f9e-0000-4000-8000-000000000000",
			PhysicalName: "conformance-example", Properties: values,
		},
	}
}

// run starts an operation and polls it to its end.
func (k *kit) run(t *testing.T, p resources.Provider, op *resources.Operation) (*resources.Result, error) {
	t.Helper()
	op.Token = ""
	return k.finish(t, p, op)
}

// finish goes on with an operation: it starts what has no token, and polls to the end.
func (k *kit) finish(t *testing.T, p resources.Provider, op *resources.Operation) (r *resources.Result, err error) {
	t.Helper()
	if op.Token == "" {
		r, err = p.Start(t.Context(), op)
	} else {
		r, err = p.Poll(t.Context(), op)
	}
	for err == nil && !r.Done {
		if time.Now().After(op.Deadline.Add(10 * time.Second)) {
			t.Fatalf("%s goes on after its deadline", op.Action)
		}
		op.Follow(r)
		r, err = p.Poll(t.Context(), op)
	}
	op.Follow(r)
	op.Token = ""
	return r, err
}

func (k *kit) create(t *testing.T, p resources.Provider) *resources.Operation {
	t.Helper()
	op := k.operation(t, resources.Create)
	r, err := k.run(t, p, op)
	if err != nil {
		t.Fatalf("create: %v", err)
	}
	if op.Resource.ID == "" {
		t.Error("create gave no id: call SetID")
	}
	for name := range r.Attributes {
		if k.typ.Attributes[name] == nil && !k.typ.DynamicAttributes {
			t.Errorf("create gave attribute %s, which the schema does not have", name)
		}
	}
	return op
}

func (k *kit) then(op *resources.Operation, action resources.Action) *resources.Operation {
	k.count++
	next := *op
	instance := *op.Resource
	next.Resource, next.Action, next.Key, next.Token = &instance, action, fmt.Sprintf("conformance-%d", k.count), ""
	next.Deadline = time.Now().Add(k.e.Timeout)
	return &next
}

func (k *kit) delete(t *testing.T, p resources.Provider, op *resources.Operation) {
	t.Helper()
	if _, err := k.run(t, p, k.then(op, resources.Delete)); err != nil {
		t.Errorf("delete: %v", err)
	}
}

// life is create, read, check, update, suspend, resume, delete, and delete again.
func (k *kit) life(t *testing.T) {
	p := connect(t, k.start(t))
	faults, err := p.Validate(t.Context(), k.operation(t, resources.Create).Resource)
	if err != nil || len(faults) > 0 {
		t.Fatalf("validate refuses the example: %v %v", faults, err)
	}
	op := k.create(t, p)
	k.attributes(t, p, op)
	if _, err := k.run(t, p, k.then(op, resources.Check)); err != nil && !resources.IsKind(err, resources.Unsupported) {
		t.Errorf("check: %v", err)
	}
	if k.e.Update != nil {
		k.update(t, p, op)
	}
	if k.typ.HasHandle("suspend") {
		for _, action := range []resources.Action{resources.Suspend, resources.Resume} {
			if _, err := k.run(t, p, k.then(op, action)); err != nil {
				t.Errorf("%s: %v", action, err)
			}
		}
	}
	k.delete(t, p, op)
	k.delete(t, p, op) // what is gone is deleted
}

func (k *kit) attributes(t *testing.T, p resources.Provider, op *resources.Operation) {
	t.Helper()
	all, err := p.Attributes(t.Context(), op.Resource, nil)
	if err != nil {
		t.Errorf("attributes: %v", err)
	}
	for name, v := range all {
		a := k.typ.Attributes[name]
		if a == nil {
			if !k.typ.DynamicAttributes {
				t.Errorf("attribute %s is not in the schema", name)
			}
			continue
		}
		if v != nil && a.Type != "" {
			if _, faults := resources.CheckValues(map[string]*catalog.Property{name: {Type: a.Type}}, resources.Values{name: v}); len(faults) > 0 {
				t.Errorf("attribute %v", faults[0])
			}
		}
	}
}

func (k *kit) update(t *testing.T, p resources.Provider, op *resources.Operation) {
	t.Helper()
	next := k.then(op, resources.Update)
	values, faults := resources.CheckValues(k.typ.Properties, k.e.Update)
	if len(faults) > 0 {
		t.Fatalf("the example's update does not fit the schema: %v", faults)
	}
	next.Prior, next.Resource.Properties = op.Resource.Properties, values
	r, err := k.run(t, p, next)
	if err != nil {
		t.Fatalf("update: %v", err)
	}
	if r.Replace != k.e.Replace {
		t.Errorf("update: replace is %v, want %v", r.Replace, k.e.Replace)
	}
	if next.Resource.ID != op.Resource.ID {
		t.Errorf("update changed the id from %q to %q", op.Resource.ID, next.Resource.ID)
	}
	*op.Resource = *next.Resource
}

// repeated: a second start of the same operation does nothing anew.
func (k *kit) repeated(t *testing.T) {
	p := connect(t, k.start(t))
	op := k.operation(t, resources.Create)
	first, err := k.run(t, p, op)
	if err != nil {
		t.Fatal(err)
	}
	second, err := k.run(t, p, op)
	if err != nil || second.ID != first.ID {
		t.Errorf("started twice with one key: %v, id %q and then %q", err, first.ID, second.ID)
	}
	k.delete(t, p, op)
}

// lost: the provider ends before a create, in the middle of it and after it, and another process goes on.
func (k *kit) lost(t *testing.T) {
	for _, phase := range []string{"before the work", "in the middle", "after the work"} {
		t.Run(phase, func(t *testing.T) {
			first := k.start(t)
			op := k.operation(t, resources.Create)
			if phase != "before the work" {
				p := connect(t, first)
				op.Wait = 0
				if phase == "after the work" {
					op.Wait = time.Second
				}
				r, err := p.Start(t.Context(), op)
				if err != nil {
					t.Fatal(err)
				}
				op.Follow(r)
			}
			if c, ok := first.(io.Closer); ok {
				_ = c.Close()
			}
			next := connect(t, k.start(t))
			op.Repeated, op.Wait = op.Token == "", time.Second
			_, err := k.finish(t, next, op)
			if err != nil && !resources.IsKind(err, resources.Interrupted) {
				t.Errorf("the next process says %v; it has to go on (Recover, Later) or say that the operation was interrupted", err)
			}
			k.delete(t, next, op)
		})
	}
}

// cancel: a cancelled operation ends soon, and what it made can be deleted.
func (k *kit) cancel(t *testing.T) {
	p := connect(t, k.start(t))
	op := k.operation(t, resources.Create)
	op.Wait = 0
	r, err := p.Start(t.Context(), op)
	if err == nil && !r.Done {
		op.Follow(r)
		if err := p.Cancel(t.Context(), op); err != nil {
			t.Errorf("cancel: %v", err)
		}
		op.Wait = time.Second
		end := time.Now().Add(30 * time.Second)
		for err == nil && !r.Done {
			if time.Now().After(end) {
				t.Fatal("the operation goes on 30 s after it was cancelled: let its method end with its context")
			}
			if r, err = p.Poll(t.Context(), op); r != nil {
				op.Follow(r)
			}
		}
	}
	if err != nil && !resources.IsKind(err, resources.Cancelled) {
		t.Errorf("a cancelled create ended with %v", err)
	}
	op.Token = ""
	k.delete(t, p, op)
	unknown := k.operation(t, resources.Create)
	if err := p.Cancel(t.Context(), unknown); err != nil {
		t.Errorf("cancel of what does not run: %v", err)
	}
}

func (k *kit) deleteNothing(t *testing.T) {
	p := connect(t, k.start(t))
	if _, err := k.run(t, p, k.operation(t, resources.Delete)); err != nil {
		t.Errorf("delete of a resource without an id, as after a failed create: %v", err)
	}
}

func (k *kit) unknownProperty(t *testing.T) {
	p := connect(t, k.start(t))
	op := k.operation(t, resources.Create)
	op.Resource.Properties["no such property"] = "x"
	_, err := k.run(t, p, op)
	if !resources.IsKind(err, resources.Invalid) || len(resources.AsError(err).Faults) == 0 {
		t.Errorf("a property that the schema does not have: %v, want a fault with its path", err)
	}
}

func (k *kit) unknownType(t *testing.T) {
	p := connect(t, k.start(t))
	op := k.operation(t, resources.Create)
	op.Resource.Type = "No::Such::Type"
	if _, err := k.run(t, p, op); !resources.IsKind(err, resources.Unsupported) {
		t.Errorf("a type that the provider does not have: %v, want an error of kind unsupported", err)
	}
}

// secrets: values of secret properties are in nothing that is shown, whether things go well or not.
func (k *kit) secrets(t *testing.T) {
	var marked resources.Scrubber
	marked.AddMarked(k.typ.Properties, k.properties(t))
	shows := func(text string) bool { return marked.Text(text) != text }
	if !k.hasSecret() {
		t.Skip("the type has no secret property")
	}
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	defer slog.SetDefault(before)
	p := connect(t, k.start(t))
	op := k.operation(t, resources.Create)
	var seen []resources.Event
	r, err := p.Start(t.Context(), op)
	for err == nil && !r.Done {
		seen = append(seen, r.Progress...)
		op.Follow(r)
		r, err = p.Poll(t.Context(), op)
	}
	if err != nil {
		t.Fatal(err)
	}
	op.Follow(r)
	op.Token = ""
	for _, e := range append(seen, r.Progress...) {
		if shows(e.Message) {
			t.Errorf("progress shows a secret: %s", marked.Text(e.Message))
		}
	}
	if shows(op.Resource.ID) {
		t.Error("the id shows a secret")
	}
	attributes, err := p.Attributes(t.Context(), op.Resource, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range attributes {
		if a := k.typ.Attributes[name]; a == nil || !a.Secret {
			if text, err := json.Marshal(v); err == nil && shows(string(text)) {
				t.Errorf("attribute %s shows a secret and is not marked as secret", name)
			}
		}
	}
	k.delete(t, p, op)
	if shows(log.String()) {
		t.Errorf("the log shows a secret:\n%s", marked.Text(log.String()))
	}
}

func (k *kit) hasSecret() bool {
	text, err := json.Marshal(k.typ.Properties)
	return err == nil && strings.Contains(string(text), `"secret":true`)
}

// checkDescription holds the description against what Heat would refuse when it loads the type.
func checkDescription(t *testing.T, d *resources.Description) {
	t.Helper()
	for _, fault := range d.Faults() {
		t.Error(fault)
	}
}
