package local

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
)

// Log is the log of one action on one node, or a part of it.
type Log struct {
	Node, Action string
	Text         string
}

// Logs are the logs of a node and what belongs to it ("" is all), in the order in which nodes were made and actions ran.
// A log may still grow.
func (s *State) Logs(node string) ([]Log, error) { return s.logsFrom(node, map[string]int64{}) }

// logsFrom are the parts of logs that begin at an offset, by file; those without are given from their beginning. A log
// with nothing there is left out.
func (s *State) logsFrom(node string, offsets map[string]int64) ([]Log, error) {
	var out []Log
	for _, r := range s.Records() {
		if node != "" && r.Key != node && r.Host != node && !strings.HasPrefix(r.Key, node+"/") {
			continue
		}
		for _, action := range []string{create, update, "SUSPEND", "RESUME", remove} {
			path := s.LogFile(r.Key, action)
			text, err := readFrom(path, offsets[path])
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			if len(text) > 0 {
				out = append(out, Log{r.Key, action, string(text)})
			}
		}
	}
	return out, nil
}

func readFrom(path string, offset int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.NewSectionReader(f, offset, maxLog+1<<10))
}

// look is how often a follower looks for more.
const look = 200 * time.Millisecond

// FollowLogs gives what stands in the logs as Logs does, and then what is added, in whole lines and as it comes. It ends
// when nothing is in progress on the stack any more, when the stack is removed, when emit fails, or with ctx, which is no
// error. A process that was killed leaves its stack in progress: then only ctx ends it.
func FollowLogs(ctx context.Context, root, name, node string, emit func(Log) error) error {
	offsets := map[string]int64{}
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	for {
		// The state is read before the logs: what a run wrote before it came to rest is there then.
		s, err := OpenState(root, name)
		var gone *NotThere
		if errors.As(err, &gone) {
			return nil
		} else if err != nil {
			return err
		}
		rest := !strings.HasSuffix(s.Info().Status, inProgress)
		logs, err := s.logsFrom(node, offsets)
		if err != nil {
			return err
		}
		for _, l := range logs {
			if !rest {
				l.Text = l.Text[:strings.LastIndexByte(l.Text, '\n')+1]
			}
			if l.Text == "" {
				continue
			}
			offsets[s.LogFile(l.Node, l.Action)] += int64(len(l.Text))
			if err := emit(l); err != nil {
				return err
			}
		}
		if rest {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}
