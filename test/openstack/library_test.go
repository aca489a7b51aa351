//go:build openstack

package openstack_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/internal/action"
	"github.com/hotloom/hotloom/internal/cloud"
	"github.com/hotloom/hotloom/internal/engine"
	"github.com/hotloom/hotloom/internal/engine/flow"
	"github.com/hotloom/hotloom/internal/mistral"
	"github.com/hotloom/hotloom/templates"
)

// libraryCase is one run of a workflow of the library that calls nothing of a cloud.
type libraryCase struct {
	workflow, name string
	input          string // JSON; HTTP, KEY and NOKEY stand for what the test serves
	state          flow.State
}

var libraryCases = []libraryCase{
	{"baremetal.v1.report", "all well", `{"what": "tagged", "results": [{"node": "a", "status": "SUCCESS", "reason": null}, {"node": "b", "status": "SUCCESS"}]}`, flow.Success},
	{"baremetal.v1.report", "nothing", `{"what": "tagged", "results": []}`, flow.Success},
	{"baremetal.v1.report", "one failed", `{"what": "tagged", "results": [{"node": "a", "status": "SUCCESS"}, {"node": "größer 🧵", "status": "FAILED", "reason": "its \"disk\" isn't\nthere"}]}`, flow.Failed},
	{"baremetal.v1.report", "without reason", `{"what": "tagged", "results": [{"node": "a", "result": "x [action_cls='<class Y>', params={}, msg='no such node']"}]}`, flow.Failed},
	{"baremetal.v1.report", "told", `{"what": "tagged", "results": [{"node": "a", "status": "SUCCESS"}], "notify_url": "HTTP/ok"}`, flow.Success},
	{"baremetal.v1.report", "failure told", `{"what": "tagged", "results": [{"node": "a", "status": "FAILED", "reason": "b"}], "notify_url": "HTTP/ok"}`, flow.Failed},
	{"baremetal.v1.report", "nobody hears", `{"what": "tagged", "results": [], "notify_url": "http://127.0.0.1:1/"}`, flow.Success},
	{"baremetal.v1.report", "results that are none", `{"what": "tagged", "results": 5}`, flow.Failed},
	{"validations.v1.answer_of_url", "it answers", `{"url": "HTTP/ok", "timeout": 5}`, flow.Success},
	{"validations.v1.answer_of_url", "it answers with an error", `{"url": "HTTP/500", "timeout": 5}`, flow.Success},
	{"validations.v1.answer_of_url", "nobody is there", `{"url": "http://127.0.0.1:1/", "timeout": 5}`, flow.Success},
	{"validations.v1.answer_of_url", "it is slow", `{"url": "HTTP/slow", "timeout": 1}`, flow.Success},
	{"validations.v1.answer_of_url", "no address", `{"url": "nonsense", "timeout": 5}`, flow.Success},
	{"validations.v1.network_reachability", "some answer", `{"urls": ["HTTP/ok", "http://127.0.0.1:1/", "HTTP/500"], "concurrency": 2}`, flow.Success},
	{"validations.v1.network_reachability", "all answer", `{"urls": ["HTTP/ok"]}`, flow.Success},
	{"validations.v1.network_reachability", "no addresses", `{"urls": []}`, flow.Success},
	{"validations.v1.network_reachability", "a number for addresses", `{"urls": 5}`, flow.Failed},
	{"validations.v1.clock_of_host", "in step", `{"host": "127.78.0.1", "username": "instep", "private_key_filename": "KEY"}`, flow.Success},
	{"validations.v1.clock_of_host", "behind", `{"host": "127.78.0.1", "username": "behind", "private_key_filename": "KEY"}`, flow.Success},
	{"validations.v1.clock_of_host", "no such program", `{"host": "127.78.0.1", "username": "broken", "private_key_filename": "KEY"}`, flow.Success},
	{"validations.v1.clock_of_host", "may not log in", `{"host": "127.78.0.1", "username": "stranger", "private_key_filename": "KEY"}`, flow.Success},
	{"validations.v1.clock_of_host", "no such key", `{"host": "127.78.0.1", "username": "instep", "private_key_filename": "NOKEY"}`, flow.Success},
	{"validations.v1.clock_of_host", "no such host", `{"host": "127.78.0.2", "username": "instep", "private_key_filename": "KEY"}`, flow.Success},
	{"validations.v1.ntp", "some are in step", `{"hosts": ["127.78.0.1", "127.78.0.2"], "username": "instep", "private_key_filename": "KEY"}`, flow.Success},
	{"validations.v1.ntp", "all are in step", `{"hosts": ["127.78.0.1"], "username": "instep", "private_key_filename": "KEY", "concurrency": 1}`, flow.Success},
	{"validations.v1.ntp", "no hosts", `{"hosts": [], "username": "instep"}`, flow.Success},
	{"validations.v1.one", "it passes", `{"name": "network_reachability", "inputs": {"urls": ["HTTP/ok"]}}`, flow.Success},
	{"validations.v1.one", "it does not pass", `{"name": "network_reachability", "inputs": {"urls": ["http://127.0.0.1:1/"]}}`, flow.Success},
	{"validations.v1.one", "no such validation", `{"name": "none"}`, flow.Failed},
	{"validations.v1.one", "an input is lacking", `{"name": "ntp", "inputs": {"username": "x"}}`, flow.Failed},
	{"validations.v1.run", "no validations", `{"validations": []}`, flow.Success},
	{"validations.v1.run", "all pass", `{"validations": [{"name": "network_reachability", "inputs": {"urls": ["HTTP/ok"]}}, {"name": "ntp", "inputs": {"hosts": [], "username": "x"}}]}`, flow.Success},
	{"validations.v1.run", "some pass", `{"concurrency": 2, "validations": [{"name": "network_reachability", "inputs": {"urls": ["HTTP/ok"]}}, {"name": "none"}, {"name": "network_reachability", "inputs": {"urls": ["http://127.0.0.1:1/"]}}]}`, flow.Success},
	{"validations.v1.run", "an item without a name", `{"validations": [{"inputs": {}}]}`, flow.Success},
	{"validations.v1.run", "a text for validations", `{"validations": "all"}`, flow.Failed},
}

// TestLibraryOnBothEngines runs each workflow of the library that needs no cloud here and on Mistral. Both leave the same
// record: states, what they say, outputs, tasks with what they published, and what is below them.
func TestLibraryOnBothEngines(t *testing.T) {
	t.Parallel()
	served := serveHTTP(t)
	key, known := serveSSH(t)
	here, there := bothEngines(t, known)
	for _, c := range libraryCases {
		t.Run(c.workflow+" "+c.name, func(t *testing.T) {
			t.Parallel()
			input, err := value.ParseJSON(strings.NewReplacer("HTTP/", served+"/", "NOKEY", key+".none", "KEY", key).Replace(c.input))
			if err != nil {
				t.Fatal(err)
			}
			start := engine.StartOptions{Workflow: "hotloom." + c.workflow, Input: input.(*value.Map)}
			want, got := runHere(t, here, start), runThere(t, there, start)
			if want.State != c.state {
				t.Errorf("here it is %s, want %s:\n%s", want.State, c.state, strings.Join(record(want), "\n"))
			}
			if diff := cmp.Diff(record(want), record(got)); diff != "" {
				t.Errorf("the engines differ (-here +mistral):\n%s", diff)
			}
		})
	}
}

// TestLibraryCasesAreComplete finds a workflow that needs no cloud and is not run on both engines.
func TestLibraryCasesAreComplete(t *testing.T) {
	t.Parallel()
	covered := map[string]bool{}
	for _, c := range libraryCases {
		covered["hotloom."+c.workflow] = true
	}
	for _, book := range templates.Workbooks() {
		_, doc := libraryFile(t, book)
		for _, w := range doc.Workflows {
			if needed := calls(doc, w, nil); covered[w.FullName()] == slices.ContainsFunc(needed, ofCloud) {
				t.Errorf("%s calls %v, and is run on both engines: %t", w.FullName(), needed, covered[w.FullName()])
			}
		}
	}
}

func ofCloud(action string) bool { return !strings.HasPrefix(action, "std.") }

// calls are the actions that a workflow and those of its workbook below it call.
func calls(doc *workflow.Document, w *workflow.Workflow, above []string) []string {
	var out []string
	for _, t := range w.Tasks {
		sub := doc.Workflow(w.Workbook + "." + t.Workflow)
		switch {
		case t.Action != "":
			out = append(out, t.Action)
		case sub != nil && !slices.Contains(above, sub.Name):
			out = append(out, calls(doc, sub, append(above, w.Name))...)
		}
	}
	return out
}

func libraryFile(t *testing.T, book string) ([]byte, *workflow.Document) {
	t.Helper()
	text, err := fs.ReadFile(templates.FS(), templates.Workbook(book))
	if err != nil {
		t.Fatal(err)
	}
	doc, found := workflow.Parse(&source.File{Path: book, Text: text}, workflow.Auto)
	if found.HasErrors() {
		t.Fatal(found)
	}
	return text, doc
}

// bothEngines are an embedded engine and Mistral, with the library.
func bothEngines(t *testing.T, known string) (*engine.Engine, *mistral.Client) {
	t.Helper()
	registry, err := action.NewRegistry(action.Std(action.Config{KnownHosts: known}))
	if err != nil {
		t.Fatal(err)
	}
	here, err := engine.Open(t.TempDir(), engine.Options{Actions: registry})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = here.Close() })
	credentials := map[string]string{}
	for _, v := range bed.credentials {
		name, text, _ := strings.Cut(v, "=")
		credentials[name] = text
	}
	connection, err := cloud.Connect(t.Context(), cloud.Options{Getenv: func(name string) string { return credentials[name] }})
	if err != nil {
		t.Fatal(err)
	}
	there, err := mistral.New(connection)
	if err != nil {
		t.Fatal(err)
	}
	for _, book := range templates.Workbooks() {
		text, doc := libraryFile(t, book)
		if _, found, err := here.Define(&source.File{Path: book, Text: text}, workflow.Auto, ""); err != nil || found.HasErrors() {
			t.Fatal(err, found)
		}
		if _, err := there.Push(t.Context(), doc, text, ""); err != nil {
			t.Fatal(err)
		}
	}
	return here, there
}

// Bounds of one run.
const libraryPatience = 2 * time.Minute

func runHere(t *testing.T, e *engine.Engine, o engine.StartOptions) *engine.Snapshot {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), libraryPatience)
	defer cancel()
	id, err := e.Start(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.Wait(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func runThere(t *testing.T, c *mistral.Client, o engine.StartOptions) *engine.Snapshot {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), libraryPatience)
	defer cancel()
	id, err := c.Start(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Wait(ctx, id, func(engine.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fault is where a message begins that goes on with more: Mistral shows all that an expression could have read, and the way
// to the fault.
var fault = regexp.MustCompile(`Can not evaluate YAQL expression|Failed to run task \[error=`)

// varying are ids, and how long an HTTP call took.
var varying = regexp.MustCompile(`'elapsed': [0-9.e-]+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// record is what an execution did, in lines, without what no two have alike: ids, times, order of what runs side by side,
// and the words in which the libraries of two languages say that a connection could not be made.
func record(s *engine.Snapshot) []string {
	words := map[string]bool{}
	failures(s, words)
	return recordOf(s, "", words)
}

func recordOf(s *engine.Snapshot, indent string, words map[string]bool) []string {
	out := []string{fmt.Sprintf("%s%s %s, %s, output %s", indent, s.State, s.Workflow, plain(info(s.Info), words), plain(s.Output, words))}
	var tasks []string
	for _, t := range s.Tasks {
		line := fmt.Sprintf("%s  %s %s, %s, published %s, global %s", indent, t.State, t.Name, plain(info(t.Info), words), plain(t.Published, words), plain(t.PublishedGlobal, words))
		var below []string
		for _, w := range t.Workflows {
			below = append(below, strings.Join(recordOf(w, indent+"    ", words), "\n"))
		}
		slices.Sort(below)
		tasks = append(tasks, strings.Join(append([]string{line}, below...), "\n"))
	}
	slices.Sort(tasks)
	for _, t := range tasks {
		out = append(out, strings.Split(t, "\n")...)
	}
	return out
}

func info(s *string) any {
	if s == nil {
		return nil
	}
	return *s
}

// failures collects what failed actions said: of the task, and of it the part that the library shows.
func failures(s *engine.Snapshot, words map[string]bool) {
	for _, t := range s.Tasks {
		if said, ok := t.Result.(string); ok && t.State == flow.Failed && len(t.Workflows) == 0 {
			parts := strings.Split(said, "msg='")
			words[said], words[strings.TrimRight(parts[len(parts)-1], "']")] = true, true
		}
		for _, w := range t.Workflows {
			failures(w, words)
		}
	}
}

// plain gives a value as text that can be compared.
func plain(v any, words map[string]bool) string {
	if m, ok := v.(*value.Map); ok && m == nil || v == nil {
		return "none"
	}
	text := varying.ReplaceAllString(value.Repr(v), "X")
	if from := fault.FindStringIndex(text); from != nil {
		end := len(text)
		for _, mark := range []string{", data={", " Cause:", ", wf="} {
			if at := strings.Index(text[from[0]:], mark); at >= 0 {
				end = min(end, from[0]+at)
			}
		}
		text = strings.TrimRight(strings.NewReplacer(`\'`, "'", `"`, "'").Replace(text[:end]), "]'")
	}
	var long []string
	for w := range words {
		long = append(long, w)
	}
	slices.SortFunc(long, func(a, b string) int { return len(b) - len(a) })
	for _, w := range long {
		for _, quoted := range []string{strings.Trim(value.Repr(w), `'"`), w} {
			if quoted != "" {
				text = strings.ReplaceAll(text, varying.ReplaceAllString(quoted, "X"), "REASON")
			}
		}
	}
	return strings.ReplaceAll(text, `"REASON"`, "'REASON'")
}

func serveHTTP(t *testing.T) string {
	t.Helper()
	end := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Date"] = nil // is not sent then
		switch r.URL.Path {
		case "/500":
			w.WriteHeader(http.StatusInternalServerError)
		case "/slow":
			select {
			case <-end:
			case <-r.Context().Done():
			}
		}
	}))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(end) })
	return s.URL
}

// serveSSH is a host whose users have clocks that are in step, behind, or not to be asked. It gives the file of a key that
// may log in, and one with the host's own. The port is the one that std.ssh knows.
func serveSSH(t *testing.T) (key, known string) {
	t.Helper()
	const address = "127.78.0.1:22"
	dir := t.TempDir()
	key, known = filepath.Join(dir, "id"), filepath.Join(dir, "known_hosts")
	private, err := rsa.GenerateKey(rand.Reader, 2048) // Mistral 15 takes no other kind
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(private, "")
	if err == nil {
		err = os.WriteFile(key, pem.EncodeToMemory(block), 0o600)
	}
	if err == nil {
		err = os.WriteFile(known, []byte(knownhosts.Line([]string{"127.78.0.1"}, signer.PublicKey())+"\n"), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	config := &ssh.ServerConfig{PublicKeyCallback: func(c ssh.ConnMetadata, _ ssh.PublicKey) (*ssh.Permissions, error) {
		if c.User() == "stranger" {
			return nil, errors.New("denied")
		}
		return nil, nil
	}}
	config.AddHostKey(signer)
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatalf("%v: the test needs that port of a loopback address to itself", err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go answerSSH(conn, config)
		}
	}()
	return key, known
}

func answerSSH(conn net.Conn, config *ssh.ServerConfig) {
	defer conn.Close()
	sc, channels, requests, err := ssh.NewServerConn(conn, config)
	if err != nil {
		return
	}
	go ssh.DiscardRequests(requests)
	for c := range channels {
		ch, reqs, err := c.Accept()
		if err != nil {
			return
		}
		go func() {
			defer ch.Close()
			for r := range reqs {
				_ = r.Reply(r.Type == "exec", nil)
				if r.Type != "exec" {
					continue
				}
				status := uint32(0)
				switch sc.User() {
				case "instep":
					fmt.Fprintln(ch, "yes")
				case "behind":
					fmt.Fprintln(ch, "no")
				default:
					status = 127
				}
				_, _ = ch.SendRequest("exit-status", false, ssh.Marshal(struct{ Status uint32 }{status}))
				return
			}
		}()
	}
}
