package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/creack/pty"

	"github.com/hotloom/hotloom/internal/cloud/cloudtest"
)

// screen is what a terminal shows: enough of one for what the live tree writes.
type screen struct {
	columns, rows int

	mu      sync.Mutex
	lines   [][]rune // with those that have scrolled out of view
	row     int
	column  int
	raw     strings.Builder
	changed chan struct{}
	ended   bool
}

func newScreen(columns, rows int) *screen {
	return &screen{columns: columns, rows: rows, lines: make([][]rune, 1), changed: make(chan struct{}, 1)}
}

var sequence = regexp.MustCompile(`^\x1b\[([0-9;]*)([A-Za-z])`)

// show takes in what was written until the end of the stream.
func (s *screen) show(r io.Reader) {
	buffer := make([]byte, 4096)
	var rest string
	for {
		n, err := r.Read(buffer)
		s.mu.Lock()
		s.raw.Write(buffer[:n])
		rest = s.write(rest + string(buffer[:n]))
		s.ended = err != nil
		s.mu.Unlock()
		select {
		case s.changed <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// write gives what is not whole yet.
func (s *screen) write(text string) (rest string) {
	for text != "" {
		if text[0] == '\x1b' {
			m := sequence.FindStringSubmatch(text)
			if m == nil {
				return text
			}
			switch n, _ := strconv.Atoi(m[1]); m[2] {
			case "A": // up, but not out of view
				s.row = max(s.row-n, len(s.lines)-s.rows, 0)
			case "J":
				s.lines = s.lines[:s.row+1]
				s.lines[s.row] = s.lines[s.row][:min(s.column, len(s.lines[s.row]))]
			}
			text = text[len(m[0]):]
			continue
		}
		if !utf8.FullRuneInString(text) {
			return text
		}
		r, size := utf8.DecodeRuneInString(text)
		text = text[size:]
		switch r {
		case '\r':
			s.column = 0
		case '\n':
			s.down()
		default:
			if s.column == s.columns {
				s.column = 0
				s.down()
			}
			line := s.lines[s.row]
			for len(line) <= s.column {
				line = append(line, ' ')
			}
			line[s.column] = r
			s.lines[s.row] = line
			s.column++
		}
	}
	return ""
}

func (s *screen) down() {
	if s.row++; s.row == len(s.lines) {
		s.lines = append(s.lines, nil)
	}
}

// text is all that the terminal has shown and not drawn over.
func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var lines []string
	for _, l := range s.lines {
		lines = append(lines, strings.TrimRight(string(l), " "))
	}
	return strings.Join(lines, "\n")
}

// await waits until the terminal shows a text.
func (s *screen) await(t *testing.T, want string) {
	t.Helper()
	late := time.After(30 * time.Second)
	for {
		if strings.Contains(s.text(), want) {
			return
		}
		s.mu.Lock()
		ended := s.ended
		s.mu.Unlock()
		if ended {
			t.Fatalf("it has ended without %q:\n%s", want, s.text())
		}
		select {
		case <-s.changed:
		case <-late:
			t.Fatalf("there is no %q on the terminal:\n%s", want, s.text())
		}
	}
}

// playedHeat is a Heat whose stack shop is where the test wants it.
type playedHeat struct {
	*cloudtest.Cloud
	mu     sync.Mutex
	status string // of the stack
	states []string
	calls  []string // those that change something
}

// names are the resources of the stack.
var names = func() (out []string) {
	for i := range 24 {
		out = append(out, fmt.Sprintf("a_resource_with_a_long_name_%02d", i))
	}
	return out
}()

func newPlayedHeat(t *testing.T) *playedHeat {
	t.Helper()
	h := &playedHeat{status: "CREATE_IN_PROGRESS", states: make([]string, len(names))}
	h.Cloud = cloudtest.New(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet && strings.HasPrefix(r.URL.Path, "/orchestration") {
				h.mu.Lock()
				h.calls = append(h.calls, r.Method+" "+r.URL.Path)
				h.mu.Unlock()
			}
			next.ServeHTTP(w, r)
		})
	}, "orchestration")
	links := []any{map[string]any{"rel": "stack", "href": "http://h/v1/p1/stacks/shop/id"}}
	h.reply("POST /orchestration/stacks", 201, func() any { return map[string]any{"stack": map[string]any{"id": "id"}} })
	h.reply("GET /orchestration/stacks/shop/id", 200, func() any {
		return map[string]any{"stack": map[string]any{"id": "id", "stack_name": "shop", "stack_status": h.status, "disable_rollback": true}}
	})
	h.reply("GET /orchestration/stacks/shop/id/resources", 200, func() any {
		var all []any
		for i, n := range names {
			all = append(all, map[string]any{
				"resource_name": n, "resource_type": "OS::Heat::TestResource", "resource_status": h.states[i], "links": links,
				"resource_status_reason": whyOf(h.states[i]),
			})
		}
		return map[string]any{"resources": all}
	})
	h.reply("GET /orchestration/stacks/shop/id/events", 200, func() any {
		all := []any{}
		for i, n := range names {
			if h.states[i] != "" {
				all = append(all, map[string]any{
					"id": fmt.Sprint(i, h.states[i]), "resource_name": n, "resource_status": h.states[i], "links": links,
					"event_time": time.Now().UTC().Format(time.RFC3339), "resource_status_reason": whyOf(h.states[i]),
				})
			}
		}
		return map[string]any{"events": all}
	})
	return h
}

func (h *playedHeat) reply(pattern string, status int, body func() any) {
	h.Handle(pattern, func(w http.ResponseWriter, _ *http.Request) {
		h.mu.Lock()
		defer h.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body())
	})
}

// environment has the variables of a login.
func (h *playedHeat) environment() (out []string) {
	for _, n := range []string{"OS_AUTH_URL", "OS_USERNAME", "OS_PASSWORD", "OS_PROJECT_NAME"} {
		out = append(out, n+"="+h.Getenv(n))
	}
	return out
}

func whyOf(status string) string {
	if strings.HasSuffix(status, "FAILED") {
		return "a reason \x1b[2Jthat is longer than the terminal of this test is wide, which is no good reason for it to be wrapped"
	}
	return "state changed"
}

// set has some resources in a state, and the stack in one.
func (h *playedHeat) set(stack string, first, after int, status string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.status = stack
	for i := first; i < after; i++ {
		h.states[i] = status
	}
}

// inTerminal starts `hotloom stack create shop` in a terminal.
func inTerminal(t *testing.T, h *playedHeat, columns, rows int, environment ...string) (*screen, *os.File, *exec.Cmd) {
	t.Helper()
	binary, err := exec.LookPath("hotloom")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var template strings.Builder
	template.WriteString("heat_template_version: 2018-08-31\nresources:\n")
	for _, n := range names {
		fmt.Fprintf(&template, "  %s: {type: OS::Heat::TestResource}\n", n)
	}
	if err := os.WriteFile(filepath.Join(dir, "template.yaml"), []byte(template.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), binary, "stack", "create", "shop", "template.yaml")
	cmd.Dir = dir
	cmd.Env = append([]string{"HOME=" + dir, "TERM=xterm", "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8"}, environment...)
	cmd.Env = append(cmd.Env, h.environment()...)
	master, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(rows), Cols: uint16(columns)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = master.Close() })
	s := newScreen(columns, rows)
	go s.show(master)
	return s, master, cmd
}

func exitCode(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

func TestTheLiveTreeOnATerminal(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		columns, rows int
		environment   []string
		colors        bool
		row           string // of the resource that fails
	}{
		"wide":        {100, 40, nil, true, "├─ a_resource_with_a_long_name_03  CREATE_FAILED "},
		"no colour":   {100, 40, []string{"NO_COLOR=1"}, false, "├─ a_resource_with_a_long_name_03  CREATE_FAILED "},
		"low":         {100, 9, nil, true, "├─ a_resource_with_a_long_name_03  CREATE_FAILED "},
		"narrow":      {44, 30, nil, true, "├─ a_resource_with_a_…  CREATE_FAILED      …"},
		"very narrow": {12, 5, nil, false, "├─ a_reso…"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newPlayedHeat(t)
			s, _, cmd := inTerminal(t, h, test.columns, test.rows, test.environment...)
			h.set("CREATE_IN_PROGRESS", 0, 20, "CREATE_IN_PROGRESS")
			s.await(t, "├─ a_res")
			h.set("CREATE_IN_PROGRESS", 3, 4, "CREATE_FAILED")
			s.await(t, test.row)
			h.set("CREATE_IN_PROGRESS", 5, 19, "CREATE_COMPLETE")
			h.set("CREATE_FAILED", 20, 20, "")
			if code := exitCode(t, cmd); code != 1 {
				t.Errorf("exit code %d, want 1", code)
			}
			s.await(t, "hotloom: sta")
			text := s.text()
			heads := 0
			for line := range strings.Lines(text) {
				if strings.HasPrefix(line, "stack shop  ") || strings.HasPrefix(line, "stack shop …") {
					heads++
				}
			}
			if heads != 1 {
				t.Errorf("the tree stands there %d times:\n%s", heads, text)
			}
			s.mu.Lock()
			raw := s.raw.String()
			s.mu.Unlock()
			if colors := strings.Contains(raw, "\x1b[31m"); colors != test.colors {
				t.Errorf("colours: %v, want %v", colors, test.colors)
			}
			if strings.Contains(raw, "\x1b[2J") {
				t.Error("what Heat gives as a reason acts on the terminal")
			}
		})
	}
}

func TestCtrlCLeavesTheStackToHeat(t *testing.T) {
	t.Parallel()
	h := newPlayedHeat(t)
	s, master, cmd := inTerminal(t, h, 100, 40)
	h.set("CREATE_IN_PROGRESS", 0, 2, "CREATE_IN_PROGRESS")
	s.await(t, "├─ "+names[1]+"  CREATE_IN_PROGRESS")
	if _, err := master.WriteString("\x03"); err != nil {
		t.Fatal(err)
	}
	if code := exitCode(t, cmd); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	s.await(t, "hotloom: Heat goes on with stack shop; come back with: hotloom stack watch shop")
	if text := s.text(); !strings.Contains(text, names[1]+"  CREATE_IN_PROGRESS") {
		t.Errorf("the tree is gone:\n%s", text)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if want := []string{"POST /orchestration/stacks"}; !slices.Equal(h.calls, want) {
		t.Errorf("calls %v, want %v", h.calls, want)
	}
}
