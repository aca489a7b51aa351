//go:build machine

package components_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestMariaDB(t *testing.T) {
	const password, second = `s3cr3t'"\ größer`, "0ther-secret"
	onEach(t, func(t *testing.T, m *machine) {
		m.run("umask 022; mkdir -p /srv/seen; chmod 777 /srv/seen")
		// Whatever is called with arguments is seen: those of all clients, by what stands in their places.
		for _, client := range []string{"mariadb", "mysql", "mysqladmin", "mariadb-admin"} {
			m.run(fmt.Sprintf("printf '#!/bin/sh\\necho \"$0 $*\" >>/srv/seen/all\\nexec /usr/bin/%[1]s \"$@\"\\n' >/usr/local/bin/%[1]s; chmod 755 /usr/local/bin/%[1]s", client))
		}
		login := func(password, port, sql string) string {
			return fmt.Sprintf("MYSQL_PWD=%s /usr/bin/mariadb --protocol=tcp -h 127.0.0.1 -P %s -u shop -N -B shop -e %s", quote(password), port, quote(sql))
		}
		wrote := false
		m.lives(lifecycle{
			template: "mariadb",
			first:    values{"password": password},
			changed:  values{"password": second, "port": "3307", "bind_address": "0.0.0.0"},
			works: func(s *stack, v values) {
				port, listens := "3306", "127.0.0.1:3306"
				if v["port"] != "" {
					port, listens = v["port"], "0.0.0.0:"+v["port"]
				}
				s.output(t, "socket", "/run/mysqld/mysqld.sock")
				s.output(t, "port", port)
				m.says(listens, "ss -Hltn | awk '{ print $4 }' | grep ':330'")
				m.says("shop@127.0.0.1", login(v["password"], port, "SELECT CURRENT_USER()")+" | sed 's/%/127.0.0.1/'")
				if !wrote {
					m.run(login(v["password"], port, "CREATE TABLE kept (a INT); INSERT INTO kept VALUES (42)"))
					wrote = true
				}
				m.says("42", login(v["password"], port, "SELECT a FROM kept"))
				m.fails(login("", port, "SELECT 1"))
				if v["password"] == second {
					m.fails(login(password, port, "SELECT 1"))
				}
				m.fails(login(v["password"], port, "SELECT * FROM mysql.user"))
			},
			gone: func() {
				m.fails("pgrep mariadbd")
				m.run("test -d /var/lib/mysql/shop")
			},
		})
		for _, secret := range []string{"s3cr3t", second} {
			// The server keeps what it is told only as a hash; hotloom's records are gone with the stacks.
			if found, err := m.try("grep -r -l -a -F " + secret + " /srv/seen /var/log /root/.local /root/.mysql_history /var/lib/mysql /etc/mysql 2>/dev/null"); err == nil {
				t.Errorf("%s stands in %s", secret, found)
			}
		}
		if !strings.Contains(m.run("cat /srv/seen/all"), "--batch") {
			t.Error("the client's arguments were not seen")
		}

		m.backend("other", 3306)
		s, err := m.tryUp("three", "mariadb", values{"password": password})
		if err == nil {
			t.Errorf("two listen on one port:\n%s", s.text)
		}
		s.tells(t, "Address already in use")
		if strings.Contains(s.text, "s3cr3t") {
			t.Errorf("the password is told:\n%s", s.text)
		}
	})
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
