//go:build machine

package components_test

import (
	"crypto/sha256"
	"fmt"
	"testing"
)

func TestFile(t *testing.T) {
	onOne(t, func(m *machine) {
		m.lives(lifecycle{
			template: "file",
			first:    values{"content": "first 'line'\n\"größer\" `id` $HOME\n"},
			changed:  values{"content": "changed", "mode": "0600", "owner": "daemon:adm"},
			works: func(s *stack, v values) {
				want := "644 root:root"
				if v["mode"] != "" {
					want = "600 daemon:adm"
				}
				m.says(want, "stat -c '%a %U:%G' /srv/deep/file")
				sum := fmt.Sprintf("%x", sha256.Sum256([]byte(v["content"])))
				m.says(sum, "sha256sum </srv/deep/file | cut -d ' ' -f 1")
				s.output(t, "sha256", sum)
			},
			gone: func() { m.run("! test -e /srv/deep/file") },
		})
	})
}

func TestPackages(t *testing.T) {
	onOne(t, func(m *machine) {
		const hello = "dpkg-query -W -f '${db:Status-Status}' hello"
		m.fails(hello)
		s := m.up("one", "packages", values{"names": "hello sudo"})
		s.output(t, "manager", "apt")
		m.says("installed", hello)
		m.says("Hello, world!", "LANG=C hello")
		m.up("two", "packages", values{"names": "hello sudo"})
		m.down("one")
		m.says("installed", hello)                                                            // others may use it too
		m.run("printf '#!/bin/sh\n' >/usr/local/bin/sleep && chmod 755 /usr/local/bin/sleep") // between its tries
		failed, err := m.tryUp("three", "packages", values{"names": "no-such-package"})
		if err == nil {
			t.Errorf("a package that is not there is installed:\n%s", failed.text)
		}
		failed.tells(t, "Unable to locate package no-such-package")
	})
}

func TestUser(t *testing.T) {
	const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKSL3bVBe2wbcZ3vO0oG7s8QfDkmZPh8lU5nqkBX0v1z ann@desk"
	onOne(t, func(m *machine) {
		m.lives(lifecycle{
			template: "user",
			first:    values{"groups": "adm,shop", "ssh_keys": key, "sudo": "true"},
			changed:  values{"groups": "shop", "shell": "/bin/sh", "ssh_keys": key + "\n" + key + "2"},
			works: func(s *stack, v values) {
				s.output(t, "home", "/home/ann")
				s.output(t, "uid", m.run("id -u ann"))
				m.says(v["ssh_keys"], "runuser -u ann -- cat /home/ann/.ssh/authorized_keys")
				m.says("700 600", "echo $(stat -c %a /home/ann/.ssh /home/ann/.ssh/authorized_keys)")
				if v["sudo"] != "" {
					m.says("adm shop", "echo $(id -nG ann | tr ' ' '\\n' | grep -v ann | sort)")
					m.run("visudo -c")
					m.says("root", "runuser -u ann -- sudo -n id -un")
				} else {
					m.says("shop", "echo $(id -nG ann | tr ' ' '\\n' | grep -v ann)")
					m.says("/bin/sh", "getent passwd ann | cut -d : -f 7")
					m.fails("runuser -u ann -- sudo -n true")
				}
			},
			gone: func() {
				m.fails("id ann")
				m.run("! test -e /etc/sudoers.d/hotloom-ann")
				m.run("visudo -c; test -d /home/ann")
			},
		})
	})
}
