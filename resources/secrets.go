package resources

import (
	"encoding/json"
	"slices"
	"sort"
	"strings"

	"github.com/hotloom/hotloom/resources/catalog"
)

// Hidden stands where a secret was.
const Hidden = "***"

// Redact copies values with those hidden that the schema marks as secret.
func Redact(schema map[string]*catalog.Property, values Values) Values {
	if values == nil {
		return nil
	}
	out := make(Values, len(values))
	for name, v := range values {
		if p := schema[name]; p != nil {
			v = redact(p, v)
		}
		out[name] = v
	}
	return out
}

func redact(p *catalog.Property, v any) any {
	if v == nil {
		return nil
	}
	if p.Secret {
		return Hidden
	}
	switch x := v.(type) {
	case map[string]any:
		return Redact(p.Schema, x)
	case []any:
		if p.Items == nil {
			return v
		}
		out := make([]any, len(x))
		for i := range x {
			out[i] = redact(p.Items, x[i])
		}
		return out
	}
	return v
}

// Scrubber hides known secrets in texts: log lines, messages of errors. It is not safe for concurrent use.
type Scrubber struct {
	secrets []string // the newest last
	sorted  []string // the longest first, so that one within another leaves nothing behind; nil: to be made
}

// maxSecrets is how many secrets are remembered; the oldest are forgotten.
const maxSecrets = 1000

// minLine is the shortest line of a secret of several lines, as a key is, that is hidden where it stands alone.
const minLine = 8

// minSecret is the shortest text that is hidden: shorter ones would hide half of each message, and are no secrets.
const minSecret = 4

// Add makes texts secret: v itself where it is a text, or every text within it. Values of other kinds are not hidden.
func (s *Scrubber) Add(v any) {
	for _, text := range texts(v, nil) {
		s.add(text, minSecret)
		if lines := strings.Split(text, "\n"); len(lines) > 1 {
			for _, line := range lines { // logs are read line by line
				s.add(strings.TrimSpace(line), minLine)
			}
		}
	}
	if n := len(s.secrets); n > maxSecrets {
		s.secrets = slices.Delete(s.secrets, 0, n-maxSecrets)
	}
}

func (s *Scrubber) add(text string, least int) {
	if len(text) >= least && !slices.Contains(s.secrets, text) {
		s.secrets = append(s.secrets, text)
		s.sorted = nil
	}
}

// Longest is the length in bytes of the longest secret as Text may find it: who cuts a text has to keep as much together.
func (s *Scrubber) Longest() int {
	longest := 0
	for _, secret := range s.secrets {
		longest = max(longest, len(secret))
		if quoted, err := json.Marshal(secret); err == nil {
			longest = max(longest, len(quoted)-2)
		}
	}
	return longest
}

// AddMarked makes those values secret that the schema marks.
func (s *Scrubber) AddMarked(schema map[string]*catalog.Property, values Values) {
	for name, v := range values {
		if p := schema[name]; p != nil {
			s.addMarked(p, v)
		}
	}
}

func (s *Scrubber) addMarked(p *catalog.Property, v any) {
	if p.Secret {
		s.Add(v)
		return
	}
	switch x := v.(type) {
	case map[string]any:
		s.AddMarked(p.Schema, x)
	case []any:
		for _, item := range x {
			if p.Items != nil {
				s.addMarked(p.Items, item)
			}
		}
	}
}

// Merge adds the secrets of another scrubber.
func (s *Scrubber) Merge(o *Scrubber) {
	for _, secret := range o.secrets {
		s.Add(secret)
	}
}

// Text hides the secrets in a text, in the form that JSON gives them too.
func (s *Scrubber) Text(text string) string {
	if s == nil {
		return text
	}
	if s.sorted == nil {
		s.sorted = slices.Clone(s.secrets)
		sort.SliceStable(s.sorted, func(i, j int) bool { return len(s.sorted[i]) > len(s.sorted[j]) })
	}
	for _, secret := range s.sorted {
		text = strings.ReplaceAll(text, secret, Hidden)
		if quoted, err := json.Marshal(secret); err == nil && len(quoted) > len(secret)+2 {
			text = strings.ReplaceAll(text, string(quoted[1:len(quoted)-1]), Hidden)
		}
	}
	return text
}

// Error hides the secrets in an error. Its data, which is a value and not for show, stays.
func (s *Scrubber) Error(err error) error {
	e := AsError(err)
	if e == nil || s == nil || len(s.secrets) == 0 {
		return err
	}
	out := &Error{Kind: e.Kind, Message: s.Text(e.Message), After: e.After, Data: e.Data}
	for _, f := range e.Faults {
		out.Faults = append(out.Faults, Fault{Path: f.Path, Message: s.Text(f.Message)})
	}
	if e.cause != nil && s.Text(e.cause.Error()) == e.cause.Error() {
		out.cause = e.cause // it holds no secret
	}
	return out
}

func texts(v any, into []string) []string {
	switch x := v.(type) {
	case string:
		into = append(into, x)
	case []any:
		for _, item := range x {
			into = texts(item, into)
		}
	case map[string]any:
		for _, item := range x {
			into = texts(item, into)
		}
	}
	return into
}
