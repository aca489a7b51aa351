package deployment

import (
	"slices"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/emit/heatconfig"
	"github.com/hotloom/hotloom/compiler/weave"
)

// check reports what the target can not do for a component.
func (t *emitter) check(c *weave.Component) {
	t.CheckSecrets(c)
	if heatconfig.IsScript(c) {
		t.CheckScript(c)
		return
	}
	if heatconfig.Continues(c) {
		t.Report(mustNotFail(c.Decl.Name.At(), c.ID(), c.Type.Tool.Str()))
	}
	if c.Decl.TimeoutAt != nil {
		t.Report(noTimeLimit(c.Decl.TimeoutAt.At(), c.ID(), c.Type.Tool.Str()))
	}
}

// checkTransports reports options that Heat does not know.
func (t *emitter) checkTransports() {
	at := t.Program.Template.Root.At()
	check := func(option, value string, known []string) {
		if !slices.Contains(known, value) {
			d := unknownTransport(at, option, value, known)
			if near := diag.Nearest(value, known); near != "" {
				d = d.With("did you mean %q?", near)
			}
			t.Report(d)
		}
	}
	check("signal transport", t.Options.SignalTransport, signalTransports)
	check("config transport", t.Options.ConfigTransport, configTransports)
}
