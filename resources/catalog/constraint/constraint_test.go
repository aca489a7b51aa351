package constraint

import "testing"

func TestCheck(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ good, bad []string }{
		"ip_addr": {
			good: []string{"10.0.0.1", "::1", "2001:db8::5", "::ffff:10.0.0.1", "255.255.255.255"},
			bad:  []string{"", "10.0.0.300", "10.0.0", "10.0.0.01", " 10.0.0.1", "10.0.0.1/24", "dummy", "fe80::1%eth0", "1"},
		},
		"net_cidr": {
			good: []string{"10.0.0.0/24", "10.0.0.1/24", "0.0.0.0/0", "::/0", "2001:db8::/64", "2001:db8::/ffff::"},
			bad:  []string{"10.0.0.0", "10.0.0.0/33", "10.0.0/24", "10.0.0.0/024", "10.0.0.0/255.0.0.0", "x/33", "2001:db8::/129", "", "10.0.0.0/ 24"},
		},
		"ip_or_cidr": {good: []string{"10.0.0.1", "10.0.0.0/8", "::/0"}, bad: []string{"10.0.0.0/40", "x", "dummy"}},
		"mac_addr": {
			good: []string{"fa:16:3e:00:00:01", "FA-16-3E-0-0-1", "fa16.3e00.0001", "fa163e000001", "fa163-e00001"},
			bad:  []string{"", "fa:16:3e:00:00", "fa:16:3e:00:00:0g", "dummy", "fa:16:3e:00:00:001"},
		},
		"dns_name": {
			good: []string{"", "a", "a.b.c", "example.org.", "x-1.example"},
			bad:  []string{"A.example", "-a", "a-", "a..b", "a_b", "a.1.", "a b"},
		},
		"rel_dns_name": {good: []string{"", "a.b"}, bad: []string{"a.b.", "A"}},
		"dns_domain":   {good: []string{"", "a.b."}, bad: []string{"a.b", "a..b."}},
		"iso_8601": {
			good: []string{"2026-11-30", "2026", "20261130", "2026-11-30T10:00:00Z", "2026-11-30 10:00:00+02:00", "2026-1-5", "2026-11-30T10"},
			bad:  []string{"", "202611", "2026-13-01", "2026-02-30", "2026-11-30T25:00", "now", "2026-11-30X10:00"},
		},
		"expiration": {good: []string{"", "2999-01-01T00:00:00Z"}, bad: []string{"2014-01-01T00:00:00Z", "soon"}},
		"timezone":   {good: []string{"", "UTC", "Europe/Berlin"}, bad: []string{"Mars/Base", "Local", "/etc/passwd", "../UTC"}},
		"cron_expression": {
			good: []string{
				"", "* * * * *", "*/5 0 1 1 0", "0 0 * * sun", "1,2,3 4-6 l JAN-MAR 1-5", "@daily", "0 0 * * 5#2", "10/5 * * * *",
				"* * * * * 5", "0 0 * * 5-0", "r r * * *",
			},
			bad: []string{"* * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *", "x * * * *", "5-1 * * * *", "-1 * * * *", "*/0 * * * *", "0 0 * * 5#6", "h h * * *"},
		},
		"json_string": {good: []string{"{}", "1", `"a"`}, bad: []string{"", "{", "a"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !Local(name) {
				t.Fatal("the constraint is not known")
			}
			for _, v := range c.good {
				if problem := Check(name, v); problem != "" {
					t.Errorf("%q: %s", v, problem)
				}
			}
			for _, v := range c.bad {
				if Check(name, v) == "" {
					t.Errorf("%q passes", v)
				}
			}
		})
	}
	if Local("nova.flavor") || Check("nova.flavor", "x") != "" || CheckOther("nova.flavor") != "" {
		t.Error("a constraint that asks a service was judged")
	}
	if CheckOther("ip_addr") == "" {
		t.Error("a number passes as an address")
	}
}
