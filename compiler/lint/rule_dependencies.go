package lint

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/source"
)

var redundantDepends = &Rule{
	ID: "redundant-depends-on", Severity: diag.Info, Tag: Unnecessary, Check: &Check{"redundant-depends-on", checkRedundant},
	Summary: "depends_on names a resource that the values need anyway, or names one twice.",
	Heat:    "Accepted; it changes nothing.",
}

var dependsOnDisabled = &Rule{
	ID: "depends-on-disabled", Severity: diag.Info, Check: &Check{"depends-on-disabled", checkDisabledDependencies},
	Summary: "depends_on names a resource that a condition may leave out.",
	Heat:    "Accepted: where the condition is false there is silently no dependency.",
}

var replaceAlways = &Rule{
	ID: "replaced-on-update", Severity: diag.Info, Check: &Check{"replaced-on-update", checkReplacement},
	Summary: "A policy makes an update replace the thing instead of changing it.",
	Heat:    "A server that is replaced loses its disks and addresses; a port that is replaced always changes at every update.",
}

func checkRedundant(p *Pass) {
	for _, r := range p.Template.Resources {
		named := map[string]bool{}
		for _, n := range r.DependsOn {
			if named[n.Text] {
				p.report(diag.Infof(n.At(), "redundant-depends-on", "%q is named twice", n.Text).With("remove it"))
				continue
			}
			named[n.Text] = true
			for _, u := range p.index.resources[n.Text] {
				if u.res == r && (u.part == inProperties || u.part == inMetadata) && r.Condition == nil && !p.insideIf(u) {
					p.report(diag.Infof(n.At(), "redundant-depends-on", "the values of %q need %q anyway", r.Name.Text, n.Text).
						With("remove it").Via(u.Target.At(), "here"))
					break
				}
			}
		}
	}
}

// insideIf reports whether a reference stands in a branch that an if may not choose.
func (p *Pass) insideIf(u usage) bool {
	inside := false
	function.Walk(p.Version, u.place.node, func(c function.Call) bool {
		if c.Function.Name == "if" || c.Function.Name == "Fn::If" {
			c.Node.Walk(func(n *source.Node) bool {
				inside = inside || n == u.Target
				return !inside
			})
		}
		return !inside
	})
	return inside
}

func checkDisabledDependencies(p *Pass) {
	for _, r := range p.Template.Resources {
		for _, n := range r.DependsOn {
			target := p.Template.Resource(n.Text)
			if target != nil && target.Condition != nil && r.Condition == nil {
				p.report(diag.Infof(n.At(), "depends-on-disabled", "%q exists only where its condition holds; elsewhere nothing is waited for", n.Text))
			}
		}
	}
}

// replacing are the values of policies that replace instead of changing.
var replacing = map[string]string{
	"flavor_update_policy": "REPLACE", "image_update_policy": "REPLACE", "user_data_update_policy": "REPLACE", "replacement_policy": "REPLACE_ALWAYS",
}

func checkReplacement(p *Pass) {
	for _, r := range p.Template.Resources {
		t := p.typeOf(r)
		if t == nil || r.Properties == nil {
			continue
		}
		for _, pair := range r.Properties.Pairs {
			name := pair.Key.Str()
			if t.Properties[name] != nil && replacing[name] != "" && p.text(pair.Value) == replacing[name] {
				p.report(diag.Infof(pair.Key.At(), "replaced-on-update", "%s: %s replaces %q when it changes", name, replacing[name], r.Name.Text))
			}
		}
	}
}
