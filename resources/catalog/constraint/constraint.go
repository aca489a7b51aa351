// Package constraint judges values by the custom constraints of Heat whose answer depends on the value alone: IP
// addresses, networks, MAC addresses, DNS names, times and cron expressions. What asks a service, such as
// nova.flavor, cannot be judged here.
package constraint

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // time zones must be known where the system has no database
	"unicode"

	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
)

// checks is the registry: name → what is wrong with a text, or "". An empty text passes where emptyPasses has the
// name. The behaviour is that of heat/engine/constraint/common_constraints.py.
var checks = map[string]func(string) string{
	"ip_addr":         ipAddress,
	"ip_or_cidr":      ipOrCIDR,
	"net_cidr":        cidr,
	"mac_addr":        macAddress,
	"dns_name":        dnsName,
	"rel_dns_name":    relativeDNSName,
	"dns_domain":      dnsDomain,
	"iso_8601":        isoTime,
	"expiration":      expiration,
	"timezone":        timezone,
	"cron_expression": cron,
	"json_string":     jsonText,
}

var emptyPasses = map[string]bool{
	"dns_name": true, "rel_dns_name": true, "dns_domain": true, "expiration": true, "timezone": true, "cron_expression": true,
}

// Local reports whether the constraint can be judged here.
func Local(name string) bool { return checks[name] != nil }

// PassesEmpty reports whether the constraint takes anything that Python counts as false: it then looks no further.
func PassesEmpty(name string) bool { return emptyPasses[name] }

// Check says what is wrong with a text under the named constraint; "" where nothing is, or where only a service knows.
func Check(name, text string) string {
	check := checks[name]
	if check == nil || text == "" && emptyPasses[name] {
		return ""
	}
	return check(text)
}

// CheckOther is Check for a value that is not a text. Only texts can pass.
func CheckOther(name string) string {
	if checks[name] == nil {
		return ""
	}
	return "it is not a text"
}

func hasSpace(s string) bool { return strings.ContainsFunc(s, unicode.IsSpace) }

func ipAddress(s string) string {
	a, err := netip.ParseAddr(s)
	if err != nil || a.Zone() != "" {
		return "it is not an IP address"
	}
	return ""
}

func ipOrCIDR(s string) string {
	if strings.Contains(s, "/") {
		return subnet(s)
	}
	return ipAddress(s)
}

func cidr(s string) string { return subnet(s) }

// subnet accepts ADDRESS/PREFIX; for IPv6 Heat also takes a netmask after the slash.
func subnet(s string) string {
	address, prefix, found := strings.Cut(s, "/")
	if !found || hasSpace(s) {
		return "it is not a network in CIDR notation (address/prefix length)"
	}
	a, err := netip.ParseAddr(address)
	if err != nil || a.Zone() != "" {
		return fmt.Sprintf("%q is not an IP address", address)
	}
	n, err := strconv.Atoi(prefix)
	switch {
	case err != nil && a.Is6():
		if _, err := netip.ParseAddr(prefix); err != nil {
			return fmt.Sprintf("%q is not a prefix length", prefix)
		}
	case err != nil || n < 0 || n > a.BitLen():
		return fmt.Sprintf("%q is not a prefix length from 0 to %d", prefix, a.BitLen())
	case a.Is4() && strconv.Itoa(n) != prefix:
		return fmt.Sprintf("the prefix length %q must be written %d", prefix, n)
	}
	return ""
}

var macForms = sync.OnceValue(func() []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, form := range []struct {
		digits, separator string
		count             int
	}{
		{"{1,2}", ":", 6},
		{"{1,2}", "-", 6},
		{"{1,4}", ":", 3},
		{"{1,4}", "-", 3},
		{"{1,4}", `\.`, 3},
		{"{5,6}", "-", 2},
		{"{5,6}", ":", 2},
		{"{11,12}", "", 1},
	} {
		part := "[0-9A-Fa-f]" + form.digits
		out = append(out, regexp.MustCompile("^"+part+strings.Repeat(form.separator+part, form.count-1)+`\n?$`))
	}
	return out
})

func macAddress(s string) string {
	for _, form := range macForms() {
		if form.MatchString(s) {
			return ""
		}
	}
	return "it is not a MAC address"
}

const maxFQDN = 255

var (
	dnsLabel = lazyregexp.New(`^[a-z0-9-]{1,63}\n?$`)
	digits   = lazyregexp.New(`^[0-9]+\n?$`)
)

func dnsName(s string) string {
	trimmed := strings.TrimSuffix(s, ".")
	if n := len([]rune(trimmed)); n > maxFQDN {
		return fmt.Sprintf("it has %d characters, the limit is %d", n, maxFQDN)
	}
	labels := strings.Split(trimmed, ".")
	for _, l := range labels {
		switch {
		case l == "":
			return "it has an empty label"
		case strings.HasPrefix(l, "-") || strings.HasSuffix(l, "-"):
			return fmt.Sprintf("label %q starts or ends with a hyphen", l)
		case !dnsLabel().MatchString(l):
			return fmt.Sprintf("label %q must be 1 to 63 lower-case letters, digits or hyphens", l)
		}
	}
	if strings.HasSuffix(s, ".") && len(labels) > 1 && digits().MatchString(labels[len(labels)-1]) {
		return "its last label is all digits"
	}
	return ""
}

func relativeDNSName(s string) string {
	if strings.HasSuffix(s, ".") {
		return "it is a full domain name; a relative one is wanted (no dot at the end)"
	}
	if n := len([]rune(s)); n > maxFQDN-3 {
		return fmt.Sprintf("it has %d characters, which leaves no room for a domain", n)
	}
	return dnsName(s)
}

func dnsDomain(s string) string {
	if problem := dnsName(s); problem != "" {
		return problem
	}
	if !strings.HasSuffix(s, ".") {
		return "it must end with a dot"
	}
	return ""
}

var iso8601 = lazyregexp.New(`^(\d{4})(?:(?:-(\d{1,2})|(\d{2}))(?:(?:-(\d{1,2})|(\d{2}))` +
	`(?:[ T](\d{2})(?::?(\d{2}))?(?::?(\d{1,2})(?:[.,]\d+)?)?(?:Z|[-+](\d{2}):?(\d{2})?)?)?)?)?\n?$`)

// parseISO reads a time as Python's iso8601 does; without an offset it is UTC.
func parseISO(s string) (time.Time, bool) {
	m := iso8601().FindStringSubmatch(s)
	if m == nil || m[3] != "" && m[4] == "" && m[5] == "" && m[6] == "" { // YYYYMM is refused
		return time.Time{}, false
	}
	get := func(fallback int, groups ...int) int {
		for _, g := range groups {
			if m[g] != "" {
				n, _ := strconv.Atoi(m[g])
				return n
			}
		}
		return fallback
	}
	year, month, day := get(0, 1), get(1, 2, 3), get(1, 4, 5)
	hour, minute, second := get(0, 6), get(0, 7), get(0, 8)
	t := time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC)
	valid := year > 0 && t.Month() == time.Month(month) && t.Day() == day && hour < 24 && minute < 60 && second < 60 &&
		get(0, 9)*60+get(0, 10) < 24*60
	if i := strings.LastIndexAny(s, "+-"); i > 10 && m[9] != "" {
		offset := time.Duration(get(0, 9))*time.Hour + time.Duration(get(0, 10))*time.Minute
		if s[i] == '+' {
			offset = -offset
		}
		t = t.Add(offset)
	}
	return t, valid
}

func isoTime(s string) string {
	if _, ok := parseISO(s); !ok {
		return "it is not a time in ISO 8601"
	}
	return ""
}

func expiration(s string) string {
	t, ok := parseISO(strings.TrimSpace(s))
	if !ok {
		return "it is not a time in ISO 8601"
	}
	if !t.After(time.Now()) {
		return "it is in the past"
	}
	return ""
}

func timezone(s string) string {
	if _, err := time.LoadLocation(s); err != nil || s == "Local" || strings.HasPrefix(s, "/") {
		return "it is not a time zone of the IANA database"
	}
	return ""
}

func jsonText(s string) string {
	if !json.Valid([]byte(s)) {
		return "it is not JSON"
	}
	return ""
}
