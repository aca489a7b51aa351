//go:build machine

package components_test

import (
	"fmt"
	"testing"
)

// backend starts a web server on the machine that says its own name, and answers how to stop it.
func (m *machine) backend(name string, port int) (stop func()) {
	m.t.Helper()
	m.run(fmt.Sprintf(`mkdir -p /srv/%[1]s && echo %[1]s >/srv/%[1]s/index.html && cd /srv/%[1]s
		setsid python3 -m http.server %[2]d </dev/null >/dev/null 2>&1 & echo $! >/run/%[1]s.pid`, name, port))
	m.comes(name, fmt.Sprintf("curl -s http://127.0.0.1:%d/", port))
	return func() {
		m.t.Helper()
		m.run(fmt.Sprintf("kill $(cat /run/%s.pid)", name))
	}
}

// answers is a script that asks a port n times and writes each different answer once, in the order of their names.
func answers(n int, url string) string {
	return fmt.Sprintf("for i in $(seq %d); do curl -s -m 5 %s || echo failed; done | sort -u | paste -sd ' '", n, url)
}

func TestNginx(t *testing.T) {
	onEach(t, func(t *testing.T, m *machine) {
		m.backend("left", 9001)
		m.backend("right", 9002)
		m.lives(lifecycle{
			template: "nginx",
			first:    values{},
			changed:  values{"port": "8080", "server_name": "shop.test", "backends": "127.0.0.1:9001,127.0.0.1:9002"},
			works: func(s *stack, v values) {
				if v["port"] == "" {
					s.output(t, "port", "80")
					m.says("größer als nginx", "curl -sf http://127.0.0.1/")
					return
				}
				s.output(t, "port", "8080")
				m.says("left right", answers(4, "-H 'Host: shop.test' http://127.0.0.1:8080/"))
				m.fails("curl -s http://127.0.0.1/") // nobody listens there any more
			},
			gone: func() { m.fails("curl -s http://127.0.0.1:8080/") },
		})
		m.run("service nginx stop")
		m.up("three", "nginx", values{}) // it starts what does not run
		m.run("curl -sf http://127.0.0.1/")
		s, err := m.tryUp("three", "nginx", values{"port": "9001"})
		if err == nil {
			t.Errorf("two listen on one port:\n%s", s.text)
		}
		s.tells(t, "Address already in use")
		m.run("service nginx stop || true")
		m.down("three")
	})
}

func TestHAProxy(t *testing.T) {
	onEach(t, func(t *testing.T, m *machine) {
		m.backend("left", 9001)
		stop := m.backend("right", 9002)
		const both = "127.0.0.1:9001,127.0.0.1:9002"
		m.lives(lifecycle{
			template: "haproxy",
			first:    values{"port": "80", "backends": both},
			changed:  values{"port": "8080", "backends": both, "mode": "http", "check": "/index.html", "balance": "leastconn"},
			works: func(s *stack, v values) {
				url := "http://127.0.0.1:" + v["port"] + "/"
				m.says("left right", answers(4, url))
				stop()
				m.comes("left", answers(4, url))
				stop = m.backend("right", 9002)
				m.comes("left right", answers(4, url))
			},
			gone: func() { m.fails("curl -s http://127.0.0.1:8080/") },
		})
		m.up("three", "haproxy", values{"port": "80", "backends": "127.0.0.1:9001", "mode": "tcp"})
		m.says("left", "curl -sf http://127.0.0.1/")

		for name, c := range map[string]struct {
			parameters values
			says       string
		}{
			"a port that is taken": {values{"port": "9001", "backends": both}, "Address already in use"},
			"a wrong setting":      {values{"port": "80", "backends": both, "balance": "nobody"}, "balance only supports"},
		} {
			s, err := m.tryUp("three", "haproxy", c.parameters)
			if err == nil {
				t.Errorf("%s is taken:\n%s", name, s.text)
			}
			s.tells(t, c.says)
		}
	})
}
