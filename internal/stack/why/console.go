package why

import (
	"regexp"
	"strings"
	"sync"
)

// console is what a server's console tells.
type console struct {
	lines   []string
	empty   bool
	begun   map[string]string // HOST.COMPONENT → line
	ended   map[string]string // HOST.COMPONENT → what is said of its end
	refused string            // the last line about a signal that Heat did not take
	answer  string            // its HTTP status, 000 for none
	gaveUp  bool              // no signal reached Heat in the time
	started bool              // hotloom's runner, or cloud-init's last stage
	runner  bool              // hotloom's runner
	agent   bool              // os-collect-config
	booted  bool
	clues   []clue // what went wrong
}

// clue is a line that is known to mean something.
type clue struct {
	line string
	sign *sign
}

// sign is what a line on a console means.
type sign struct {
	kind   string
	expr   string
	what   string
	advice string
}

// patterns are all that lines are held against.
type patterns struct {
	begins, ends, notTaken, noSignal, boot, start, agent, ansi *regexp.Regexp
	signs                                                      []*regexp.Regexp
}

var compiled = sync.OnceValue(func() *patterns {
	p := &patterns{
		begins:   regexp.MustCompile(`hotloom: (\S+) begins\s*$`),
		ends:     regexp.MustCompile(`hotloom: ([^\s:]+\.[^\s:]+): (.*\S)\s*$`),
		notTaken: regexp.MustCompile(`hotloom: (\S+): Heat did not take the signal \(answer (\d+)\)`),
		noSignal: regexp.MustCompile(`hotloom: (\S+): no signal reached Heat within \d+ s, the last answer was (\d+)`),
		boot:     regexp.MustCompile(`(?i)linux version|cloud-init|systemd|login:|ci-info`),
		start:    regexp.MustCompile(`(?i)modules:final|cloud-init v.*finished|final-message|cloud-final`),
		agent:    regexp.MustCompile(`os-collect-config|os-refresh-config|heat-config|agent-refresh`),
		ansi:     regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`),
	}
	for _, s := range signs {
		p.signs = append(p.signs, regexp.MustCompile(s.expr))
	}
	return p
})

// signs are searched on every line; of several the first in the list counts: what may be the cause of the others.
var signs = []sign{
	{
		"kernel", `Kernel panic|Entering emergency mode|Give root password for maintenance|No bootable device|GRUB.*rescue`,
		"the server's operating system does not come up", "look at the console; the image may not fit the flavor, or its disk is broken",
	},
	{
		"memory", `Out of memory: Kill|oom-kill|Killed process`,
		"the server has too little memory: the kernel killed a process", "take a larger flavor",
	},
	{"disk", `No space left on device`, "the server's disk is full", "take a flavor with a larger disk"},
	{
		"datasource", `(?i)no (?:local |instance )?datasource found|Used fallback datasource|datasource DataSourceNone|giving up on md from|Calling 'http://169\.254\.169\.254.*failed`,
		"cloud-init found no metadata: the server does not know its user data", "the network must reach 169.254.169.254, or set config_drive: true on the server",
	},
	{
		"user-data-form", `Unhandled non-multipart|Unhandled unknown content-type`,
		"cloud-init does not understand the user data", "begin it with #!/bin/sh or #cloud-config, and set user_data_format: RAW",
	},
	{
		"name", `Could not resolve host|Temporary failure in name resolution|Name or service not known|unable to resolve host address`,
		"the server cannot resolve a name", "check the subnet's dns_nameservers, and that Heat's public endpoint has a name that servers can resolve",
	},
	{
		"unreachable", `curl: \((?:7|28)\)|Failed to connect to|Connection refused|Connection timed out|No route to host|Network is unreachable`,
		"the server cannot reach an address", "check router, security groups and proxy; Heat's and Keystone's public endpoints must be reachable from the server",
	},
	{
		"certificate", `curl: \(60\)|SSL certificate problem|certificate verify failed|unable to locally verify the issuer`,
		"the server does not trust the certificate of an endpoint", "put the cloud's CA into the image, or into the user data with ca_certs",
	},
	{
		"token", `(?i)HTTP/[0-9.]+ 401|401 Unauthorized|Request is expired|token .*expired|Signature .*expired`,
		"a credential on the server is refused: it has expired, or is another stack's", "use signal_transport: HEAT_SIGNAL or TEMP_URL_SIGNAL on the handle, or lengthen the token's life in Keystone",
	},
	{
		"gone", `HTTP/[0-9.]+ 404|404 Not Found`,
		"an address that the server calls is not there", "the handle may have been replaced since the server was made: the server still signals to the old one",
	},
	{"command", `: (?:command )?not found\s*$`, "a command is not in the image", "install it first, in the image or by an earlier step"},
	{
		"script", `(?i)failed to run module scripts.user|Running module scripts.user .* failed|Failed running /var/lib/cloud/instance/scripts`,
		"a script of the user data failed", "the lines before on the console, or /var/log/cloud-init-output.log on the server, tell why",
	},
}

// parseConsole reads a console.
func parseConsole(text string) *console {
	c := &console{begun: map[string]string{}, ended: map[string]string{}, empty: strings.TrimSpace(text) == ""}
	for line := range strings.Lines(text) {
		line = printable(line)
		c.lines = append(c.lines, line)
		c.booted = c.booted || compiled().boot.MatchString(line)
		c.started = c.started || compiled().start.MatchString(line)
		c.agent = c.agent || compiled().agent.MatchString(line)
		if strings.Contains(line, "hotloom: ") {
			c.runner, c.started, c.booted = true, true, true
			c.own(line)
			continue
		}
		for i := range signs {
			if compiled().signs[i].MatchString(line) {
				c.clues = append(c.clues, clue{line, &signs[i]})
				break
			}
		}
	}
	return c
}

// own reads a line of hotloom's runner.
func (c *console) own(line string) {
	if m := compiled().noSignal.FindStringSubmatch(line); m != nil {
		c.refused, c.answer, c.gaveUp = line, m[2], true
	} else if m := compiled().notTaken.FindStringSubmatch(line); m != nil {
		c.refused, c.answer = line, m[2]
	} else if m := compiled().begins.FindStringSubmatch(line); m != nil {
		c.begun[m[1]] = line
	} else if m := compiled().ends.FindStringSubmatch(line); m != nil {
		c.ended[m[1]] = m[2]
		c.refused, c.answer = "", "" // what came before was taken in the end
	}
}

// printable is a line without control characters, and not too long.
func printable(line string) string {
	line = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, compiled().ansi.ReplaceAllString(strings.TrimRight(line, "\r\n"), ""))
	if r := []rune(line); len(r) > 300 {
		line = string(r[:300]) + "…"
	}
	return strings.TrimSpace(line)
}

// worst is the clue whose sign stands first in the list, nil where there is none.
func (c *console) worst() *clue {
	var best *clue
	at := len(signs)
	for i := range c.clues {
		for j := range signs {
			if c.clues[i].sign == &signs[j] && j < at {
				best, at = &c.clues[i], j
			}
		}
	}
	return best
}

// tail is the end of the console.
func (c *console) tail(n int) []string {
	var out []string
	for _, l := range c.lines[max(0, len(c.lines)-n*2):] {
		if l != "" {
			out = append(out, l)
		}
	}
	return out[max(0, len(out)-n):]
}
