//go:build openstack

package openstack_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// hotloomStack is `hotloom stack ARGUMENTS`; it answers what it printed and its exit code.
func hotloomStack(t *testing.T, environment []string, arguments ...string) (stdout, stderr string, code int) {
	t.Helper()
	binary, err := command()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), stackPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, append([]string{"stack"}, arguments...)...)
	cmd.Env = append(append(os.Environ(), credentials(t)...), environment...)
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), log.String(), cmd.ProcessState.ExitCode()
}

// credentials are the OS_* variables of the services' openrc.
func credentials(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(bed.state, "openrc"))
	if err != nil {
		t.Fatal(err)
	}
	var variables []string
	for _, word := range strings.Fields(string(text)) {
		if strings.HasPrefix(word, "OS_") {
			variables = append(variables, word)
		}
	}
	return variables
}

// must runs a stack command and expects its exit code.
func must(t *testing.T, want int, environment []string, arguments ...string) (stdout, stderr string) {
	t.Helper()
	stdout, stderr, code := hotloomStack(t, environment, arguments...)
	if code != want {
		t.Fatalf("hotloom stack %s: exit code %d, want %d\n%s%s", strings.Join(arguments, " "), code, want, stdout, stderr)
	}
	return stdout, stderr
}

// TestStackCommandRunsTheExamples has them created, updated, previewed and deleted by the command alone.
func TestStackCommandRunsTheExamples(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		target     string
		parameters []string // of the creation
		update     []string // of the update
		output     string   // whose value is known
		value      string   // after the update
	}{
		"two-tier":  {"cloud-init", []string{"-P", "guestbook_password=" + password}, []string{"-P", "flavor=m1.large"}, "page", "/srv/www/index.html"},
		"cluster":   {"cloud-init", []string{"-P", "size=1"}, []string{"-P", "size=2"}, "members", ""},
		"lifecycle": {"software-deployment", nil, []string{"-P", "greeting=good night"}, "revision", "2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStack(t)
			template := "../../examples/" + name + "/template.yaml"
			_, log := must(t, 0, nil, append([]string{"create", s.name, template, "--target", test.target, "--tags", mark, "--timeout", "6"}, test.parameters...)...)
			if !strings.Contains(log, "(step ") || !strings.Contains(log, "stack "+s.name+" is CREATE_COMPLETE") {
				t.Errorf("the creation says\n%s", log)
			}
			if strings.Contains(log, password) {
				t.Error("the password is on the screen")
			}
			again := append([]string{s.name, template, "--target", test.target}, test.parameters...)
			if _, log := must(t, 0, nil, append([]string{"update"}, again...)...); strings.Contains(log, "DELETE_") || strings.Contains(log, "CREATE_") {
				t.Errorf("the same again replaces something:\n%s", log)
			}
			changed := append([]string{s.name, template, "--existing", "--target", test.target}, test.update...)
			preview, _ := must(t, 0, nil, append([]string{"preview"}, changed...)...)
			if !strings.Contains(preview, " stay as they are") || strings.HasPrefix(preview, "nothing to do") {
				t.Errorf("the preview before the update has nothing to do:\n%s", preview)
			}
			must(t, 0, nil, append([]string{"update"}, changed...)...)
			if value, _ := must(t, 0, nil, "outputs", s.name, test.output); test.value != "" && strings.TrimSpace(value) != test.value {
				t.Errorf("output %s is %q, want %q", test.output, value, test.value)
			}
			list, _ := must(t, 0, nil, "list", "--tag", mark)
			if !strings.Contains(list, s.name+" ") {
				t.Errorf("after the update the list of stacks with the tag is\n%s", list)
			}
			if preview, _ := must(t, 0, nil, append([]string{"preview"}, changed...)...); !strings.HasPrefix(preview, "nothing to do: ") {
				t.Errorf("the preview after the update has something to do:\n%s", preview)
			}
			if _, log := must(t, 0, nil, "delete", "--yes", s.name); !strings.Contains(log, "DELETE_COMPLETE     stack "+s.name) {
				t.Errorf("the deletion's last event is not shown:\n%s", log)
			}
			if _, _, code := hotloomStack(t, nil, "show", s.name); code != 1 {
				t.Errorf("show of a deleted stack has exit code %d", code)
			}
		})
	}
	t.Run("mail-2013", func(t *testing.T) {
		t.Parallel()
		if _, log := must(t, 1, nil, "create", "never", "../../examples/mail-2013/template.yaml"); !strings.Contains(log, "template.yaml:") {
			t.Errorf("the refusal has no line:\n%s", log)
		}
	})
}

// event is the beginning of an event's line.
var event = regexp.MustCompile(`^\d\d:\d\d:\d\d  [A-Z]+_[A-Z_]+ `)

func TestStackCommandShowsFailuresAtTheirLines(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	_, log := must(t, 1, nil, "create", s.name, "testdata/stack/outer.yaml", "--tags", mark)
	for _, want := range []string{"testdata/stack/inner.yaml:9:3: inner.boom: ", "CREATE_COMPLETE     inner.first (OS::Heat::TestResource)", "stack " + s.name + " is CREATE_FAILED"} {
		if !strings.Contains(log, want) {
			t.Errorf("there is no %q in\n%s", want, log)
		}
	}
	for line := range strings.Lines(log) {
		if event.MatchString(line) && !strings.Contains(line, "stack ") && !strings.Contains(line, "(OS::Heat::TestResource)") && !strings.Contains(line, "inner (inner.yaml)") {
			t.Errorf("there is no place or type in %s", line)
		}
	}
	_, log = must(t, 1, nil, "update", s.name, "testdata/stack/refused.yaml", "--no-lint")
	if want := "testdata/stack/refused.yaml:7:7: "; !strings.Contains(log, want) {
		t.Errorf("Heat's refusal is not at %s:\n%s", want, log)
	}
	events, _ := must(t, 0, nil, "events", s.name, "--format", "json")
	for line := range strings.Lines(events) {
		var e map[string]any
		if err := json.Unmarshal([]byte(line), &e); err != nil || e["status"] == nil {
			t.Errorf("%v in %s", err, line)
		}
	}
}

// troubled is a proxy before Heat that makes trouble.
type troubled struct {
	*httptest.Server
	mu    sync.Mutex
	gets  int
	posts int            // creations that Heat has got
	did   map[string]int // by kind of trouble
}

// newTroubled loses connections, answers 503 in bursts, is slow, has tokens revoked, and loses the answer to a creation.
func newTroubled(t *testing.T) *troubled {
	t.Helper()
	heat, err := url.Parse(bed.endpoints["orchestration"])
	if err != nil {
		t.Fatal(err)
	}
	p := &troubled{did: map[string]int{}}
	to := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: heat.Scheme, Host: heat.Host})
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		trouble := ""
		switch {
		case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/stacks"):
			if p.posts++; p.posts == 1 {
				trouble = "lost answer"
			}
		case r.Method == http.MethodGet:
			p.gets++
			switch n := p.gets % 16; {
			case n == 3:
				trouble = "reset"
			case n >= 6 && n < 9:
				trouble = "503"
			case n == 11:
				trouble = "slow"
			case n == 14:
				trouble = "revoked"
			}
		}
		p.did[trouble]++
		p.mu.Unlock()
		switch trouble {
		case "lost answer":
			to.ServeHTTP(httptest.NewRecorder(), r)
			cutOff(w)
		case "reset":
			cutOff(w)
		case "503":
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.WriteString(w, "<html><h1>503 Service Unavailable</h1></html>")
		case "slow":
			select {
			case <-time.After(3 * time.Second):
			case <-r.Context().Done():
			}
			to.ServeHTTP(w, r)
		case "revoked":
			revoke(r.Context(), r.Header.Get("X-Auth-Token"))
			to.ServeHTTP(w, r)
		default:
			to.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(p.Close)
	return p
}

func cutOff(w http.ResponseWriter) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = conn.Close()
	}
}

// revoke makes a token worthless, as its end would.
func revoke(ctx context.Context, token string) {
	request, err := http.NewRequestWithContext(ctx, http.MethodDelete, bed.endpoints["identity"]+"/auth/tokens", nil)
	if err != nil {
		return
	}
	request.Header.Set("X-Auth-Token", bed.token)
	request.Header.Set("X-Subject-Token", token)
	if response, err := bed.http.Do(request); err == nil {
		_ = response.Body.Close()
	}
}

func TestStackCommandSurvivesTrouble(t *testing.T) {
	t.Parallel()
	p := newTroubled(t)
	heat, err := url.Parse(bed.endpoints["orchestration"])
	if err != nil {
		t.Fatal(err)
	}
	through := []string{"OS_ORCHESTRATION_ENDPOINT_OVERRIDE=" + p.URL + heat.Path}
	s := newStack(t)
	_, log := must(t, 0, through, "create", s.name, "testdata/stack/slow.yaml", "--tags", mark)
	seen := map[string]int{}
	for line := range strings.Lines(log) {
		if strings.Contains(line, "CREATE_COMPLETE ") {
			seen[strings.Join(strings.Fields(line)[1:3], " ")]++
		}
	}
	for _, r := range []string{"first", "second", "third"} {
		if n := seen["CREATE_COMPLETE "+r]; n != 1 {
			t.Errorf("the event of %s is shown %d times:\n%s", r, n, log)
		}
	}
	var answer struct{ Stacks []struct{ ID string } }
	if err := bed.heat(t.Context(), http.MethodGet, "/stacks?name="+s.name, nil, &answer); err != nil || len(answer.Stacks) != 1 {
		t.Errorf("there are %d stacks of that name, error %v", len(answer.Stacks), err)
	}
	must(t, 0, through, "update", s.name, "testdata/stack/slow.yaml", "-P", "value=b")
	must(t, 0, through, "delete", "--yes", s.name)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, kind := range []string{"lost answer", "reset", "503", "slow", "revoked"} {
		if p.did[kind] == 0 {
			t.Errorf("the proxy made no trouble of kind %s: %v", kind, p.did)
		}
	}
	t.Log("trouble:", p.did)
}
