//go:build machine

package components_test

import "testing"

// The kernel's clock is one for all machines: nobody may set it here, and chronyd follows its servers without.
func TestChrony(t *testing.T) {
	t.Parallel()
	for kind := range inits {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			client, server := boot(t, kind), boot(t, kind)
			wire(client, "192.0.2.1/24", server, "192.0.2.2/24")
			server.run(`apt-get -qq update; apt-get -qq install -y --no-install-recommends chrony; service chrony stop || true
				printf 'local stratum 5\nallow\n' >/root/chrony.conf; chronyd -x -f /root/chrony.conf`)
			client.run(`mkdir -p /etc/systemd/system/chrony.service.d; echo 'DAEMON_OPTS="-F 0 -x"' >/etc/default/chrony
				printf '[Unit]\nConditionCapability=\n' >/etc/systemd/system/chrony.service.d/machine.conf
				[ ! -d /run/systemd/system ] || systemctl daemon-reload`)
			const sources = "chronyc -n -c sources | cut -d , -f 3 | paste -sd ' '"
			client.lives(lifecycle{
				template: "chrony",
				first:    values{"servers": "192.0.2.2"},
				changed:  values{"servers": "192.0.2.2,192.0.2.9", "allow": "192.0.2.0/24"},
				works: func(_ *stack, v values) {
					client.comes("192.0.2.2", "chronyc -n -c sources | awk -F , '$2 == \"*\" { print $3 }'") // it has answered, and is the one followed
					const ask = "chronyd -x -Q -t 5 'server 192.0.2.1 iburst'"
					if v["allow"] == "" {
						client.says("192.0.2.2", sources)
						server.fails(ask)
						return
					}
					client.says("192.0.2.2 192.0.2.9", sources)
					server.run(ask)
				},
				gone: func() { client.fails("pgrep chronyd") },
			})
		})
	}
}

func TestNodeExporter(t *testing.T) {
	onEach(t, func(t *testing.T, m *machine) {
		// As at a first boot, when the system itself updates its package lists.
		m.run(`setsid python3 -c 'import fcntl, time; f = open("/var/lib/apt/lists/lock", "w"); fcntl.lockf(f, fcntl.LOCK_EX); open("/run/held", "w"); time.sleep(4)' </dev/null >/dev/null 2>&1 &`)
		m.comes("", "cat /run/held")
		m.lives(lifecycle{
			template: "node_exporter",
			first:    values{},
			changed:  values{"address": "127.0.0.1", "port": "9200"},
			works: func(s *stack, v values) {
				if v["port"] == "" {
					s.output(t, "port", "9100")
					m.run("curl -sf http://" + address + ":9100/metrics | grep '^node_memory_MemTotal_bytes '")
					return
				}
				s.output(t, "port", "9200")
				m.run("curl -sf http://127.0.0.1:9200/metrics | grep '^node_memory_MemTotal_bytes '")
				m.fails("curl -s http://" + address + ":9200/metrics")
				m.fails("curl -s http://127.0.0.1:9100/metrics")
			},
			gone: func() { m.fails("pgrep -f prometheus-node-exporter") },
		})
		m.backend("other", 9100)
		s, err := m.tryUp("three", "node_exporter", values{})
		if err == nil {
			t.Errorf("two listen on one port:\n%s", s.text)
		}
		s.tells(t, "address already in use")
	})
}
