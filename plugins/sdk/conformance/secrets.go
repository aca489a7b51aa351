package conformance

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/hotloom/hotloom/resources"
)

// look looks for secrets in what a step of any operation gives back to be shown.
func (k *kit) look(t *testing.T, op *resources.Operation, r *resources.Result, err error) {
	t.Helper()
	if err != nil && k.shows(err.Error()) {
		t.Errorf("the error of %s shows a secret: %s", op.Action, k.secret.Text(err.Error()))
	}
	if r == nil {
		return
	}
	for _, e := range r.Progress {
		if k.shows(e.Message) {
			t.Errorf("the progress of %s shows a secret: %s", op.Action, k.secret.Text(e.Message))
		}
	}
	if k.shows(r.ID) {
		t.Error("the id shows a secret")
	}
	k.open(t, r.Attributes)
}

func (k *kit) shows(text string) bool { return k.secret.Text(text) != text }

// open looks for secrets in attributes that are not marked as such.
func (k *kit) open(t *testing.T, attributes resources.Values) {
	t.Helper()
	for name, v := range attributes {
		if a := k.typ.Attributes[name]; a == nil || !a.Secret {
			if text, err := json.Marshal(v); err == nil && k.shows(string(text)) {
				t.Errorf("attribute %s shows a secret and is not marked as secret", name)
			}
		}
	}
}

// secrets: values of secret properties are in no attribute that is shown and in no log. That they are in no error and no
// progress is looked for in every test.
func (k *kit) secrets(t *testing.T) {
	if !k.hasSecret() {
		t.Skip("the type has no secret property")
	}
	var log text
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	defer slog.SetDefault(before)
	p := connect(t, k.start(t))
	op := k.create(t, p)
	attributes, err := p.Attributes(t.Context(), op.Resource, nil)
	if err != nil {
		t.Fatal(err)
	}
	k.open(t, attributes)
	if k.e.Update != nil {
		k.update(t, p, op)
	}
	k.delete(t, p, op)
	if k.shows(log.String()) {
		t.Errorf("the log shows a secret:\n%s", k.secret.Text(log.String()))
	}
}

func (k *kit) hasSecret() bool {
	text, err := json.Marshal(k.typ.Properties)
	return err == nil && strings.Contains(string(text), `"secret":true`)
}

// text is written by several goroutines.
type text struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *text) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *text) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
