package lint

import (
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

var securityGroups = &Check{"security-groups", checkSecurityGroups}

var openIngress = &Rule{
	ID: "open-ingress", Severity: diag.Warning, Check: securityGroups,
	Summary: "A security group lets everybody in on all ports, or on a port for administration.",
	Heat:    "Accepted.",
}

var duplicateRule = &Rule{
	ID: "duplicate-security-rule", Severity: diag.Warning, Check: securityGroups,
	Summary: "A security group has the same rule twice.",
	Heat:    "Accepted; Neutron refuses the second rule when the stack is created.",
}

// administrative are ports that should not be open to everybody.
var administrative = map[string]string{
	"22": "SSH", "23": "telnet", "3389": "RDP", "5900": "VNC", "2375": "Docker", "2376": "Docker", "3306": "MySQL", "5432": "PostgreSQL",
	"6379": "Redis", "9200": "Elasticsearch", "27017": "MongoDB", "11211": "memcached", "2379": "etcd",
}

func checkSecurityGroups(p *Pass) {
	for _, r := range p.Template.Resources {
		t := p.typeOf(r)
		if t == nil || r.Properties == nil {
			continue
		}
		switch t.Name {
		case "OS::Neutron::SecurityGroup":
			rules := r.Properties.Get("rules")
			if !rules.Is(source.List) {
				continue
			}
			seen := map[string]*source.Node{}
			for _, rule := range rules.Items {
				p.ingress(rule, "port_range_min", "port_range_max")
				key := p.ruleKey(rule)
				if first := seen[key]; first != nil && key != "" {
					p.report(diag.Warnf(rule.At(), "duplicate-security-rule", "the same rule stands above").Via(first.At(), "the first one").With("remove one"))
				}
				seen[key] = rule
			}
		case "OS::Neutron::SecurityGroupRule":
			p.ingress(r.Properties, "port_range_min", "port_range_max")
		}
	}
}

// ingress reports a rule that lets the whole Internet in where it should not.
func (p *Pass) ingress(rule *source.Node, minKey, maxKey string) {
	if !rule.Is(source.Map) || p.isCall(rule) {
		return
	}
	if d := p.text(rule.Get("direction")); d == "egress" || rule.Get("remote_group_id") != nil || rule.Get("remote_group") != nil ||
		p.text(rule.Get("remote_mode")) == "remote_group_id" {
		return
	}
	prefix := rule.Get("remote_ip_prefix")
	if prefix != nil {
		if text := p.text(prefix); text != "0.0.0.0/0" && text != "::/0" {
			return
		}
	}
	protocol := strings.ToLower(p.text(rule.Get("protocol")))
	if rule.Get("protocol") != nil && protocol == "" || slices.Contains([]string{"icmp", "icmpv6", "ipv6-icmp", "1", "58", "vrrp", "112"}, protocol) {
		return
	}
	low, high := rule.Get(minKey), rule.Get(maxKey)
	switch {
	case low == nil && high == nil:
		what := "all ports"
		if protocol != "" {
			what = "all " + protocol + " ports"
		}
		p.report(diag.Warnf(rule.At(), "open-ingress", "everybody is let in on %s", what).
			With("name the ports, or the network that may come in with remote_ip_prefix"))
	case p.text(low) != "" && p.text(low) == p.text(high) && administrative[p.text(low)] != "":
		p.report(diag.Warnf(low.At(), "open-ingress", "everybody is let in on port %s (%s)", p.text(low), administrative[p.text(low)]).
			With("name the network that may come in with remote_ip_prefix"))
	case (p.text(low) == "1" || p.text(low) == "0") && p.text(high) == "65535":
		p.report(diag.Warnf(low.At(), "open-ingress", "everybody is let in on all ports").
			With("name the ports, or the network that may come in with remote_ip_prefix"))
	}
}

// ruleKey identifies a rule whose values are all known; "" otherwise.
func (p *Pass) ruleKey(rule *source.Node) string {
	if !rule.Is(source.Map) || p.hasCalls(rule, false) {
		return ""
	}
	var parts []string
	for _, pair := range rule.Pairs {
		key := hot.KeyText(pair.Key)
		text := strings.ToLower(pair.Value.Text)
		if key == "description" || pair.Value.Is(source.Map) || pair.Value.Is(source.List) ||
			key == "direction" && text == "ingress" || key == "ethertype" && text == "ipv4" || key == "remote_mode" && text == "remote_ip_prefix" {
			continue
		}
		parts = append(parts, key+"="+text)
	}
	slices.Sort(parts)
	return "rule " + strings.Join(parts, ",")
}
