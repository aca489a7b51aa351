package bundled

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"os"
	"strings"
	"sync"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/internal/action"
	"github.com/hotloom/hotloom/internal/cloud"
	"github.com/hotloom/hotloom/internal/engine"
	"github.com/hotloom/hotloom/internal/engine/flow"
	"github.com/hotloom/hotloom/internal/mistral"
	"github.com/hotloom/hotloom/resources"
	run "github.com/hotloom/hotloom/resources/workflow"
)

// EngineEnv says where workflows run: "embedded" (which "" means too) or "mistral", the one of the cloud that OS_* name.
const EngineEnv = "HOTLOOM_WORKFLOW_ENGINE"

// backend is what both engines have in common.
type backend interface {
	define(ctx context.Context, doc *workflow.Document, file *source.File, namespace string) error
	start(ctx context.Context, o engine.StartOptions) (string, error)
	show(ctx context.Context, id string) (*engine.Snapshot, error)
	cancel(ctx context.Context, id, reason string) error
	close() error
}

// lazyEngine opens the configured engine when it is first used: a provider that only describes itself has no use for one.
type lazyEngine struct {
	mu   sync.Mutex
	open backend
}

var _ run.Engine = (*lazyEngine)(nil)

func (l *lazyEngine) backend(ctx context.Context) (backend, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open != nil {
		return l.open, nil
	}
	var err error
	switch name := os.Getenv(EngineEnv); name {
	case "", "embedded":
		l.open, err = openEmbedded()
	case "mistral":
		if shared() {
			return nil, resources.Errorf(resources.Permanent, "workflows do not run on OpenStack Mistral here: it would be with the login of "+
				"the engine's machine, which is nobody's own; use OS::Mistral::ExternalResource, which runs them with the stack's")
		}
		l.open, err = openMistral(ctx)
	default:
		err = resources.Errorf(resources.Permanent, "%s is %q: use embedded or mistral", EngineEnv, name)
	}
	return l.open, err
}

// Close closes the engine, if it was opened. What runs goes on when it is opened again.
func (l *lazyEngine) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == nil {
		return nil
	}
	err := l.open.close()
	l.open = nil
	return err
}

// executionID makes an execution's id of an operation's key, in the form of a UUID, so that a second start finds the
// first one's execution.
func executionID(key string) string {
	sum := sha256.Sum256([]byte("workflow execution " + key))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80 // version 8: made by a rule of one's own
	h := hex.EncodeToString(sum[:16])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// Start implements workflow.Engine.
func (l *lazyEngine) Start(ctx context.Context, r run.Run) (string, error) {
	b, err := l.backend(ctx)
	if err != nil {
		return "", err
	}
	if shared() { // one user's definitions are not another's, whatever their names
		r.Namespace = strings.TrimSuffix(r.Stack+"/"+r.Namespace, "/")
	}
	if r.Definition != "" {
		file := &source.File{Path: r.Reference + ".yaml", Text: []byte(r.Definition)}
		doc, found := workflow.Parse(file, workflow.Auto)
		if found.HasErrors() {
			faults := make([]resources.Fault, 0, len(found))
			for _, d := range found {
				faults = append(faults, resources.Fault{Path: []string{"definition"}, Message: d.String()})
			}
			return "", &resources.Error{Kind: resources.Invalid, Faults: faults}
		}
		if err := b.define(ctx, doc, file, r.Namespace); err != nil {
			return "", refused(err)
		}
	}
	params := value.NewMap(0)
	if len(r.Env) > 0 {
		params.SetStr("env", value.From(r.Env))
	}
	input, _ := value.From(r.Input).(*value.Map)
	id, err := b.start(ctx, engine.StartOptions{
		ID: executionID(r.Key), Workflow: r.Reference, Namespace: r.Namespace, Input: input, Params: params,
	})
	return id, refused(err)
}

// refused tells what the engine refuses from what fails.
func refused(err error) error {
	var refusal *engine.Refusal
	if errors.As(err, &refusal) {
		return resources.InvalidAt([]string{"workflow_reference"}, "%s", refusal.Message)
	}
	return err
}

// State implements workflow.Engine.
func (l *lazyEngine) State(ctx context.Context, id string) (*run.Execution, error) {
	b, err := l.backend(ctx)
	if err != nil {
		return nil, err
	}
	s, err := b.show(ctx, id)
	if err != nil {
		return nil, refused(err)
	}
	out := &run.Execution{State: string(s.State), Tasks: len(s.Tasks)}
	if s.Info != nil {
		out.Info = *s.Info
	}
	for _, t := range s.Tasks {
		if t.State.Completed() {
			out.Ended++
		}
	}
	if s.State != flow.Success || s.Output == nil {
		return out, nil
	}
	text, err := value.JSON(s.Output, value.JSONOptions{})
	if err != nil {
		return nil, err
	}
	out.Output, err = resources.Decode([]byte(text))
	return out, err
}

// Cancel implements workflow.Engine.
func (l *lazyEngine) Cancel(ctx context.Context, id, reason string) error {
	b, err := l.backend(ctx)
	if err != nil {
		return err
	}
	return b.cancel(ctx, id, reason)
}

// embedded is the engine in this process.
type embedded struct{ e *engine.Engine }

func openEmbedded() (backend, error) {
	dir, err := stateFolder("workflows")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	actions, err := action.NewRegistry(action.Std(action.Config{NoKeyFiles: shared()}))
	if err != nil {
		return nil, err
	}
	e, err := engine.Open(dir, engine.Options{Actions: actions})
	if errors.Is(err, engine.ErrLocked) {
		return nil, resources.RetryAfter(0, "another process runs workflows in %s", dir)
	}
	if err != nil {
		return nil, err
	}
	return &embedded{e}, nil
}

func (b *embedded) define(_ context.Context, doc *workflow.Document, file *source.File, namespace string) error {
	_, _, err := b.e.Define(file, doc.Kind, namespace)
	return err
}

func (b *embedded) start(ctx context.Context, o engine.StartOptions) (string, error) {
	return b.e.Start(ctx, o)
}

func (b *embedded) show(_ context.Context, id string) (*engine.Snapshot, error) {
	s, err := b.e.Show(id)
	var refusal *engine.Refusal
	if errors.As(err, &refusal) {
		return nil, resources.Errorf(resources.NotFound, "%s", refusal.Message)
	}
	return s, err
}

func (b *embedded) cancel(ctx context.Context, id, reason string) error {
	s, err := b.show(ctx, id)
	if resources.IsKind(err, resources.NotFound) || err == nil && s.State.Completed() {
		return nil
	}
	if err != nil {
		return err
	}
	return b.e.Do(ctx, engine.Request{Do: "stop", ID: id, State: string(flow.Cancelled), Message: &reason})
}

func (b *embedded) close() error { return b.e.Close() }

// remote is an OpenStack Mistral.
type remote struct{ c *mistral.Client }

func openMistral(ctx context.Context) (backend, error) {
	client, err := login(ctx)
	if err != nil {
		return nil, err
	}
	c, err := mistral.New(client)
	if err != nil {
		return nil, err
	}
	return &remote{c}, nil
}

func (b *remote) define(ctx context.Context, doc *workflow.Document, file *source.File, namespace string) error {
	_, err := b.c.Push(ctx, doc, file.Text, namespace)
	return err
}

func (b *remote) start(ctx context.Context, o engine.StartOptions) (string, error) {
	id, err := b.c.Start(ctx, o)
	// Mistral answers 500 for a workflow that it does not have.
	if cloud.IsStatus(err, http.StatusBadRequest) || cloud.IsStatus(err, http.StatusNotFound) || err != nil && strings.Contains(err.Error(), "Workflow not found") {
		return "", &engine.Refusal{Message: err.Error()}
	}
	return id, err
}

func (b *remote) show(ctx context.Context, id string) (*engine.Snapshot, error) {
	s, err := b.c.Brief(ctx, id)
	if cloud.IsStatus(err, http.StatusNotFound) {
		return nil, resources.Errorf(resources.NotFound, "Mistral has no execution %s", id)
	}
	return s, err
}

func (b *remote) cancel(ctx context.Context, id, _ string) error {
	s, err := b.show(ctx, id)
	if resources.IsKind(err, resources.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if s.State.Completed() {
		return nil
	}
	return b.c.SetState(ctx, id, flow.Cancelled)
}

func (b *remote) close() error { return nil }
