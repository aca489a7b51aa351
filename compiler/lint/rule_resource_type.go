package lint

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/resources/catalog"
)

var unknownType = &Rule{
	ID: "unknown-resource-type", Severity: diag.Error, Check: &Check{"resource-types", checkTypes},
	Summary: "A resource has a type that Heat does not know.",
	Heat: "Refused at template-validate, unless the environment's resource_registry maps the name. Types of third-party plug-ins are " +
		"unknown to a stock Heat: the setting unknown_types says what they mean.",
}

var snapshotPolicy = &Rule{
	ID: "deletion-policy-unsupported", Severity: diag.Error, Check: &Check{"deletion-policy", checkDeletionPolicies},
	Summary: "The deletion policy is Snapshot, and the type cannot make one.",
	Heat:    "Refused at template-validate.",
}

// checkTypes finds types that do not exist.
func checkTypes(p *Pass) {
	for _, r := range p.Template.Resources {
		name := r.Type.Str()
		if name == "" || p.typeOf(r) != nil || p.resolved(r).Found {
			continue
		}
		emit, exists := p.whereEnabled(r)
		if !exists || isOwn(r) {
			continue
		}
		d := diag.Errorf(r.Type.At(), "unknown-resource-type", "unknown resource type %q", name)
		switch {
		case p.Catalog.Knows(name):
			d.Message = "Heat " + p.Catalog.Release().String() + " has no resource type \"" + name + "\", other releases do"
		default:
			if near := p.nearestType(name); near != "" {
				d = d.With("did you mean %q?", near)
			}
			severity, report := p.unknownType(name)
			if !report {
				continue
			}
			d.Severity = severity
		}
		emit(d)
	}
}

// unknownType is the severity that the settings give a type that Heat does not know; report is false to say nothing.
func (p *Pass) unknownType(name string) (severity diag.Severity, report bool) {
	switch p.Unknown.For(name) {
	case catalog.PolicyWarn:
		return diag.Warning, true
	case catalog.PolicyIgnore:
		return diag.Info, false
	}
	return diag.Error, true
}

func checkDeletionPolicies(p *Pass) {
	for _, r := range p.Template.Resources {
		t := p.typeOf(r)
		if r.DeletionPolicy == nil || t == nil || hot.Truthy(r.ExternalID) {
			continue
		}
		emit, exists := p.whereEnabled(r)
		if !exists {
			continue
		}
		f := p.resolve(r.DeletionPolicy, emit)
		if !f.node.Is(source.String) {
			continue
		}
		policy := f.node.Text
		switch {
		case f.data && !validPolicy(p.Version, policy):
			emit(diag.Errorf(r.DeletionPolicy.At(), "deletion-policy", "invalid deletion policy %s of resource %q", quote(policy), r.Name.Text).
				With("write one of %s", strings.Join(p.Version.DeletionPolicies(), ", ")))
		case strings.EqualFold(policy, "snapshot") && !t.Snapshot:
			emit(diag.Errorf(r.DeletionPolicy.At(), "deletion-policy-unsupported", "%s cannot make a snapshot when it is deleted", t.Name).
				With("write Delete or Retain"))
		}
	}
}

func validPolicy(v *hot.Version, policy string) bool {
	for _, known := range v.DeletionPolicies() {
		if policy == known {
			return true
		}
	}
	return false
}
