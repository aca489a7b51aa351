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
// deletes, loses the provider before, in and after each step, cancels, sends what no host may send, and looks for secrets
// in everything that comes back. TestProvider with Program does so with the built provider in a process that is killed.
package conformance

import (
	"context"
	"io"
	"net"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"

	"github.com/hotloom/hotloom/plugins"
	"github.com/hotloom/hotloom/plugins/proto"
	"github.com/hotloom/hotloom/resources"
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
	// Left lists what exists of all that the example makes, where the author can tell: more than one thing while the resource
	// is there was made twice, and one that is there after its delete was lost. Nil: nobody looks.
	Left func(t *testing.T) []string
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
			t.Run("wrong input", k.wrong)
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

// checkDescription holds the description against what Heat would refuse when it loads the type.
func checkDescription(t *testing.T, d *resources.Description) {
	t.Helper()
	for _, fault := range d.Faults() {
		t.Error(fault)
	}
}
