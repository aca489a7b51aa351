package local

import (
	"errors"
	"io/fs"
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

// Log is the log of one action on one node.
type Log struct {
	Node, Action string
	Text         string
}

// Logs are the logs of a node and what belongs to it ("" is all), in the order in which nodes were made and actions ran.
// A log may still grow.
func (s *State) Logs(node string) ([]Log, error) {
	var out []Log
	for _, r := range s.Records() {
		if node != "" && r.Key != node && r.Host != node && !strings.HasPrefix(r.Key, node+"/") {
			continue
		}
		for _, action := range []string{create, update, "SUSPEND", "RESUME", remove} {
			text, err := os.ReadFile(s.LogFile(r.Key, action))
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			out = append(out, Log{r.Key, action, string(text)})
		}
	}
	return out, nil
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
