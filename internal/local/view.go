package local

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
)

// Report is the stack as `hotloom status` shows it; there is no secret in it.
func (s *State) Report() *value.Map {
	info := s.Info()
	m := value.MapOf("name", info.Name, "id", info.ID, "state", info.Status, "template", info.Template)
	if info.Reason != "" {
		m.SetStr("reason", info.Reason)
	}
	nodes := []any{}
	for _, r := range s.Records() {
		n := value.MapOf("node", r.Key, "kind", r.Kind, "type", r.Type, "state", r.Status)
		if r.Reason != "" {
			n.SetStr("message", r.Reason)
		}
		if r.Address != "" {
			n.SetStr("address", r.Address)
		}
		for name, at := range map[string]time.Time{"started": r.Started, "ended": r.Ended} {
			if !at.IsZero() {
				n.SetStr(name, at.Format(time.RFC3339Nano))
			}
		}
		nodes = append(nodes, n)
	}
	m.SetStr("nodes", nodes)
	m.SetStr("outputs", anyMap(info.Outputs.Map))
	return m
}

// LastLines are the last lines of what the last run of a node has written.
func (s *State) LastLines(r *Record, n int) []string {
	text, err := os.ReadFile(s.LogFile(r.Key, actionOf(r.Status)))
	if err != nil {
		return nil // it has no log
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		switch {
		case isHead(line):
			lines = nil // of an earlier run
		case !strings.HasPrefix(line, logMark):
			lines = append(lines, strings.TrimRight(line, "\n"))
		}
	}
	return lines[max(0, len(lines)-n):]
}

// HostFolder is the folder of a host that is bound to none, "" of anything else.
func (s *State) HostFolder(r *Record) string {
	switch {
	case r.Binding != "":
		return r.Binding
	case r.Dir != "":
		return filepath.Join(s.Dir, "hosts", r.Dir)
	}
	return ""
}
