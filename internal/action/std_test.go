package action_test

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/internal/action"
)

func run(t *testing.T, c action.Config, name string, in *value.Map) (any, error) {
	t.Helper()
	r, err := action.NewRegistry(action.Std(c))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	return r.Find(name).Run(ctx, in, action.Call{Workflow: "w", ExecutionID: "e", TaskID: "t", ActionID: "a", CallbackURL: "/v2/action_executions/a"})
}

func TestSimpleActions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		in   *value.Map
		want string
	}{
		{"std.noop", value.MapOf(), "None"},
		{"std.echo", value.MapOf("output", []any{int64(1), "x"}), "[1, 'x']"},
		{"std.echo", value.MapOf("output", nil, "delay", "soon"), "None"},
		{"std.sleep", value.MapOf("seconds", int64(0)), "None"},
		{"std.sleep", value.MapOf("seconds", "x"), "None"},
		{"std.test_dict", value.MapOf("size", int64(2), "key_prefix", "k", "val", true), "{'k0': True, 'k1': True}"},
		{"std.fail", value.MapOf(), "error: Fail action expected exception."},
		{"std.fail", value.MapOf("error_data", value.MapOf("code", int64(7))), "failure: {'code': 7}"},
		{"std.javascript", value.MapOf("script", "return $.a.map(x => x * 2)", "context", value.MapOf("a", []any{int64(1), int64(2)})), "[2, 4]"},
		{"std.js", value.MapOf("script", "return {z: 1, a: 1.5, n: null}"), "{'z': 1, 'a': 1.5, 'n': None}"},
		{"std.js", value.MapOf("script", "1 + 1"), "None"},
		{"std.js", value.MapOf("script", "function f(){ return f() } return f()"), "error: JavaScriptAction failed: "},
		{"std.js", value.MapOf("script", "return require('fs')"), "error: JavaScriptAction failed: ReferenceError: require is not defined"},
	} {
		out, err := run(t, action.Config{}, c.name, c.in)
		got := value.Repr(out)
		var failure *action.Failure
		switch {
		case errors.As(err, &failure):
			got = "failure: " + value.Repr(failure.Data)
		case err != nil:
			got = "error: " + err.Error()
		}
		if !strings.HasPrefix(got, c.want) || c.want == "None" && got != "None" {
			t.Errorf("%s %s: got %s, want %s", c.name, value.Repr(c.in), got, c.want)
		}
	}
}

// The language's own table of std actions, which lint uses, must be that of the registry.
func TestInputsAreThoseOfTheLanguage(t *testing.T) {
	t.Parallel()
	r, err := action.NewRegistry(action.Std(action.Config{}))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range r.Names() {
		got := workflow.ActionInputs{}
		for _, in := range r.Find(name).Inputs {
			got[in.Name] = in.Required
		}
		want, ok := workflow.StdAction(name)
		if diff := cmp.Diff(want, got); !ok || diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestStandardActionsAreMistrals compares the registry with what was recorded of the real Mistral.
func TestStandardActionsAreMistrals(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../shared/facts/mistral_actions.json")
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("no record of Mistral's actions at ../shared/facts")
	}
	if err != nil {
		t.Fatal(err)
	}
	var record struct {
		Std map[string]struct {
			Async  bool
			Inputs any
			Alias  string `json:"alias_of"`
		}
	}
	if err := json.Unmarshal(text, &record); err != nil {
		t.Fatal(err)
	}
	r, err := action.NewRegistry(action.Std(action.Config{}))
	if err != nil {
		t.Fatal(err)
	}
	for name := range record.Std {
		was := record.Std[name]
		async := was.Async
		for was.Alias != "" || fmt.Sprint(was.Inputs) == "as std.http" {
			if was.Alias == "" {
				was.Alias = "std.http"
			}
			was = record.Std[was.Alias]
		}
		d := r.Find(name)
		if d == nil {
			t.Errorf("there is no %s", name)
			continue
		}
		if d.Async != async {
			t.Errorf("%s: asynchronous is %v, want %v", name, d.Async, async)
		}
		want, got := map[string]bool{}, map[string]bool{}
		for _, in := range was.Inputs.([]any) {
			m := in.(map[string]any)
			want[m["name"].(string)] = m["required"].(bool)
		}
		for _, in := range d.Inputs {
			got[in.Name] = in.Required
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s, inputs that must be given (-Mistral +here):\n%s", name, diff)
		}
	}
}

func TestTwoActionsOfOneName(t *testing.T) {
	t.Parallel()
	if _, err := action.NewRegistry(action.Std(action.Config{}), action.Std(action.Config{})); err == nil {
		t.Error("no error")
	}
}

func TestScriptEndsWithItsContext(t *testing.T) {
	t.Parallel()
	r, _ := action.NewRegistry(action.Std(action.Config{}))
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := r.Find("std.js").Run(ctx, value.MapOf("script", "for (;;) {}"), action.Call{}); err == nil {
		t.Error("no error")
	}
}

func web(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/json", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		user, pass, _ := r.BasicAuth()
		cookie, _ := r.Cookie("c")
		w.Header().Set("Content-Type", "application/json")
		http.SetCookie(w, &http.Cookie{Name: "s", Value: "1"})
		fmt.Fprintf(w, `{"method": %q, "query": %q, "body": %q, "type": %q, "x": %q, "auth": %q, "cookie": %q, "callback": %q}`,
			r.Method, r.URL.RawQuery, body, r.Header.Get("Content-Type"), r.Header.Get("X-N"), user+"/"+pass, cookie, r.Header.Get("Mistral-Callback-URL"))
	})
	mux.HandleFunc("/text", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, "plain")
	})
	mux.HandleFunc("/gone", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusGone) })
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/text", http.StatusFound) })
	mux.HandleFunc("/big", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.Repeat("x", 2000)) })
	mux.HandleFunc("/slow", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

func get(t *testing.T, v any, key string) any {
	t.Helper()
	m, ok := v.(*value.Map)
	if !ok {
		t.Fatalf("%s is no mapping", value.Repr(v))
	}
	x, _ := m.GetStr(key)
	return x
}

func TestHTTP(t *testing.T) {
	t.Parallel()
	s := web(t)
	out, err := run(t, action.Config{}, "std.http", value.MapOf(
		"url", s.URL+"/json?a=1", "method", "post", "json", value.MapOf("k", []any{int64(1)}), "params", value.MapOf("b", []any{"x y", int64(2)}),
		"headers", value.MapOf("X-N", int64(5)), "auth", "me:secret", "cookies", value.MapOf("c", "v")))
	if err != nil {
		t.Fatal(err)
	}
	content := get(t, out, "content")
	for key, want := range map[string]string{
		"method": "POST", "query": "a=1&b=x+y&b=2", "body": `{"k": [1]}`, "type": "application/json", "x": "5", "auth": "me/secret", "cookie": "c=v", "callback": "",
	} {
		if got := get(t, content, key); got != want {
			t.Errorf("%s: got %v, want %s", key, got, want)
		}
	}
	if status, reason, enc, cookies := get(t, out, "status"), get(t, out, "reason"), get(t, out, "encoding"), value.Repr(get(t, out, "cookies")); status != int64(200) || reason != "OK" || enc != "utf-8" || cookies != "{'s': '1'}" {
		t.Errorf("got %v %v %v %v", status, reason, enc, cookies)
	}
}

func TestHTTPEnds(t *testing.T) {
	t.Parallel()
	s := web(t)
	c := action.Config{MaxBody: 1000}
	out, err := run(t, c, "std.http", value.MapOf("url", s.URL+"/moved"))
	if err != nil || get(t, out, "status") != int64(302) {
		t.Errorf("a redirect was followed unasked: %v, %v", out, err)
	}
	out, err = run(t, c, "std.http", value.MapOf("url", s.URL+"/moved", "allow_redirects", true))
	if err != nil || get(t, out, "content") != "plain" || value.Repr(get(t, out, "history")) != "['<Response [302]>']" || get(t, out, "encoding") != "ISO-8859-1" {
		t.Errorf("got %s, %v", value.Repr(out), err)
	}
	_, err = run(t, c, "std.http", value.MapOf("url", s.URL+"/gone"))
	var failure *action.Failure
	if !errors.As(err, &failure) || get(t, failure.Data, "status") != int64(410) {
		t.Errorf("got %v", err)
	}
	for url, want := range map[string]string{
		s.URL + "/big":         "larger than 1000 bytes",
		"no-scheme":            "No scheme supplied",
		"file:///etc/hostname": "No scheme supplied",
		"http://127.0.0.1:1/":  "Failed to send HTTP request",
	} {
		if _, err := run(t, c, "std.http", value.MapOf("url", url)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", url, err, want)
		}
	}
	if _, err := run(t, c, "std.http", value.MapOf("url", s.URL+"/slow", "timeout", 0.05)); err == nil {
		t.Error("no timeout")
	}
	if out, err := run(t, c, "std.mistral_http", value.MapOf("url", s.URL+"/json")); err != nil || get(t, get(t, out, "content"), "callback") != "/v2/action_executions/a" {
		t.Errorf("got %s, %v", value.Repr(out), err)
	}
}

func TestCertificatesAreVerified(t *testing.T) {
	t.Parallel()
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "1") }))
	t.Cleanup(s.Close)
	if _, err := run(t, action.Config{}, "std.http", value.MapOf("url", s.URL)); err == nil {
		t.Error("an unknown certificate was accepted")
	}
	if _, err := run(t, action.Config{}, "std.http", value.MapOf("url", s.URL, "verify", false)); err != nil {
		t.Error(err)
	}
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := run(t, action.Config{}, "std.http", value.MapOf("url", s.URL, "verify", ca)); err != nil {
		t.Error(err)
	}
}

// sshServer is a server that runs nothing: it answers a command with what it was, and "exit N" with that status.
func sshServer(t *testing.T) (addr string, key ssh.PublicKey) {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	config := &ssh.ServerConfig{PasswordCallback: func(c ssh.ConnMetadata, pass []byte) (*ssh.Permissions, error) {
		if c.User() == "me" && string(pass) == "secret" {
			return nil, nil
		}
		return nil, errors.New("denied")
	}}
	config.AddHostKey(signer)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go serve(conn, config)
		}
	}()
	return l.Addr().String(), signer.PublicKey()
}

func serve(conn net.Conn, config *ssh.ServerConfig) {
	defer conn.Close()
	_, channels, requests, err := ssh.NewServerConn(conn, config)
	if err != nil {
		return
	}
	go ssh.DiscardRequests(requests)
	for c := range channels {
		ch, reqs, err := c.Accept()
		if err != nil {
			return
		}
		if c.ChannelType() == "direct-tcpip" {
			go ssh.DiscardRequests(reqs)
			go forward(ch, c.ExtraData())
			continue
		}
		go func() {
			defer ch.Close()
			for r := range reqs {
				_ = r.Reply(r.Type == "exec", nil)
				if r.Type != "exec" {
					continue
				}
				var cmd struct{ Text string }
				_ = ssh.Unmarshal(r.Payload, &cmd)
				status := uint32(0)
				if n, err := fmt.Sscanf(cmd.Text, "exit %d", &status); n != 1 || err != nil {
					fmt.Fprintf(ch, "ran %s\n", cmd.Text)
				}
				_, _ = ch.SendRequest("exit-status", false, ssh.Marshal(struct{ Status uint32 }{status}))
				return
			}
		}()
	}
}

// forward connects a channel to where its client wants to go, as a gateway does.
func forward(ch ssh.Channel, extra []byte) {
	defer ch.Close()
	var to struct {
		Host       string
		Port       uint32
		Origin     string
		OriginPort uint32
	}
	if ssh.Unmarshal(extra, &to) != nil {
		return
	}
	conn, err := net.Dial("tcp", net.JoinHostPort(to.Host, fmt.Sprint(to.Port)))
	if err != nil {
		return
	}
	defer conn.Close()
	go func() { _, _ = io.Copy(conn, ch) }()
	_, _ = io.Copy(ch, conn)
}

// TestSSHThroughAGateway has the key refused and the password taken, by gateway and host.
func TestSSHThroughAGateway(t *testing.T) {
	t.Parallel()
	gateway, gatewayKey := sshServer(t)
	host, hostKey := sshServer(t)
	dir := t.TempDir()
	known := filepath.Join(dir, "known_hosts")
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(known, knownhosts.Line([]string{knownhosts.Normalize(gateway)}, gatewayKey)+"\n"+knownhosts.Line([]string{knownhosts.Normalize(host)}, hostKey)+"\n")
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(private, "")
	if err != nil {
		t.Fatal(err)
	}
	write(filepath.Join(dir, "id"), string(pem.EncodeToMemory(block)))
	c := action.Config{KnownHosts: known, KeyFolder: dir}
	in := value.MapOf("cmd", "uptime", "host", host, "username", "me", "password", "secret", "private_key_filename", "id", "gateway_host", gateway)
	if out, err := run(t, c, "std.ssh_proxied", in); err != nil || out != "ran uptime\n" {
		t.Errorf("got %v, %v", out, err)
	}
	write(known, knownhosts.Line([]string{knownhosts.Normalize(gateway)}, gatewayKey)+"\n")
	if _, err := run(t, c, "std.ssh_proxied", in); err == nil || !strings.Contains(err.Error(), "ssh-keyscan") {
		t.Errorf("a host behind a gateway was trusted unseen: %v", err)
	}
	r, err := action.NewRegistry(action.Std(c))
	if err != nil {
		t.Fatal(err)
	}
	in.SetStr("proxy_command", "nc %h %p")
	if err := r.Find("std.ssh_proxied").Check(in); err == nil || !strings.Contains(err.Error(), "gateway_host") {
		t.Errorf("a program of this machine is to be run: %v", err)
	}
}

func TestSSH(t *testing.T) {
	t.Parallel()
	addr, key := sshServer(t)
	known := filepath.Join(t.TempDir(), "known_hosts")
	if err := os.WriteFile(known, []byte(knownhosts.Line([]string{knownhosts.Normalize(addr)}, key)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	in := func(more ...any) *value.Map {
		m := value.MapOf("cmd", "uptime", "host", addr, "username", "me", "password", "secret")
		for i := 0; i < len(more); i += 2 {
			m.SetStr(more[i].(string), more[i+1])
		}
		return m
	}
	c := action.Config{KnownHosts: known}
	if out, err := run(t, c, "std.ssh", in()); err != nil || out != "ran uptime\n" {
		t.Errorf("got %v, %v", out, err)
	}
	if out, err := run(t, c, "std.ssh", in("host", []any{addr, addr})); err != nil || value.Repr(out) != `['ran uptime\n', 'ran uptime\n']` {
		t.Errorf("got %v, %v", value.Repr(out), err)
	}
	if _, err := run(t, c, "std.ssh", in("cmd", "exit 3")); err == nil || !strings.Contains(err.Error(), "Failed to execute ssh cmd 'exit 3'") || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("got %v", err)
	}
	if _, err := run(t, c, "std.ssh", in("password", "wrong-one")); err == nil || strings.Contains(err.Error(), "wrong-one") {
		t.Errorf("got %v", err)
	}
	if _, err := run(t, c, "std.ssh", in("private_key_filename", "../x")); err == nil || !strings.Contains(err.Error(), "must not contain") {
		t.Errorf("got %v", err)
	}
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := run(t, action.Config{KnownHosts: empty}, "std.ssh", in()); err == nil || !strings.Contains(err.Error(), "ssh-keyscan") {
		t.Errorf("an unknown host was trusted: %v", err)
	}
}

// mailServer takes one mail and hands it on.
func mailServer(t *testing.T) (addr string, mail <-chan string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	out := make(chan string, 1)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		var all strings.Builder
		r := bufio.NewReader(conn)
		fmt.Fprint(conn, "220 test\r\n")
		for data := false; ; {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			all.WriteString(line)
			switch {
			case data && line == ".\r\n":
				data = false
				fmt.Fprint(conn, "250 taken\r\n")
			case data:
			case strings.HasPrefix(line, "DATA"):
				data = true
				fmt.Fprint(conn, "354 go on\r\n")
			case strings.HasPrefix(line, "QUIT"):
				fmt.Fprint(conn, "221 bye\r\n")
				out <- all.String()
				return
			default:
				fmt.Fprint(conn, "250 ok\r\n")
			}
		}
	}()
	return l.Addr().String(), out
}

func TestEmail(t *testing.T) {
	t.Parallel()
	addr, mail := mailServer(t)
	_, err := run(t, action.Config{}, "std.email", value.MapOf("from_addr", "a@x", "to_addrs", []any{"b@x"}, "cc_addrs", []any{"c@x"},
		"bcc_addrs", []any{"d@x"}, "smtp_server", addr, "subject", "Grüße", "body", "hello", "html_body", "<b>hello</b>"))
	if err != nil {
		t.Fatal(err)
	}
	got := <-mail
	for _, want := range []string{"MAIL FROM:<a@x>", "RCPT TO:<b@x>", "RCPT TO:<c@x>", "RCPT TO:<d@x>", "Cc: c@x", "multipart/alternative", "aGVsbG8=", "=?utf-8?"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in the mail:\n%s", want, got)
		}
	}
	if strings.Contains(got, "Bcc") {
		t.Error("the mail shows its blind copies")
	}
	if _, err := run(t, action.Config{}, "std.email", value.MapOf("from_addr", "a@x\r\nBcc: z@x", "to_addrs", []any{"b@x"}, "smtp_server", addr)); err == nil {
		t.Error("a header was let in through an address")
	}
}
