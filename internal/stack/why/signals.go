package why

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/source"
)

// signals are what has arrived at a handle.
type signals struct {
	byID map[string]signal
	seen bool // whether they could be read
	sent int  // how many came, repeated ids included
}

type signal struct {
	Status string          `json:"status"`
	Reason string          `json:"reason"`
	Data   json.RawMessage `json:"data"`
}

// log is the end of the step's log that a failure of hotloom's runner brings.
func (s signal) log() []string {
	var data struct{ Log string }
	if json.Unmarshal(s.Data, &data) != nil || data.Log == "" {
		return nil
	}
	var out []string
	for line := range strings.Lines(data.Log) {
		if line = printable(line); line != "" {
			out = append(out, line)
		}
	}
	return out[max(0, len(out)-10):]
}

// ids are those that arrived, sorted.
func (s signals) ids() []string { return slices.Sorted(maps.Keys(s.byID)) }

// failure is a signal that says so.
func (s signals) failure() (id string, f signal, ok bool) {
	for _, id := range s.ids() {
		if s.byID[id].Status == "FAILURE" {
			return id, s.byID[id], true
		}
	}
	return "", signal{}, false
}

// signalsAt reads what has arrived at a handle.
func (d *doctor) signalsAt(ctx context.Context, handle *resource) signals {
	out := signals{byID: map[string]signal{}}
	if handle == nil {
		return out
	}
	text, err := d.Heat.Metadata(ctx, handle.Stack(), handle.Name)
	if err != nil {
		d.unseen("the signals at "+handle.path, err)
		return out
	}
	out.seen = json.Unmarshal(text, &out.byID) == nil
	for _, e := range d.history(ctx) {
		if e.Action() == "SIGNAL" && e.Name == handle.Name && e.Stack().ID == handle.Stack().ID {
			out.sent++
		}
	}
	return out
}

// handles are the types that signals go to.
var handles = map[string]bool{
	"OS::Heat::WaitConditionHandle": true, "AWS::CloudFormation::WaitConditionHandle": true, "OS::Heat::UpdateWaitConditionHandle": true,
}

// program is what hotloom's runner does on a host, as the template has it.
type program struct {
	host  string
	steps []string
}

// programs finds the runner's program in a part of a template.
func programs(n *source.Node) (out []program) {
	n.Walk(func(n *source.Node) bool {
		def := n.Get("@hotloom-program@")
		if def == nil {
			return true
		}
		p := program{host: def.Get("host").Str()}
		if steps := def.Get("steps"); steps != nil {
			for _, item := range steps.Items {
				if branches := item.Get("if"); branches.Is(source.List) && len(branches.Items) > 1 {
					item = branches.Items[1]
				}
				p.steps = append(p.steps, item.Get("name").Str())
			}
		}
		out = append(out, p)
		return false
	})
	return out
}
