package preview

import (
	"fmt"
	"slices"

	"github.com/hotloom/hotloom/compiler/value"
)

// judgement is what a type's rule looks at.
type judgement struct {
	level         *level
	before, after *definition
	changed       map[string]difference
	certain, all  map[string]bool // names of properties that differ for certain, and all that may
}

// rule is what a type does otherwise than the properties' schema says.
type rule struct {
	// always tells of what makes Heat act whatever else differs.
	always func(*judgement) (Cause, bool)
	// replaces says whether Heat replaces for one of the properties that differ although it could change in place.
	replaces func(j *judgement, property string) bool
	ignored  func(*judgement) bool // an update in place in which nothing is done
	// advice is how to avoid the replacement for a property.
	advice map[string]string
}

// rules are the types with decisions of their own in Heat's code (needs_replace…, _needs_update, update).
func rules() map[string]rule {
	return map[string]rule{
		"OS::Nova::Server": {
			replaces: byPolicy(map[string]string{
				"flavor": "flavor_update_policy", "image": "image_update_policy", "user_data": "user_data_update_policy",
			}),
			ignored: func(j *judgement) bool { return len(j.all) == 1 && j.all["user_data"] },
			advice: map[string]string{
				"user_data": "user_data_update_policy: IGNORE keeps the server; what is new in its user_data then runs on no host that is there already",
				"image":     "image_update_policy: REBUILD keeps the server's id and addresses, and makes its disk anew",
				"flavor":    "flavor_update_policy: RESIZE keeps the server",
			},
		},
		"OS::Neutron::Port": {always: func(j *judgement) (Cause, bool) {
			return Cause{
				What: "policy", Property: "replacement_policy", Replaces: true, After: "REPLACE_ALWAYS",
				Advice: "replacement_policy: AUTO replaces only where it has to be",
			}, j.now("replacement_policy") == "REPLACE_ALWAYS"
		}},
		"OS::Heat::UpdateWaitConditionHandle": {always: func(*judgement) (Cause, bool) {
			return Cause{What: "policy", Replaces: true, Advice: "OS::Heat::WaitConditionHandle stays over updates (and a Heat with convergence ends updates of this type with an error, as of release 19)"}, true
		}},
		"OS::Heat::Stack": {always: func(*judgement) (Cause, bool) {
			return Cause{What: "policy", Advice: "Heat passes every update on to the remote stack, and its resources decide"}, true
		}, replaces: func(j *judgement, property string) bool {
			region := func(v any) any {
				m, _ := v.(*value.Map)
				if m == nil {
					return nil
				}
				name, _ := m.GetStr("region_name")
				return name
			}
			return property == "context" && j.level.diff(region(j.was("context")), region(j.now("context"))).verdict != same
		}},
		"OS::Mistral::ExternalResource": {always: externalResource},
		"OS::Heat::TestResource": {replaces: func(j *judgement, property string) bool {
			return property == "value" && value.Truth(j.now("update_replace"))
		}},
		"AWS::EC2::EIPAssociation": {replaces: func(j *judgement, property string) bool {
			other := j.all["InstanceId"] && j.now("InstanceId") != nil || j.all["NetworkInterfaceId"] && j.now("NetworkInterfaceId") != nil
			return (property == "AllocationId" || property == "EIP") && other
		}},
		"AWS::AutoScaling::LaunchConfiguration": {always: func(j *judgement) (Cause, bool) {
			x, _ := j.before.part("metadata")
			y, _ := j.after.part("metadata")
			return Cause{What: "metadata", Replaces: true, Advice: "keep the metadata"}, j.level.diff(x, y).verdict == differs
		}},
	}
}

// looksFirst are types that Heat asks the cloud about before it replaces a failed resource.
var looksFirst = map[string]bool{
	"OS::Nova::Server": true, "OS::Nova::ServerGroup": true, "OS::Cinder::Volume": true, "OS::Mistral::Workflow": true,
	"OS::Neutron::Port": true, "OS::Neutron::Net": true, "OS::Neutron::Subnet": true, "OS::Neutron::Router": true,
	"OS::Neutron::FloatingIP": true, "OS::Neutron::SecurityGroup": true, "OS::Neutron::Segment": true,
}

// substitutes are types that Heat has as other ones by now: a change between the two is none.
var substitutes = map[string]string{
	"OS::Heat::SoftwareDeployments":   "OS::Heat::SoftwareDeploymentGroup",
	"OS::Heat::StructuredDeployments": "OS::Heat::StructuredDeploymentGroup",
	"OS::Magnum::BayModel":            "OS::Magnum::ClusterTemplate",
}

func substitute(name string) string {
	if to, ok := substitutes[name]; ok {
		return to
	}
	return name
}

// byPolicy replaces for a property where the value of another says REPLACE.
func byPolicy(policies map[string]string) func(*judgement, string) bool {
	return func(j *judgement, property string) bool {
		policy, ok := policies[property]
		if !ok {
			return false
		}
		says := j.now(policy)
		if !value.Truth(says) {
			says = j.was(policy)
		}
		return says == "REPLACE"
	}
}

func externalResource(j *judgement) (Cause, bool) {
	names, _ := j.now("replace_on_change_inputs").([]any)
	input := func(v any, name string) any {
		m, _ := v.(*value.Map)
		if m == nil {
			return absent{}
		}
		item, ok := m.GetStr(name)
		if !ok {
			return absent{}
		}
		return item
	}
	for _, n := range names {
		name := value.Str(n)
		if e := j.level.diff(input(j.was("input"), name), input(j.now("input"), name)); e.verdict == differs {
			return Cause{
				What: "property", Property: "input", Replaces: true, Before: e.before, After: e.after, Sources: e.sources,
				Advice: fmt.Sprintf("keep the input %s, or take it out of replace_on_change_inputs", name),
			}, true
		}
	}
	if j.was("always_update") == true {
		return Cause{What: "policy", Property: "always_update"}, true
	}
	return Cause{}, false
}

// now and was are a property's value after and before, nil where it has none.
func (j *judgement) now(name string) any { return shown(given(j.after, name)) }
func (j *judgement) was(name string) any { return shown(given(j.before, name)) }

func given(d *definition, name string) any { return property(d.schema()[name], translated(d), name) }

// replaces reports whether Heat replaces for a property that differs.
func (j *judgement) replaces(r rule, name string) bool {
	if r.replaces != nil && r.replaces(j, name) {
		return true
	}
	p := j.after.schema()[name]
	return p != nil && !p.Update && !p.Immutable
}

// action is what Heat does for some properties that differ.
func (j *judgement) action(r rule, names map[string]bool) Action {
	if len(names) == 0 {
		return Keep
	}
	for name := range names {
		if j.replaces(r, name) {
			return Replace
		}
	}
	return Update
}

// advice says how to avoid a replacement.
func (l *level) advice(j *judgement, r rule, name string, c Cause) string {
	if text, ok := r.advice[name]; ok {
		return text
	}
	for _, s := range c.Sources {
		for len(s.From) == 1 {
			s = s.From[0]
		}
		switch {
		case s.Kind == "parameter" && !s.Secret && !hasLater(s.Before) && s.Before != nil:
			return fmt.Sprintf("keep parameter %s at %s: %s cannot change in place", s.Name, Show(s.Before), name)
		case s.Kind == "resource" && s.Action == Replace:
			return fmt.Sprintf("keep resource %s from being replaced: this follows from it", s.Name)
		}
	}
	return fmt.Sprintf("keep %s as it was: it cannot change in place", name)
}

// read says whether what a resource gives stays the same: its id, or an attribute.
func (l *level) read(name, attribute string, call *Later) (verdict, Source) {
	d := l.decide(name)
	if d == nil {
		return same, Source{}
	}
	s := Source{Kind: "resource", Name: name, Action: d.Action}
	if attribute != "" {
		s.Kind, s.Name = "attribute", name+"."+attribute
	}
	v := differs
	switch {
	case d.Action == Keep || d.Action == Delete || d.Action == Update && (d.Recorded || attribute == ""):
		return same, s
	case d.Action == Update:
		if v = l.attribute(d, attribute); v == same {
			return same, s
		}
	case attribute != "":
		v = maybe // of another resource, and yet it may be the same, such as a fixed address
		s.Kind, s.Name = "resource", name
	}
	if d.Possible {
		v = min(v, maybe)
	}
	return v, s
}

// attribute says whether an attribute of a resource that is updated in place stays the same.
func (l *level) attribute(d *decision, attribute string) verdict {
	if d.below != nil {
		return d.below.output(attribute)
	}
	switch {
	case d.Type == "OS::Heat::Value" && attribute == "value" && d.properties["value"]:
		return differs
	case d.properties[attribute], attribute == "*", attribute == "show":
		return maybe
	case slices.Contains(restless, d.Type):
		return maybe
	}
	for _, property := range derived[d.Type][attribute] {
		if d.properties[property] {
			return maybe
		}
	}
	return same
}

// restless are types whose attributes may all be others after an update.
var restless = []string{
	"OS::Heat::ResourceGroup", "OS::Heat::AutoScalingGroup", "OS::Heat::InstanceGroup", "OS::Heat::ResourceChain", "OS::Heat::Stack",
	"OS::Heat::SoftwareDeployment", "OS::Heat::SoftwareDeploymentGroup", "OS::Heat::StructuredDeployment",
	"OS::Heat::StructuredDeploymentGroup", "OS::Mistral::ExternalResource", "OS::Heat::TestResource",
}

// derived are, by type and attribute, the properties that an attribute of another name comes from.
var derived = map[string]map[string][]string{
	"OS::Nova::Server":  {"addresses": {"networks"}, "networks": {"networks"}, "first_address": {"networks"}, "tags": {"tags"}},
	"OS::Neutron::Port": {"fixed_ips": {"fixed_ips"}, "dns_assignment": {"dns_name"}},
}

// output says whether an output of a nested stack stays the same.
func (l *level) output(name string) verdict {
	before, after := l.old.stack.Template.Output(name), l.new.stack.Template.Output(name)
	if before == nil || after == nil {
		return maybe
	}
	x, _ := l.old.value(before.Value)
	y, _ := l.new.value(after.Value)
	return l.diff(x, y).verdict
}
