package lint

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

var versionTooHigh = &Rule{
	ID: "version-higher-than-needed", Severity: diag.Info, Check: &Check{"version", checkVersion}, Off: true,
	Summary: "An older template version would do, so the template would work on older clouds.",
	Heat:    "Accepted by every Heat that knows the version.",
}

var oldVersion = &Rule{
	ID: "old-version", Severity: diag.Info, Check: &Check{"old-version", checkOldVersion},
	Summary: "The template is of the first version of HOT, which still has functions of CFN and reads attributes in another way.",
	Heat:    "Accepted.",
}

// checkVersion finds the oldest version that has everything the template uses.
func checkVersion(p *Pass) {
	if p.Version.Format != hot.HOT || p.Template.VersionNode == nil {
		return
	}
	need := p.needed()
	if need.Since < p.Version.Since {
		p.report(diag.Infof(p.Template.VersionNode.At(), "version-higher-than-needed", "everything here is in version %s too", need.Name))
	}
}

func (p *Pass) needed() *hot.Version {
	need := hot.Versions[0]
	require := func(has func(*hot.Version) bool) {
		for _, v := range hot.Versions {
			if v.Format == hot.HOT && v.Since >= need.Since && has(v) {
				need = v
				return
			}
		}
	}
	for _, c := range p.index.calls {
		require(func(v *hot.Version) bool { return v.HasFunction(c.Function.Name) && v.Since >= sinceOf(c.Function) })
	}
	for _, c := range p.index.conditions {
		require(func(v *hot.Version) bool { return v.HasConditionFunction(c.Function.Name) })
	}
	if len(p.Template.Conditions) > 0 {
		require((*hot.Version).HasConditions)
	}
	for _, r := range p.Template.Resources {
		require(func(v *hot.Version) bool { return hasKeys(r.Node, v.ResourceKeys) })
	}
	for _, o := range p.Template.Outputs {
		require(func(v *hot.Version) bool { return hasKeys(o.Node, v.OutputKeys) })
	}
	for _, def := range p.Template.Parameters {
		require(func(v *hot.Version) bool { return hasKeys(def.Node, v.ParameterKeys) })
		for _, c := range def.Constraints {
			require(func(v *hot.Version) bool { return contains(v.Constraints, c.Kind) })
		}
	}
	return need
}

// sinceOf is the ordinal of the version that has the form of a function.
func sinceOf(f *function.Function) int {
	if v := hot.LookupVersion(hot.HOTKey, f.Since); v != nil {
		return v.Since
	}
	return 0
}

func hasKeys(n *source.Node, keys []string) bool {
	for _, pair := range n.Pairs {
		if key := hot.KeyText(pair.Key); key != "components" && !contains(keys, key) {
			return false
		}
	}
	return true
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func checkOldVersion(p *Pass) {
	if p.Version == hot.Versions[0] && p.Template.VersionNode != nil && p.Template.Version != nil {
		p.report(diag.Infof(p.Template.VersionNode.At(), "old-version", "%s is the first version, from before OpenStack Juno", p.Version.Name).
			With("write 2018-08-31, which every supported Heat knows"))
	}
}
