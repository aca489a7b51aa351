//go:build openstack

package openstack_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// example is what a folder of examples/ has to do on a real Heat.
type example struct {
	parameters map[string]any
	// refused is what compile says where a target of Heat's own types cannot realise it.
	refused string
	// check looks at the created stack.
	check func(t *testing.T, target string, s *stack, state stackState)
}

const password = "correct horse 'battery' staple"

var examples = map[string]example{
	"hello":     {check: func(*testing.T, string, *stack, stackState) {}}, // that it is created is all
	"two-tier":  {parameters: map[string]any{"guestbook_password": password}, check: checkTwoTier},
	"cluster":   {parameters: map[string]any{"size": 2}, check: checkCluster},
	"lifecycle": {check: checkLifecycle},
	"mail-2013": {refused: "Heat alone runs no workflows", check: checkMail},
}

func TestExamples(t *testing.T) {
	t.Parallel()
	folders, err := filepath.Glob("../../examples/*/template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(folders) < len(examples) {
		t.Errorf("examples/ has %d templates, want %d", len(folders), len(examples))
	}
	for _, source := range folders {
		name := filepath.Base(filepath.Dir(source))
		t.Run(name, func(t *testing.T) {
			e, known := examples[name]
			if !known {
				t.Fatalf("no test says what the example %s has to do", name)
			}
			onEveryTarget(t, func(t *testing.T, target string) { e.run(t, target, source) })
		})
	}
}

func (e example) run(t *testing.T, target, source string) {
	if e.refused != "" && target != workflows {
		hotloom, err := command()
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), hotloom, "compile", "--target", target, "-o", t.TempDir(), source).CombinedOutput()
		if err == nil || !strings.Contains(string(out), e.refused) {
			t.Errorf("compile: error %v, want one that says %q:\n%s", err, e.refused, out)
		}
		return
	}
	s := newStack(t)
	b := bundleOf(t, compile(t, target, source), e.parameters)
	s.validate(b)
	e.check(t, target, s, s.create(b))
}

func checkTwoTier(t *testing.T, _ string, s *stack, state stackState) {
	db, web := s.guest("db"), s.guest("web")
	if got, want := db.read(t, "/srv/guestbook/entries.tsv"), "It said: \"größer & schöner\" — it's 100 % true 🧵\n"; !strings.HasSuffix(got, want) {
		t.Errorf("the guestbook is %q, want its end to be %q", got, want)
	}
	conf := web.read(t, "/srv/www/database.conf")
	if want := fmt.Sprintf("host=%s\ndata_dir=/srv/guestbook\ntoken=", db.Address); !strings.HasPrefix(conf, want) {
		t.Errorf("the web host was told %q, want it to begin with %q", conf, want)
	}
	page := web.read(t, "/srv/www/index.html")
	for _, want := range []string{`<p>Columns: ["time", "author", "text"]</p>`, "<h1>Guestbook of " + s.name + "</h1>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	if modified(t, web.path("/srv/www/index.html")) < modified(t, db.path("/srv/guestbook/entries.tsv")) {
		t.Error("the web host ran before the database host")
	}
	want := map[string]any{"page": "/srv/www/index.html", "data_dir": "/srv/guestbook"}
	got := map[string]any{"page": state.output(t, "page"), "data_dir": state.output(t, "data_dir")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("outputs (-want +got):\n%s", diff)
	}
	if strings.Contains(db.console(), password) {
		t.Error("the password is on the console of the database host")
	}
}

// checkMail: the workflow ran once both hosts had reported, and told what it was given.
func checkMail(t *testing.T, _ string, s *stack, state stackState) {
	want := []any{"ledger " + s.guest("ledger").ID + " is open, 2 hosts are ready", "shop " + s.guest("shop").ID + " is open"}
	if diff := cmp.Diff(any(want), state.output(t, "opened")); diff != "" {
		t.Errorf("output opened (-want +got):\n%s", diff)
	}
}

func modified(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.ModTime().UnixNano()
}

// settings reads lines of the form key=value.
func settings(text string) map[string]string {
	read := map[string]string{}
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		read[key] = value
	}
	return read
}

func checkCluster(t *testing.T, _ string, s *stack, state stackState) {
	leader := s.guest("leader")
	token := settings(leader.read(t, "/etc/cluster/cluster.conf"))["token"]
	if token == "" {
		t.Error("the leader has no token")
	}
	var ids []any
	for _, member := range []*guest{s.guest("0"), s.guest("1")} {
		conf := settings(member.read(t, "/etc/cluster/cluster.conf"))
		if conf["token"] != token || conf["leader"] != leader.Address {
			t.Errorf("%s joined %s with token %q, want %s and %q", member.Name, conf["leader"], conf["token"], leader.Address, token)
		}
		if got, want := member.read(t, "/etc/motd"), "This host is a member of a hotloom example.\n"; got != want {
			t.Errorf("/etc/motd of %s is %q, want %q", member.Name, got, want)
		}
		if modified(t, member.path("/etc/motd")) > modified(t, member.path("/etc/cluster/cluster.conf")) {
			t.Errorf("%s joined before its earlier step", member.Name)
		}
		ids = append(ids, conf["id"])
	}
	if diff := cmp.Diff(any(ids), state.output(t, "members")); diff != "" {
		t.Errorf("output members (-want +got):\n%s", diff)
	}
}

func checkLifecycle(t *testing.T, target string, s *stack, state stackState) {
	host := s.guest("host")
	if got, want := host.read(t, "/srv/greeter/greeting"), "good morning\n"; got != want {
		t.Errorf("the greeting is %q, want %q", got, want)
	}
	if got := fmt.Sprint(state.output(t, "revision")); got != "1" {
		t.Errorf("output revision is %s, want 1", got)
	}
	if target == cloudInit {
		return // CREATE is all that it runs
	}
	source := "../../examples/lifecycle/template.yaml"
	state = s.update(bundleOf(t, compile(t, target, source), map[string]any{"greeting": "good night"}))
	if got, want := host.read(t, "/srv/greeter/greeting"), "good night\n"; got != want {
		t.Errorf("the greeting is %q after the update, want %q", got, want)
	}
	if got := fmt.Sprint(state.output(t, "revision")); got != "2" {
		t.Errorf("output revision is %s after the update, want 2", got)
	}
	s.delete()
	if host.has(t, "/srv/greeter/greeting") {
		t.Error("the deletion of the stack did not run the step's DELETE")
	}
	var did []string
	for line := range strings.Lines(host.read(t, "/srv/greeter/history")) {
		_, what, _ := strings.Cut(strings.TrimSpace(line), " ")
		did = append(did, what)
	}
	if diff := cmp.Diff([]string{"installed", "reconfigured", "removed"}, did); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
}
