package weave

import (
	"fmt"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// This file has one function for each message about hosts and components; errors_workflow.go has those about handles
// and workflows. They are errors because no target can realise what they are about.

func notAHost(n *source.Node, typ string) diag.Diagnostic {
	return diag.Errorf(n.At(), "component-host", "components cannot run on %s; hosts are %s", typ, strings.Join(hostTypeNames, ", "))
}

func groupWithoutMember(r *hot.Resource, property string) diag.Diagnostic {
	return diag.Errorf(r.Type.At(), "component-host", "group %q has components, but its %s does not say what type its members are",
		r.Name.Str(), property).With("write %s: {type: OS::Nova::Server, properties: …}", property)
}

func memberNotAHost(n *source.Node, typ string) diag.Diagnostic {
	return diag.Errorf(n.At(), "component-host", "components of a group run on its members, and %s is no host", typ)
}

func nestedHosts(n *source.Node, inside []*hot.Resource) diag.Diagnostic {
	if len(inside) == 0 {
		return diag.Errorf(n.At(), "component-host", "components of a group run on its members, and %s has no host in it", n.Text)
	}
	d := diag.Errorf(n.At(), "component-host", "components of a group run on the one host of each member, and %s has %d hosts", n.Text, len(inside))
	for _, r := range inside {
		d = d.Via(r.Name.At(), "host %q", r.Name.Str())
	}
	return d
}

func nestedComponents(n *source.Node, r *hot.Resource) diag.Diagnostic {
	return diag.Errorf(n.At(), "component-host", "the group has components, and so has its member: resource %q in %s", r.Name.Str(), n.Text).
		With("keep them in one of the two places").Via(r.Name.At(), "resource %q", r.Name.Str())
}

func nestedByRegistry(n *source.Node, path string, typ *source.Node) diag.Diagnostic {
	return diag.Errorf(n.At(), "nested-components", "%s has something to compile, and %s stands for it by the environment's resource_registry, which names files that are not compiled", path, typ.Text).
		With("write the file's name as the type, or compile it by itself and name the result in the registry").
		Via(typ.At(), "type %s", typ.Text)
}

func nameClash(c *Component, id string) diag.Diagnostic {
	return diag.Errorf(c.Decl.Name.At(), "component-name", "a step of component %q would be called %s, and so is a resource", c.Name(), id).
		With("rename one of the two")
}

func unreadableType(path, name string, err error) diag.Diagnostic {
	return diag.Errorf(diag.Location{Path: path}, "unknown-component-type", "component type %q: %v", name, err)
}

func unknownType(n *source.Node) diag.Diagnostic {
	return diag.Errorf(n.At(), "unknown-component-type", "there is no component type %q, neither in component_types, nor in the environment's "+
		"resource_registry, nor in the library", n.Text)
}

// unknownParam suggests first of the inputs that have no value yet, then of all.
func unknownParam(n *source.Node, name string, c *Component, open, any string) diag.Diagnostic {
	d := diag.Errorf(n.At(), "unknown-component-param", "component type %q has no input %q", c.Type.Name.Str(), name)
	switch {
	case open != "":
		return d.With("did you mean %q?", open)
	case any != "":
		return d.With("did you mean %q?", any)
	case len(c.Type.Inputs) == 0:
		return d.With("it has none; remove the param, or declare the input")
	}
	return d.With("its inputs are %s", ioNames(c.Type.Inputs))
}

func missingParam(c *Component, name string) diag.Diagnostic {
	at := c.Decl.Name
	return diag.Errorf(at.At(), "missing-component-param", "component %q gives its type's input %q no value, and the input has no default", c.Name(), name).
		With("add %q to params", name)
}

func paramMismatch(c *Component, in *Input, why string) diag.Diagnostic {
	return diag.Errorf(in.Value.At(), "component-param-type", "param %q of component %q is for an input of type %s, and the value %s",
		in.Name, c.Name(), in.Decl.Type, why).Via(in.Decl.Name.At(), "the input")
}

func badDefault(t *hot.ComponentType, in *hot.IO, why string) diag.Diagnostic {
	return diag.Errorf(in.Default.At(), "component-type", "input %q of component type %q has type %s, and its default %s",
		in.Name.Str(), t.Name.Str(), in.Type, why)
}

func actionWithoutConfig(n *source.Node, c *Component) diag.Diagnostic {
	return diag.Errorf(n.At(), "component-action", "component %q wants to run at %s, but its type %q has no config for that", c.Name(), n.Str(), c.Type.Name.Str()).
		Via(c.Type.Name.At(), "component type %q", c.Type.Name.Str())
}

func nothingToRun(c *Component) diag.Diagnostic {
	return diag.Warnf(c.Decl.Name.At(), "component-action", "component %q never runs, because its type %q has no config", c.Name(), c.Type.Name.Str()).
		Via(c.Type.Name.At(), "component type %q", c.Type.Name.Str())
}

func incompleteRead(n *source.Node, h *Host, path []*source.Node) diag.Diagnostic {
	d := diag.Errorf(n.At(), "component-output", "what to read of the components of %q is not complete", h.Name())
	if len(path) >= 3 {
		d.Message = fmt.Sprintf("component and output read of %q must be written out: they decide what waits for what", h.Name())
	}
	return d.With("write {get_attr: [%s, components, NAME, OUTPUT]}", h.Name())
}

func unknownComponent(n *source.Node, h *Host) diag.Diagnostic {
	return diag.Errorf(n.At(), "unknown-component", "host %q has no component %q", h.Name(), n.Text)
}

func unknownOutput(n *source.Node, c *Component) diag.Diagnostic {
	return diag.Errorf(n.At(), "component-output", "component %q of type %q has no output %q", c.ID(), c.Type.Name.Str(), n.Text).
		With("its outputs are %s", listed(append(c.outputNames(), builtinOutputs...)))
}

func neverCreated(n *source.Node, c *Component) diag.Diagnostic {
	return diag.Errorf(n.At(), "component-output", "component %q does not run at CREATE, so there is no output to read", c.ID())
}

func unguardedRead(r *Read, condition *source.Node) diag.Diagnostic {
	always := "where its condition holds"
	if condition.Is(source.String) {
		always = fmt.Sprintf("where condition %q holds", condition.Text)
	}
	return diag.Warnf(r.Node.At(), "conditional-read", "component %q exists only %s; elsewhere this gives null", r.Component.ID(), always).
		With("put it into an if with the same condition").Via(condition.At(), "the condition")
}

// unknownDependency says what is wrong with an entry of a component's depends_on.
func (w *weaver) unknownDependency(c *Component, n *source.Node, host, component string, h *Host) diag.Diagnostic {
	if h != nil && component != "" {
		d := diag.Errorf(n.At(), "component-depends-on", "component %q depends on %q, and host %q has no component %q", c.Name(), n.Text, host, component)
		if near := w.nearest(component, h.componentNames()); near != "" {
			return d.With("did you mean %q?", host+"."+near)
		}
		return d.With("its components are %s", listed(h.componentNames()))
	}
	d := diag.Errorf(n.At(), "component-depends-on", "component %q depends on %q, which is neither a resource nor HOST.COMPONENT", c.Name(), n.Text)
	if sibling := c.Host.components[n.Text]; sibling != nil {
		return d.With("write %q for the component of the same host", sibling.ID())
	}
	if r := w.t.Resource(host); r != nil && component != "" {
		d.Message = fmt.Sprintf("component %q depends on %q, and resource %q has no components", c.Name(), n.Text, host)
	}
	return w.suggest(d, n.Text, w.dependencyNames())
}

func tooManyEdges(n *source.Node) diag.Diagnostic {
	return diag.Errorf(n.At(), "too-many-dependencies", "components and resources wait for each other in more than %d ways; the rest is left out", maxEdges).
		With("let one component wait for all, and the others for that one")
}

func ioNames(list []*hot.IO) string {
	var names []string
	for _, io := range list {
		names = append(names, io.Name.Str())
	}
	return listed(names)
}

// listed joins names, as many as a message can bear.
func listed(names []string) string {
	const most = 20
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}
