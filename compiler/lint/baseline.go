package lint

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
)

// Baseline is a set of findings that are known and left out. A finding is recognised by path, rule and message, not by
// its line, so that it stays known when lines above it change; of several equal ones in a file as many are known as the
// baseline has.
type Baseline struct{ known map[baselineKey]int }

type baselineKey struct {
	Path    string `json:"path"`
	Rule    string `json:"rule"`
	Message string `json:"message"`
}

type baselineEntry struct {
	baselineKey
	Count int `json:"count"`
}

type baselineFile struct {
	Version  int             `json:"version"`
	Findings []baselineEntry `json:"findings"`
}

// LoadBaseline reads a baseline file.
func LoadBaseline(path string) (*Baseline, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", err)
	}
	var f baselineFile
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("baseline %s: %w", path, err)
	}
	if f.Version != 1 {
		return nil, fmt.Errorf("baseline %s: version %d is not known, want 1", path, f.Version)
	}
	b := &Baseline{known: map[baselineKey]int{}}
	for _, e := range f.Findings {
		b.known[e.baselineKey] += max(e.Count, 1)
	}
	return b, nil
}

// NewBaseline is the baseline of findings.
func NewBaseline(l diag.List) *Baseline {
	b := &Baseline{known: map[baselineKey]int{}}
	for _, d := range l {
		b.known[keyOf(d)]++
	}
	return b
}

// Save writes the baseline to a file, in an order that does not depend on the run.
func (b *Baseline) Save(path string) error {
	f := baselineFile{Version: 1, Findings: []baselineEntry{}}
	for k, n := range b.known {
		f.Findings = append(f.Findings, baselineEntry{k, n})
	}
	slices.SortFunc(f.Findings, func(a, c baselineEntry) int {
		return strings.Compare(a.Path+"\x00"+a.Rule+"\x00"+a.Message, c.Path+"\x00"+c.Rule+"\x00"+c.Message)
	})
	text, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o600)
}

func keyOf(d diag.Diagnostic) baselineKey { return baselineKey{d.Path, d.Rule, d.Message} }

// filter splits findings into new ones and the number of known ones.
func (b *Baseline) filter(l diag.List) (diag.List, int) {
	left := make(map[baselineKey]int, len(b.known))
	for k, n := range b.known {
		left[k] = n
	}
	var fresh diag.List
	known := 0
	for _, d := range l {
		if k := keyOf(d); left[k] > 0 {
			left[k]--
			known++
			continue
		}
		fresh.Add(d)
	}
	return fresh, known
}
