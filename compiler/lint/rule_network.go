package lint

import (
	"net/netip"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

var floatingIPOrder = &Rule{
	ID: "floating-ip-before-gateway", Severity: diag.Warning, Check: &Check{"floating-ip", checkFloatingIPs},
	Summary: "A floating IP does not depend on the router interface that makes its network reachable.",
	Heat: "Neutron refuses to associate a floating IP while no router joins the two networks. Heat sees the order only in some forms of " +
		"template; deletion runs in the same order backwards.",
}

var subnetRanges = &Rule{
	ID: "subnet-ranges", Severity: diag.Warning, Check: &Check{"subnet-ranges", checkSubnets},
	Summary: "The gateway or an allocation pool is not in the subnet, or the network address has host bits.",
	Heat:    "Accepted. Neutron refuses a gateway or pool outside, and drops host bits.",
}

var floatingTypes = map[string]bool{"OS::Neutron::FloatingIP": true, "OS::Neutron::FloatingIPAssociation": true}

func checkFloatingIPs(p *Pass) {
	var interfaces []*hot.Resource
	isInterface := map[*hot.Resource]bool{}
	for _, r := range p.Template.Resources {
		if t := p.typeOf(r); t != nil && t.Name == "OS::Neutron::RouterInterface" {
			interfaces = append(interfaces, r)
			isInterface[r] = true
		}
	}
	if len(interfaces) == 0 {
		return
	}
	for _, r := range p.Template.Resources {
		if !p.isA(r, floatingTypes) {
			continue
		}
		port := r.Properties.Get("port_id")
		if port == nil || p.dependsOn(r, func(d *hot.Resource) bool { return isInterface[d] }) {
			continue
		}
		subnet, joining := p.joiningInterface(port, interfaces)
		if joining == nil {
			continue
		}
		p.report(diag.Warnf(r.Name.At(), "floating-ip-before-gateway", "%q may be associated before %q joins the subnet to the router",
			r.Name.Text, joining.Name.Text).With("add depends_on: %s", joining.Name.Text).Via(subnet.Name.At(), "the subnet of the port"))
	}
}

// joiningInterface finds the router interface on a subnet that the port depends on.
func (p *Pass) joiningInterface(port *source.Node, interfaces []*hot.Resource) (subnet, joining *hot.Resource) {
	owner := p.referred(port)
	if owner == nil {
		return nil, nil
	}
	for _, i := range interfaces {
		for _, key := range []string{"subnet", "subnet_id"} {
			s := p.referred(i.Properties.Get(key))
			if s != nil && p.onSubnet(owner, s) {
				return s, i
			}
		}
	}
	return nil, nil
}

// onSubnet reports whether a port is on the subnet's network without naming a subnet: then Heat cannot tell that the
// floating IP needs the interface. Where fixed_ips names the subnet it can.
func (p *Pass) onSubnet(port, subnet *hot.Resource) bool {
	if t := p.typeOf(port); t == nil || t.Name != "OS::Neutron::Port" || port.Properties.Get("fixed_ips") != nil {
		return false
	}
	same := func(n *source.Node) bool {
		network := p.referred(n)
		return network != nil && (network == p.referred(port.Properties.Get("network")) || network == p.referred(port.Properties.Get("network_id")))
	}
	return same(subnet.Properties.Get("network")) || same(subnet.Properties.Get("network_id"))
}

func checkSubnets(p *Pass) {
	for _, r := range p.Template.Resources {
		if t := p.typeOf(r); t == nil || t.Name != "OS::Neutron::Subnet" || r.Properties == nil {
			continue
		}
		n := r.Properties.Get("cidr")
		prefix, err := netip.ParsePrefix(p.text(n))
		if err != nil {
			continue
		}
		if masked := prefix.Masked(); masked != prefix {
			p.report(diag.Warnf(n.At(), "subnet-ranges", "%s has host bits: the network is %s", prefix, masked).With("write %s", masked))
			prefix = masked
		}
		if g := r.Properties.Get("gateway_ip"); g != nil {
			if a, err := netip.ParseAddr(p.text(g)); err == nil && !prefix.Contains(a) {
				p.report(diag.Warnf(g.At(), "subnet-ranges", "the gateway %s is not in %s", a, prefix))
			}
		}
		p.allocationPools(r.Properties.Get("allocation_pools"), prefix)
	}
}

func (p *Pass) allocationPools(pools *source.Node, prefix netip.Prefix) {
	if !pools.Is(source.List) {
		return
	}
	for _, pool := range pools.Items {
		start, errStart := netip.ParseAddr(p.text(pool.Get("start")))
		end, errEnd := netip.ParseAddr(p.text(pool.Get("end")))
		for _, side := range []struct {
			key string
			a   netip.Addr
			err error
		}{{"start", start, errStart}, {"end", end, errEnd}} {
			if side.err == nil && !prefix.Contains(side.a) {
				p.report(diag.Warnf(pool.Get(side.key).At(), "subnet-ranges", "the %s of the pool, %s, is not in %s", side.key, side.a, prefix))
			}
		}
		if errStart == nil && errEnd == nil && end.Less(start) {
			p.report(diag.Warnf(pool.At(), "subnet-ranges", "the pool from %s to %s is empty", start, end))
		}
	}
}

// text is the text of a value that is known, or "".
func (p *Pass) text(n *source.Node) string {
	if n == nil {
		return ""
	}
	f := p.resolve(n, discard)
	if f.node == nil {
		return ""
	}
	if f.node.Kind == source.String {
		return f.node.Text
	}
	if f.node.Kind == source.Int {
		return hot.KeyText(f.node)
	}
	return ""
}
