package host

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/go-hclog"

	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
)

// secrets are what may not be seen of the operations that a provider is busy with, and what it may log of them later.
type secrets struct {
	mu     sync.Mutex
	types  map[string]*catalog.Type
	known  resources.Scrubber
	inputs map[string]map[string]*catalog.Property // of actions
}

// learn takes the schemas of a description, which say what is secret.
func (s *secrets) learn(d *resources.Description) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.types = d.Types
	s.inputs = map[string]map[string]*catalog.Property{}
	for name, a := range d.Actions {
		s.inputs[name] = a.Inputs
	}
}

// note makes the secrets of an operation known. They stay so: a provider may log them after the call.
func (s *secrets) note(op *resources.Operation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case op.Resource != nil:
		if t := s.types[op.Resource.Type]; t != nil {
			s.known.AddMarked(t.Properties, op.Resource.Properties)
			s.known.AddMarked(t.Properties, op.Prior)
		}
	case op.Tool != nil:
		for _, name := range op.Tool.Secrets {
			s.known.Add(op.Tool.Inputs[name])
		}
		s.known.Add(op.Tool.Host.Key)
	case op.Call != nil:
		s.known.AddMarked(s.inputs[op.Call.Name], op.Call.Input)
	}
}

func (s *secrets) text(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known.Text(text)
}

func (s *secrets) longest() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known.Longest()
}

func (s *secrets) error(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known.Error(err)
}

// newLogger makes the logger that go-plugin writes its own messages to. It has the level Off, since go-plugin's reader of
// a provider's stderr would otherwise parse the lines, and panic on some: see lines.
func newLogger(log *slog.Logger, hidden *secrets) hclog.Logger {
	l := hclog.NewInterceptLogger(&hclog.LoggerOptions{Output: io.Discard, Level: hclog.Off})
	l.RegisterSink(&sink{log, hidden})
	return l
}

// sink passes go-plugin's log entries on to slog.
type sink struct {
	log    *slog.Logger
	hidden *secrets
}

var levels = map[hclog.Level]slog.Level{
	hclog.Trace: slog.LevelDebug - 4, hclog.Debug: slog.LevelDebug, hclog.Info: slog.LevelInfo,
	hclog.Warn: slog.LevelWarn, hclog.Error: slog.LevelError,
}

// Accept implements hclog.SinkAdapter.
func (s *sink) Accept(_ string, level hclog.Level, msg string, args ...any) {
	to, ok := levels[level]
	if !ok {
		to = slog.LevelInfo
	}
	ctx := context.Background()
	if !s.log.Enabled(ctx, to) {
		return
	}
	clean := make([]any, len(args))
	for i, a := range args {
		clean[i] = s.hidden.text(fmt.Sprint(a))
	}
	s.log.Log(ctx, to, s.hidden.text(msg), clean...)
}

// lines logs what a provider prints, line by line.
type lines struct {
	log    *slog.Logger
	hidden *secrets
	stream string

	mu       sync.Mutex
	rest     []byte
	panicked bool // the rest is a stack
}

// maxLine is the longest beginning of a line in bytes that is waited for: then it is logged without its end.
const maxLine = 8 << 10

func newLines(log *slog.Logger, hidden *secrets, stream string) *lines {
	return &lines{log: log, hidden: hidden, stream: stream}
}

// Write implements io.Writer.
func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, p...)
	for {
		line, rest, found := bytes.Cut(l.rest, []byte{'\n'})
		if !found {
			l.rest = l.long(l.rest)
			return len(p), nil
		}
		if len(line) > 0 {
			l.line(l.hidden.text(string(line)))
		}
		l.rest = rest
	}
}

// long logs the beginning of a line that has no end yet, as far as no secret that has only begun can reach into it.
func (l *lines) long(rest []byte) []byte {
	if len(rest) < maxLine {
		return rest
	}
	reach := l.hidden.longest()
	if len(rest) < maxLine+reach {
		return rest
	}
	text := l.hidden.text(string(rest))
	for len(text) >= maxLine+reach {
		l.line(text[:maxLine])
		text = text[maxLine:]
	}
	return []byte(text)
}

// line logs one line: a JSON object as hclog and plugins.Logs write it with its level and values, all else as text.
func (l *lines) line(text string) {
	var entry map[string]any
	if strings.HasPrefix(text, "{") && json.Unmarshal([]byte(text), &entry) == nil {
		if message, ok := entry["@message"].(string); ok {
			level, _ := entry["@level"].(string)
			l.entry(level, message, entry)
			return
		}
	}
	level := slog.LevelInfo
	if l.panicked = l.panicked || strings.HasPrefix(text, "panic: ") || strings.HasPrefix(text, "fatal error: "); l.panicked {
		level = slog.LevelError
	} else if word, _, ok := strings.Cut(text, "] "); ok && strings.HasPrefix(word, "[") {
		level = levelOf(word[1:])
	}
	l.log.Log(context.Background(), level, text, "stream", l.stream)
}

func (l *lines) entry(level, message string, entry map[string]any) {
	var args []any
	for _, key := range slices.Sorted(maps.Keys(entry)) {
		if !strings.HasPrefix(key, "@") {
			args = append(args, slog.Any(key, entry[key]))
		}
	}
	l.log.Log(context.Background(), levelOf(level), message, args...)
}

func levelOf(word string) slog.Level {
	if level := hclog.LevelFromString(word); level != hclog.NoLevel {
		return levels[level]
	}
	return slog.LevelInfo
}
