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
	Data values `json:"data,omitempty"` // the provider's
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
	Deadline time.Time        `json:"deadline,omitzero"`
	Attempts int              `json:"attempts,omitempty"` // that have failed and may go well later
	NotUntil time.Time        `json:"not_until,omitzero"` // the next attempt
	Stopped  bool             `json:"stopped,omitempty"`  // it was told to stop
}

// operation is the work for a provider.
func (w *work) operation(data values) *resources.Operation {
	return &resources.Operation{
		Key: w.Key, Action: w.Action, Prior: resources.Values(w.Prior), Token: w.Token, Deadline: w.Deadline, Wait: wait,
		Resource: w.Instance.instance(data),
	}
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
const (
	keptName = "hotloom"
	partSize = 36 << 10
	maxKept  = 2 << 20
)

const manyParts = "parts "

// readKept reads what Heat has kept; nothing is the zero value.
func readKept(data map[string]string) (*kept, error) {
	text := data[keptName]
	if list, cut := strings.CutPrefix(text, manyParts); cut {
		var whole strings.Builder
		for _, name := range strings.Fields(list) {
			part, ok := data[name]
			if !ok {
				return nil, fmt.Errorf("what Heat has kept for the resource lacks its part %s", name)
			}
			whole.WriteString(part)
		}
		text = whole.String()
	}
	k := &kept{}
	if text == "" {
		return k, nil
	}
	if err := json.Unmarshal([]byte(text), k); err != nil {
		return nil, fmt.Errorf("what Heat has kept for the resource cannot be read: %w", err)
	}
	return k, nil
}

// changes says what Heat has to keep and to forget so that it has k in place of data.
func (k *kept) changes(data map[string]string) ([][2]*string, error) {
	text, err := json.Marshal(k)
	if err != nil {
		return nil, err
	}
	if len(text) > maxKept {
		return nil, fmt.Errorf("the provider wants %d bytes kept for the resource; at most %d can be", len(text), maxKept)
	}
	head, parts := string(text), [][2]string{}
	if len(text) > partSize {
		stamp, names := rand.Text()[:8], []string{}
		for i := 0; len(text) > 0; i++ {
			n := min(partSize, len(text))
			for n < len(text) && !utf8.RuneStart(text[n]) {
				n--
			}
			name := fmt.Sprintf("%s-%s-%d", keptName, stamp, i)
			names, parts = append(names, name), append(parts, [2]string{name, string(text[:n])})
			text = text[n:]
		}
		head = manyParts + strings.Join(names, " ")
	}
	if len(parts) == 0 && data[keptName] == head {
		return nil, nil
	}
	var out [][2]*string
	for _, p := range parts {
		out = append(out, [2]*string{&p[0], &p[1]})
	}
	name := keptName
	out = append(out, [2]*string{&name, &head})
	old := make([]string, 0, len(data))
	for name := range data {
		if strings.HasPrefix(name, keptName+"-") {
			old = append(old, name)
		}
	}
	slices.Sort(old)
	for _, name := range old {
		out = append(out, [2]*string{&name, nil})
	}
	return out, nil
}
