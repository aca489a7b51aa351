package heat

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hotloom/hotloom/resources"
)

// kept is what Heat keeps for one resource, besides its id and properties.
type kept struct {
	Data values `json:"-"` // the provider's
	// Work goes on, or was to begin. Earlier went on when Heat turned to something else; it has to end first.
	Work    *work `json:"work,omitempty"`
	Earlier *work `json:"earlier,omitempty"`
}

// work is an operation with everything that is needed to go on with it.
type work struct {
	Key      string           `json:"key"`
	Action   resources.Action `json:"action"`
	Instance instance         `json:"instance"`
	Prior    values           `json:"prior,omitempty"`
	Token    string           `json:"token,omitempty"`
	Begun    time.Time        `json:"begun,omitzero"`
	Deadline time.Time        `json:"deadline,omitzero"`
	Attempts int              `json:"attempts,omitempty"` // that have failed and may go well later
	NotUntil time.Time        `json:"not_until,omitzero"` // the next attempt
	Stopped  bool             `json:"stopped,omitempty"`  // it was told to stop
}

// operation is the work for a provider.
func (w *work) operation(data values) *resources.Operation {
	return &resources.Operation{
		Key: w.Key, Action: w.Action, Prior: resources.Values(w.Prior), Token: w.Token, Deadline: w.Deadline, Wait: w.wait(time.Now()),
		Resource: w.Instance.instance(data),
	}
}

// wait is how long a step of the work may take: a tenth of its age more than at first.
func (w *work) wait(now time.Time) time.Duration {
	return max(wait, min(wait+now.Sub(w.Begun)/10, maxWait))
}

func (i *instance) instance(data values) *resources.Instance {
	return &resources.Instance{
		Type: i.Type, Name: i.Name, Stack: i.Stack, StackID: i.StackID, PhysicalName: i.PhysicalName, ID: i.ID,
		SignalURL: i.SignalURL, Properties: resources.Values(i.Properties), Data: resources.Values(data),
	}
}

// follow takes over what an operation knows after a call.
func (k *kept) follow(w *work, op *resources.Operation) {
	w.Token, w.Instance.ID = op.Token, op.Resource.ID
	k.Data = values(op.Resource.Data)
}

// Heat keeps texts under names, each at most 64 KiB on MySQL when it is encrypted. What is longer is cut into parts under
// further names, which the first one tells; an engine that is killed in between leaves either the old text or the new one.
// Data and work have names of their own: a signal that comes in the middle of some work does not touch the work.
const (
	dataName = "hotloom"
	workName = "hotloom_work"
	partSize = 36 << 10
	maxKept  = 2 << 20
)

const manyParts = "parts "

// readKept reads what Heat has kept; nothing is the zero value.
func readKept(data map[string]string) (*kept, error) {
	k := &kept{}
	for name, into := range map[string]any{dataName: &k.Data, workName: k} {
		text, err := joined(name, data)
		if err == nil && text != "" {
			err = json.Unmarshal([]byte(text), into)
		}
		if err != nil {
			return nil, fmt.Errorf("what Heat has kept for the resource cannot be read: %s: %w", name, err)
		}
	}
	return k, nil
}

// joined is the text under a name, made whole.
func joined(name string, data map[string]string) (string, error) {
	list, cut := strings.CutPrefix(data[name], manyParts)
	if !cut {
		return data[name], nil
	}
	var whole strings.Builder
	for _, part := range strings.Fields(list) {
		text, ok := data[part]
		if !ok {
			return "", fmt.Errorf("part %s is not there", part)
		}
		whole.WriteString(text)
	}
	return whole.String(), nil
}

// changes says what Heat has to keep and to forget so that it has k in place of data.
func (k *kept) changes(data map[string]string) ([][2]*string, error) {
	var out [][2]*string
	for _, item := range []struct {
		name    string
		nothing bool
		v       any
	}{{dataName, len(k.Data) == 0, k.Data}, {workName, k.Work == nil && k.Earlier == nil, k}} {
		text := []byte{}
		if !item.nothing {
			var err error
			if text, err = json.Marshal(item.v); err != nil {
				return nil, err
			}
		}
		if len(text) > maxKept {
			return nil, fmt.Errorf("the provider wants %d bytes kept for the resource; at most %d can be", len(text), maxKept)
		}
		if before, err := joined(item.name, data); err != nil || before != string(text) {
			out = append(out, replaced(item.name, string(text), data)...)
		}
	}
	return out, nil
}

// replaced puts a text in place of what is under a name: its parts first, then the name itself, then the old parts go.
func replaced(name, text string, data map[string]string) (out [][2]*string) {
	head := text
	if len(text) > partSize {
		stamp, names := rand.Text()[:8], []string{}
		for i := 0; len(text) > 0; i++ {
			n := min(partSize, len(text))
			for n < len(text) && !utf8.RuneStart(text[n]) {
				n--
			}
			part, partName := text[:n], fmt.Sprintf("%s-%s-%d", name, stamp, i)
			names, out = append(names, partName), append(out, [2]*string{&partName, &part})
			text = text[n:]
		}
		head = manyParts + strings.Join(names, " ")
	}
	if head == "" {
		out = append(out, [2]*string{&name, nil})
	} else {
		out = append(out, [2]*string{&name, &head})
	}
	old := make([]string, 0, len(data))
	for n := range data {
		if strings.HasPrefix(n, name+"-") {
			old = append(old, n)
		}
	}
	slices.Sort(old)
	for _, n := range old {
		out = append(out, [2]*string{&n, nil})
	}
	return out
}
