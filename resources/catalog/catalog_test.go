package catalog

import (
	"slices"
	"testing"
)

func TestEveryTypeDecodesInEveryRelease(t *testing.T) {
	t.Parallel()
	for _, r := range []Release{Any, Oldest, {22}, Newest} {
		c := For(r)
		found := 0
		for _, name := range c.Names() {
			typ := c.Type(name)
			if typ == nil {
				continue
			}
			found++
			if typ.Name != name {
				t.Errorf("%s: %s calls itself %q", r, name, typ.Name)
			}
			for pname, p := range typ.Properties {
				checkProperty(t, name+"."+pname, p)
			}
		}
		if found < 195 {
			t.Errorf("%s: only %d types", r, found)
		}
	}
}

func checkProperty(t *testing.T, path string, p *Property) {
	t.Helper()
	kinds := []Kind{String, Integer, Number, Boolean, List, Map, Anything}
	if !slices.Contains(kinds, p.Type) {
		t.Errorf("%s: kind %q", path, p.Type)
	}
	if p.Items != nil {
		checkProperty(t, path+".*", p.Items)
	}
	for name, q := range p.Schema {
		checkProperty(t, path+"."+name, q)
	}
}

func TestReleasesDifferWhereHeatDid(t *testing.T) {
	t.Parallel()
	zed, newest, any := For(Oldest), For(Newest), For(Any)
	if zed.Type("OS::Aodh::PrometheusAlarm") != nil || newest.Type("OS::Aodh::PrometheusAlarm") == nil {
		t.Error("OS::Aodh::PrometheusAlarm came after the oldest release")
	}
	if For(Release{21}).Type("OS::Aodh::PrometheusAlarm") != nil {
		t.Error("OS::Aodh::PrometheusAlarm came with 22")
	}
	pool := "OS::Neutron::LBaaS::Pool"
	if zed.Type(pool).Placeholder || !newest.Type(pool).Placeholder || any.Type(pool).Placeholder {
		t.Error("the LBaaS pool became a placeholder after the oldest release")
	}
	if p := any.Type(pool); !p.Properties["protocol"].Required || p.PlaceholderSince != "21.0.0" {
		t.Errorf("union of a placeholder: %+v", p)
	}
	if For(Release{20}).Type(pool).Placeholder || !For(Release{21}).Type(pool).Placeholder {
		t.Error("the LBaaS pool became a placeholder with 21")
	}
	if p := zed.Type(pool).Property("session_persistence", "type"); p == nil || !p.Required {
		t.Error("nested properties of the older definition are lost")
	}
	group := "OS::Neutron::SecurityGroup"
	if zed.Type(group).Properties["stateful"] != nil || newest.Type(group).Properties["stateful"] == nil {
		t.Error("stateful came after the oldest release")
	}
	if zed.Type(group).Property("rules", "*", "description") != nil {
		t.Error("rules.*.description came after the oldest release")
	}
	if p := any.Type(group).Properties["stateful"]; p == nil || p.Only == "" {
		t.Error("the union does not say that only one release has stateful")
	}
	if p := any.Type("OS::Octavia::Listener").Properties["loadbalancer"]; p.Required {
		t.Error("the union demands a property that one release does not demand")
	}
	if c := any.Type("OS::Designate::RecordSet").Properties["type"].Constraints; !slices.Contains(c[0].AllowedValues, any2("CAA")) {
		t.Errorf("the union lacks an allowed value: %v", c)
	}
}

func any2(s string) any { return s }

func TestAliasesLeadToTypes(t *testing.T) {
	t.Parallel()
	c := Default()
	for name, want := range map[string]string{
		"OS::Quantum::Port":     "OS::Neutron::Port",
		"OS::Ceilometer::Alarm": "OS::Aodh::Alarm",
		"OS::Nova::Server":      "OS::Nova::Server",
	} {
		if got := c.Type(name); got == nil || got.Name != want {
			t.Errorf("%s leads to %v, want %s", name, got, want)
		}
	}
	if c.Type("OS::Nova::Sever") != nil || c.Knows("OS::Nova::Sever") {
		t.Error("a misspelt type was found")
	}
	if !For(Oldest).Knows("OS::Octavia::AvailabilityZone") {
		t.Error("a type of another release is not known")
	}
}

func TestParseRelease(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]Release{
		"zed": Oldest, "19.0.0": Oldest, "19": Oldest, "Caracal": {22}, "26.0.1": {26}, "newest": Newest, "": Any, "any": Any,
	} {
		if got, err := ParseRelease(in); err != nil || got != want {
			t.Errorf("%q: %v, %v", in, got, err)
		}
	}
	for _, in := range []string{"yoga", "18.0.0", "99", "x"} {
		if _, err := ParseRelease(in); err == nil {
			t.Errorf("%q was accepted", in)
		}
	}
}

func TestUnknownTypesPolicy(t *testing.T) {
	t.Parallel()
	u := UnknownTypes{Default: PolicyWarn, Rules: []UnknownRule{{"Contrail::*", PolicyIgnore}, {"OS::*", PolicyError}}}
	if err := u.Check(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]Policy{"Contrail::Network": PolicyIgnore, "OS::X::Y": PolicyError, "My::Own": PolicyWarn} {
		if got := u.For(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for _, bad := range []UnknownTypes{{Default: "no"}, {Rules: []UnknownRule{{"[", PolicyWarn}}}, {Rules: []UnknownRule{{"a", ""}}}} {
		if bad.Check() == nil {
			t.Errorf("%+v was accepted", bad)
		}
	}
}

func TestProfileReplacesTypes(t *testing.T) {
	t.Parallel()
	c, err := ParseProfile([]byte(`{"types": [
		{"resource_type": "OS::Nova::KeyPair", "properties": {"name": {"type": "string", "required": true,
			"constraints": [{"length": {"min": 1, "max": 255}}]}}, "attributes": {"public_key": {"type": "string"}},
			"support_status": {"status": "SUPPORTED", "version": null}},
		{"resource_type": "Vendor::Box", "properties": {"disks": {"type": "list", "schema": {"*": {"type": "map",
			"schema": {"size": {"type": "integer"}}}}}}, "attributes": {}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if p := c.Type("OS::Nova::KeyPair").Properties; len(p) != 1 || *p["name"].Constraints[0].Length.Max != 255 {
		t.Errorf("key pair: %+v", p)
	}
	if p := c.Type("Vendor::Box").Property("disks", "*", "size"); p == nil || p.Type != Integer {
		t.Errorf("vendor's nested property: %+v", p)
	}
	if c.Type("OS::Nova::Server") != nil {
		t.Error("a type that the cloud lacks is there")
	}
	if c.Type("OS::Quantum::Port") != nil {
		t.Error("an alias of a type that the cloud lacks is there")
	}
	for _, bad := range []string{"", "[1]", "{}", `{"types": 5}`, `{"types": [{"properties": {}}]}`, `[null]`, `{"types": {"a": null}}`} {
		if _, err := ParseProfile([]byte(bad)); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}

func TestConstraintsTellTheirService(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"nova.flavor": "nova", "ip_addr": "", "neutron.network": "neutron"} {
		if got, ok := Default().Constraint(name); !ok || got != want {
			t.Errorf("%s: %q %v, want %q", name, got, ok, want)
		}
	}
	if _, ok := Default().Constraint("nova.flavour"); ok {
		t.Error("a misspelt constraint was found")
	}
}

// BenchmarkColdServer is what a small template pays: the index of all types and the decoding of five.
func BenchmarkColdServer(b *testing.B) {
	for b.Loop() {
		c := For(Any)
		for _, n := range []string{"OS::Nova::Server", "OS::Neutron::Port", "OS::Neutron::Net", "OS::Neutron::Subnet", "OS::Heat::WaitCondition"} {
			if c.Type(n) == nil {
				b.Fatal(n)
			}
		}
	}
}

// BenchmarkIndex is the scan of the embedded file.
func BenchmarkIndex(b *testing.B) {
	for b.Loop() {
		if len(scanLines(typesFile)) < 195 {
			b.Fatal("types are missing")
		}
	}
}

func TestTypesOfProvidersJoinHeats(t *testing.T) {
	t.Parallel()
	own := &Type{Name: "Example::Note", Properties: map[string]*Property{"path": {Type: String, Required: true}}}
	base := For(Any)
	c := base.With(map[string]*Type{"Example::Note": own, "OS::Nova::Server": {Name: "OS::Nova::Server"}})
	if c.Type("Example::Note") != own || !c.Knows("Example::Note") || !slices.Contains(c.Names(), "Example::Note") {
		t.Error("the provider's type is not there")
	}
	if len(c.Type("OS::Nova::Server").Properties) == 0 {
		t.Error("a provider has taken the place of Heat's own type")
	}
	if base.Knows("Example::Note") {
		t.Error("the catalog itself has changed")
	}
}

// TestProfilesKeepWhatHeatHides: Heat lists neither hidden properties nor hidden attributes, and takes both.
func TestProfilesKeepWhatHeatHides(t *testing.T) {
	t.Parallel()
	c, err := ParseProfile([]byte(`{"types": {"OS::Nova::Server": {"properties": {"image": {"type": "string"}}, "attributes": {"networks": {}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	server := c.Type("OS::Nova::Server")
	if server.Attributes["first_address"] == nil || server.Attributes["networks"] == nil {
		t.Errorf("the attributes are %v", server.Attributes)
	}
	if server.Attributes["accessIPv4"] != nil {
		t.Error("an attribute that the cloud lacks is there")
	}
}
