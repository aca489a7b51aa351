package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/hotloom/hotloom/plugins/sdk"
)

// probe is a provider for the tests that kills hotloom in the middle of its work, where a file says so, and writes down
// what it is asked to do. It runs in the test binary.
var probe = sdk.Provider{
	Name: "probe", Version: "1.0.0",
	Types: sdk.Types{"Probe::Slow": func() sdk.Resource { return new(slow) }},
	Actions: sdk.Actions{
		"probe.slow": sdk.Func("work that goes on by itself", func(_ context.Context, in slow, c *sdk.Call) (any, error) {
			err := in.step(c, "run")
			return in.Count, err
		}),
		"probe.busy": sdk.Func("work in the provider's process", func(_ context.Context, in slow, c *sdk.Call) (any, error) {
			in.write("busy")
			in.killHost("busy")
			return nil, nil
		}),
	},
}

type slow struct {
	Log   string `hot:"log,required" doc:"file that gets a line for each thing done; NAME.kill says before what to kill the host"`
	Text  string `hot:"text,update" default:""`
	Steps int    `hot:"steps" default:"4" doc:"polls until the work has ended"`

	Count int `attr:"count"`
}

func (s *slow) write(format string, args ...any) {
	f, err := os.OpenFile(s.Log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, _ = fmt.Fprintf(f, format+"\n", args...)
		_ = f.Close()
	}
}

// killHost kills hotloom the first time that it comes to what LOG.kill names.
func (s *slow) killHost(at string) {
	if text, err := os.ReadFile(s.Log + ".kill"); err == nil && strings.TrimSpace(string(text)) == at {
		_ = os.Remove(s.Log + ".kill")
		_ = syscall.Kill(os.Getppid(), syscall.SIGKILL)
		time.Sleep(time.Minute) // the lifeline ends this process
	}
}

// step is one of the work's steps: the token counts them.
func (s *slow) step(c *sdk.Call, what string) error {
	n, _ := strconv.Atoi(c.Token)
	if n == 0 {
		s.write("%s begins %s", what, s.Text)
	}
	s.killHost(what + " " + strconv.Itoa(n))
	if n++; n > s.Steps {
		s.Count = n - 1
		s.write("%s ends", what)
		return nil
	}
	c.Later(strconv.Itoa(n), 10*time.Millisecond)
	return nil
}

func (s *slow) Create(_ context.Context, c *sdk.Call) error {
	c.SetID("slow-" + c.Name)
	return s.step(c, "create")
}

func (s *slow) Update(_ context.Context, c *sdk.Call) error { return s.step(c, "update") }

func (s *slow) Poll(_ context.Context, c *sdk.Call) error {
	return s.step(c, strings.ToLower(string(c.Action)))
}

func (s *slow) Cancel(_ context.Context, c *sdk.Call) error {
	s.write("%s cancelled", strings.ToLower(string(c.Action)))
	return nil
}

func (s *slow) Delete(_ context.Context, c *sdk.Call) error {
	s.write("delete of %q", c.ID())
	s.killHost("delete")
	s.write("deleted")
	return nil
}
