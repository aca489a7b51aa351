//go:build machine

package components_test

import "testing"

// wire joins two machines by a cable: an interface of that name in each, with an address.
func wire(a *machine, addressA string, b *machine, addressB string) {
	a.t.Helper()
	a.host("nsenter", "-t", a.first(), "-n", "ip", "link", "add", "wire", "type", "veth", "peer", "name", "wire", "netns", b.first())
	a.run("ip address add " + addressA + " dev wire && ip link set wire up")
	b.run("ip address add " + addressB + " dev wire && ip link set wire up")
}

func TestKeepalived(t *testing.T) {
	t.Parallel()
	for kind := range inits {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			a, b := boot(t, kind), boot(t, kind)
			wire(a, "192.0.2.1/24", b, "192.0.2.2/24")
			const count = "ip -o address show dev wire | grep -c -F 192.0.2.100/24 || true"
			// who waits until the address is on exactly those.
			who := func(onA, onB string) {
				t.Helper()
				a.comes(onA, count)
				b.comes(onB, count)
			}
			a.up("one", "keepalived", values{"priority": "150"}).output(t, "virtual_ip", "192.0.2.100")
			who("1", "0")
			b.up("one", "keepalived", values{"priority": "100"})
			b.up("two", "keepalived", values{"priority": "100"})
			who("1", "0")
			b.run("said=$( (echo >/dev/tcp/192.0.2.100/9) 2>&1 || true ); [[ $said == *refused* ]]") // a host has it, where nobody listens

			a.down("one")
			a.fails("pgrep keepalived")
			who("0", "1")
			a.up("one", "keepalived", values{"priority": "150"})
			who("1", "0") // the higher one comes back
			a.up("one", "keepalived", values{"priority": "50"})
			who("0", "1")
			a.up("one", "keepalived", values{"priority": "50", "password": "else"})
			who("1", "1") // neither believes the other
			a.up("one", "keepalived", values{"priority": "50"})
			who("0", "1")

			a.says("600", "stat -c %a /etc/keepalived/keepalived.conf")
			for parameters, says := range map[[2]string]string{{"priority", "0"}: "Priority not valid", {"virtual_ip", "192.0.2.300/24"}: "192.0.2.300"} {
				s, err := a.tryUp("one", "keepalived", values{"priority": "50", parameters[0]: parameters[1]})
				if err == nil {
					t.Errorf("%s is taken:\n%s", parameters, s.text)
				}
				s.tells(t, says)
			}
			b.down("two")
			b.down("one")
			b.comes("0", count)
		})
	}
}
