//go:build unix

package host

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	goplugin "github.com/hashicorp/go-plugin"

	"github.com/hotloom/hotloom/plugins"
	"github.com/hotloom/hotloom/plugins/sdk"
	"github.com/hotloom/hotloom/resources/typed"
)

// The test binary is the provider too, so that the tests have real processes to kill.
func TestMain(m *testing.M) {
	switch os.Getenv("HOTLOOM_TEST_PROVIDER") {
	case "":
		os.Exit(m.Run())
	case "probe":
		sdk.Serve(probeProvider)
	case "future": // speaks only a protocol that this host does not
		served, err := typed.New(probeProvider)
		if err != nil {
			panic(err)
		}
		goplugin.Serve(&goplugin.ServeConfig{
			HandshakeConfig:  plugins.Handshake,
			VersionedPlugins: map[int]goplugin.PluginSet{99: {plugins.Name: &plugins.Plugin{Provider: served}}},
			GRPCServer:       goplugin.DefaultGRPCServer,
		})
	case "crash":
		os.Exit(3)
	case "hello":
		fmt.Println("hello, world")
	case "echo":
		serveEcho()
	case "host":
		hostForKill()
	}
}

var probeProvider = sdk.Provider{
	Name: "probe", Version: "1.2.3", Summary: "does what the tests ask for",
	Types: sdk.Types{"Test::Probe": func() sdk.Resource { return new(probe) }},
	Actions: sdk.Actions{
		"test.echo": sdk.Func("gives its input back", func(_ context.Context, in struct {
			Text string `hot:"text,required"`
		}, _ *sdk.Call,
		) (any, error) {
			return in.Text, nil
		}),
	},
}

// probe is a line in a file, made in ways that tests choose.
type probe struct {
	File     string   `hot:"file,required" doc:"each action leaves a line here"`
	Mode     string   `hot:"mode,update" default:"" doc:"what goes wrong, as ACTION:WHAT"`
	Recovers bool     `hot:"recover,update" default:"false"`
	Size     int      `hot:"size" default:"0" range:"0.." doc:"bytes of the attribute big"`
	Secret   string   `hot:"secret,secret" default:""`
	List     []string `hot:"list,update" length:"..3" pattern:"[a-z]+"`

	Big  string `attr:"big"`
	Text string `attr:"text"`
}

func (p *probe) Create(ctx context.Context, c *sdk.Call) error {
	c.SetID(filepath.Base(p.File))
	p.Big, p.Text = strings.Repeat("x", p.Size), strings.Join(p.List, " ")
	return p.do(ctx, c)
}
func (p *probe) Update(ctx context.Context, c *sdk.Call) error  { return p.do(ctx, c) }
func (p *probe) Delete(ctx context.Context, c *sdk.Call) error  { return p.do(ctx, c) }
func (p *probe) Check(ctx context.Context, c *sdk.Call) error   { return p.do(ctx, c) }
func (p *probe) Suspend(ctx context.Context, c *sdk.Call) error { return p.do(ctx, c) }
func (p *probe) Resume(ctx context.Context, c *sdk.Call) error  { return p.do(ctx, c) }
func (p *probe) Signal(ctx context.Context, c *sdk.Call, details any) error {
	c.SetOutput(fmt.Sprint(details))
	return p.do(ctx, c)
}

func (p *probe) Validate(context.Context, *sdk.Call) []sdk.Fault {
	if p.Mode == "VALIDATE:hang" {
		select {}
	}
	return nil
}

// do does what Mode asks for, and leaves a line.
func (p *probe) do(ctx context.Context, c *sdk.Call) error {
	action, what, _ := strings.Cut(p.Mode, ":")
	if action != string(c.Action) {
		what = ""
	}
	switch what {
	case "die-before":
		die()
	case "die-once":
		if p.note("died "+c.Key) == nil {
			die()
		}
	case "hang":
		select {} // deaf to cancellation
	case "slow":
		c.Progress(10, "working slowly")
		select {
		case <-time.After(time.Hour):
		case <-ctx.Done():
			return ctx.Err()
		}
	case "panic":
		panic("on purpose, with " + p.Secret)
	case "leak":
		fmt.Println("printed: " + p.Secret)
		fmt.Fprintln(os.Stderr, "written: "+p.Secret)
		c.Log().Info("logged", "secret", p.Secret)
		return sdk.Errorf("cannot log in with %s", p.Secret)
	case "invalid":
		return sdk.Invalid([]string{"list", "0"}, "no good")
	case "retry":
		return sdk.Retry(time.Second, "not now")
	case "later":
		c.Later("file:"+c.Key, 10*time.Millisecond)
		return nil
	}
	if err := p.line(string(c.Action) + " " + c.Key); err != nil {
		return err
	}
	if what == "die-after" {
		die()
	}
	return nil
}

// Poll ends what Later has left.
func (p *probe) Poll(_ context.Context, c *sdk.Call) error {
	c.Progress(50, "half way, said by process %d", os.Getpid())
	return p.line(string(c.Action) + " " + c.Key + " polled " + c.Token)
}

// Recover finds out by the key whether the work was done.
func (p *probe) Recover(ctx context.Context, c *sdk.Call) error {
	if !p.Recovers {
		return sdk.Errorf("the probe was told not to recover")
	}
	text, _ := os.ReadFile(p.File)
	if strings.Contains(string(text), string(c.Action)+" "+c.Key) {
		c.SetID(filepath.Base(p.File))
		return nil
	}
	p.Mode = ""
	if c.Action == "CREATE" {
		return p.Create(ctx, c)
	}
	return p.do(ctx, c)
}

func (p *probe) line(text string) error {
	f, err := os.OpenFile(p.File, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString(text + "\n")
	return err
}

// note succeeds once.
func (p *probe) note(string) error {
	f, err := os.OpenFile(p.File+".died", os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_ = f.Close()
	}
	return err
}

func die() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

func testSource(t testing.TB, kind string) Source {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Source{Name: "probe", Path: self, Env: []string{"HOTLOOM_TEST_PROVIDER=" + kind}, Cache: t.TempDir()}
}
