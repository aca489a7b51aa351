//go:build openstack

package openstack_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// shortLived starts a second Keystone on the data of the first, whose tokens live for so long: the first, and with it Heat,
// takes them for what they are, and refuses them when their time is over. It answers the address to log in at.
func shortLived(t *testing.T, life time.Duration) string {
	t.Helper()
	binaries, err := filepath.Glob("/usr/bin/uwsgi_python3*")
	if err != nil || len(binaries) == 0 {
		t.Fatalf("there is no uwsgi: %v", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	folder, settings := filepath.Join(bed.state, "etc/keystone"), filepath.Join(t.TempDir(), "short.conf")
	text := fmt.Sprintf("[DEFAULT]\npublic_endpoint = http://%s/\n[token]\nexpiration = %d\n", address, int(life.Seconds()))
	if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(t.TempDir(), "keystone.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, binaries[0], "--http-socket", address, "--wsgi-file", "/usr/bin/keystone-wsgi-public",
		"--enable-threads", "--need-app", "--buffer-size", "65535", "--add-header", "Connection: close")
	cmd.Env = append(os.Environ(), "OS_KEYSTONE_CONFIG_FILES="+filepath.Join(folder, "keystone.conf")+";"+settings)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		_ = cmd.Wait()
	})
	login := "http://" + address + "/v3"
	for end := time.Now().Add(time.Minute); ; {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, login, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := bed.http.Do(request)
		if err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return login
			}
		}
		if time.Now().After(end) {
			text, _ := os.ReadFile(log.Name())
			t.Fatalf("the second Keystone does not answer: %v\n%s", err, text)
		}
		time.Sleep(300 * time.Millisecond)
	}
}

// TestStackCommandOutlivesItsTokens waits for a stack longer than a token lives. Heat itself works with the token of a
// call until it has answered, which takes seconds on a busy machine: so tokens live longer than that.
func TestStackCommandOutlivesItsTokens(t *testing.T) {
	t.Parallel()
	const life = 25 * time.Second
	login := shortLived(t, life)
	through := []string{"OS_AUTH_URL=" + login}
	s := newStack(t)
	_, log := must(t, 0, through, "create", s.name, "testdata/stack/slow.yaml", "--tags", mark, "-P", "wait=12", "--debug")
	logins, refused := strings.Count(log, "> POST "+login+"/auth/tokens"), strings.Count(log, "< 401 GET ")
	t.Logf("%d logins, %d calls with a token whose time was over", logins, refused)
	if logins < 2 || refused == 0 {
		t.Errorf("it outlived no token:\n%s", log)
	}
	for _, r := range []string{"first", "second", "third"} {
		if n := strings.Count(log, "  CREATE_COMPLETE     "+r+" "); n != 1 {
			t.Errorf("the event of %s is shown %d times:\n%s", r, n, log)
		}
	}
	must(t, 0, through, "delete", "--yes", s.name)
}
