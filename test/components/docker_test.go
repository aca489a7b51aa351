//go:build machine

package components_test

import "testing"

func TestDocker(t *testing.T) {
	onEach(t, func(t *testing.T, m *machine) {
		// The init script lifts limits. This takes a right that the machine below need not have (CAP_SYS_RESOURCE).
		m.run("echo 'ulimit() { :; }' >/etc/default/docker")
		m.run("mkdir /var/lib/docker && mount -t tmpfs docker /var/lib/docker") // an overlay does not lie on an overlay
		const mirrors = "docker info --format '{{json .RegistryConfig.Mirrors}}'"
		m.lives(lifecycle{
			template: "docker",
			first:    values{},
			changed:  values{"mirrors": "https://one.test/,http://two.test:5000/"},
			works: func(s *stack, v values) {
				m.says(m.run("docker version --format '{{.Server.Version}}'"), "echo "+s.Outputs["version"].(string))
				m.run("tar -C /usr/local/bin -c hotloom | docker import - tool")
				// By a user who is no root, and with a network of its own.
				m.says(m.run("hotloom --version"), "runuser -u ann -- docker run --rm tool /hotloom --version")
				if v["mirrors"] == "" {
					m.says("[]", mirrors)
				} else {
					m.says(`["https://one.test/","http://two.test:5000/"]`, mirrors)
				}
			},
			gone: func() {
				m.fails("docker version")
				m.fails("pgrep dockerd")
			},
		})
		s, err := m.tryUp("three", "docker", values{"mirrors": "not-an-address"})
		if err == nil {
			t.Errorf("a mirror that is no address is taken:\n%s", s.text)
		}
		s.tells(t, "not-an-address")
	})
}
