package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/gophercloud/gophercloud/v2"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/internal/cloud"
	"github.com/hotloom/hotloom/internal/engine"
	"github.com/hotloom/hotloom/internal/engine/flow"
)

// mistral is a real one.
type mistral struct {
	service *gophercloud.ServiceClient
	made    []string // workflows, to remove
	runs    []string
}

func newMistral(ctx context.Context) (*mistral, error) {
	c, err := cloud.Connect(ctx, cloud.Options{})
	if err != nil {
		return nil, err
	}
	s, err := c.Service("workflow")
	return &mistral{service: s}, err
}

// look is how often the end is looked for; a tenth of a second does not count against what Mistral needs.
const look = 100 * time.Millisecond

func (m *mistral) run(ctx context.Context, name, text string) (time.Duration, error) {
	_, err := m.service.Request(ctx, http.MethodPost, m.service.ServiceURL("workflows"), &gophercloud.RequestOpts{
		RawBody: strings.NewReader(text), MoreHeaders: map[string]string{"Content-Type": "text/plain", "Accept": "*/*"}, OkCodes: []int{201},
	})
	if err != nil {
		return 0, cloud.Explain(err)
	}
	m.made = append(m.made, name)
	begin := time.Now()
	var run struct{ ID, State string }
	if _, err := m.service.Post(ctx, m.service.ServiceURL("executions"), map[string]any{"workflow_name": name}, &run, nil); err != nil {
		return 0, cloud.Explain(err)
	}
	m.runs = append(m.runs, run.ID)
	tick := time.NewTicker(look)
	defer tick.Stop()
	for {
		if _, err := m.service.Get(ctx, m.service.ServiceURL("executions", run.ID), &run, nil); err != nil {
			return 0, cloud.Explain(err)
		}
		switch run.State {
		case "SUCCESS":
			return time.Since(begin), nil
		case "ERROR", "CANCELLED", "PAUSED":
			return 0, fmt.Errorf("the execution is %s", run.State)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

func (m *mistral) memory() float64 {
	return pss(func(command string) bool {
		return strings.Contains(command, "mistral") && strings.Contains(command, "python")
	})
}

func (m *mistral) close() error {
	var errs []error
	for _, id := range m.runs {
		_, err := m.service.Delete(context.Background(), m.service.ServiceURL("executions", id), nil)
		errs = append(errs, err)
	}
	for _, name := range m.made {
		_, err := m.service.Delete(context.Background(), m.service.ServiceURL("workflows", name), nil)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// embedded is the engine in this process, with full durability.
type embedded struct {
	*engine.Engine
	dir string
}

func newEmbedded() (*embedded, error) {
	dir, err := os.MkdirTemp("", "hotloom-bench-")
	if err != nil {
		return nil, err
	}
	e, err := engine.Open(dir, engine.Options{})
	return &embedded{e, dir}, err
}

func (e *embedded) run(ctx context.Context, name, text string) (time.Duration, error) {
	_, found, err := e.Define(&source.File{Path: name, Text: []byte(text)}, workflow.Auto, "")
	if err != nil || found.HasErrors() {
		return 0, fmt.Errorf("%v: %w", found, err)
	}
	begin := time.Now()
	id, err := e.Start(ctx, engine.StartOptions{Workflow: name})
	if err != nil {
		return 0, err
	}
	s, err := e.Wait(ctx, id)
	if err == nil && s.State != flow.Success {
		err = fmt.Errorf("the execution is %s", s.State)
	}
	return time.Since(begin), err
}

func (e *embedded) memory() float64 {
	self := fmt.Sprint(os.Args[0], " ")
	return pss(func(command string) bool { return strings.HasPrefix(command+" ", self) })
}

func (e *embedded) close() error { return errors.Join(e.Close(), os.RemoveAll(e.dir)) }
