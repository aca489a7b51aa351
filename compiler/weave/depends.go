package weave

import (
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/graph"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// resolveDependsOn reads the depends_on of resources and of components.
func (w *weaver) resolveDependsOn() {
	for _, r := range w.t.Resources {
		for _, n := range r.DependsOn {
			w.resourceDependsOn(r, n)
		}
	}
	for _, h := range w.p.Hosts {
		for _, c := range h.Components {
			for _, n := range c.Decl.DependsOn {
				w.componentDependsOn(c, n)
			}
		}
	}
}

// resourceDependsOn lets a resource wait for another one, and where that is a host for the host's software.
func (w *weaver) resourceDependsOn(r *hot.Resource, n *source.Node) {
	target := w.t.Resource(n.Text)
	if target == nil {
		return // said by compiler/function
	}
	by := reader{resource: r}
	w.wait(by, link{resource: target, reason: graph.DependsOn, at: n})
	h := w.p.hosts[n.Text]
	if h == nil {
		return
	}
	w.wait(by, link{host: h, reason: graph.DependsOn, at: n})
	w.p.Followers = append(w.p.Followers, &Follower{Resource: r, At: n, Host: h})
}

// componentDependsOn lets a component wait for HOST.COMPONENT, for all components of HOST, or for a resource.
func (w *weaver) componentDependsOn(c *Component, n *source.Node) {
	by := reader{component: c}
	if target := w.t.Resource(n.Text); target != nil {
		h := w.p.hosts[n.Text]
		if h == nil {
			w.wait(by, link{resource: target, reason: graph.DependsOn, at: n})
			return
		}
		w.wait(by, link{host: h, reason: graph.DependsOn, at: n})
		return
	}
	host, component := splitName(n.Text)
	h := w.p.hosts[host]
	if h != nil && h.components[component] != nil {
		w.wait(by, link{component: h.components[component], reason: graph.DependsOn, at: n})
		return
	}
	w.add(w.unknownDependency(c, n, host, component, h))
}

// splitName splits HOST.COMPONENT at its last dot: names of resources may have dots, those of components do not.
func splitName(name string) (host, component string) {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return name[:i], name[i+1:]
	}
	return name, ""
}

// dependencyNames are all that a component's depends_on can name.
func (w *weaver) dependencyNames() []string {
	if w.nodeNames == nil {
		w.nodeNames = w.resourceNames(func(*hot.Resource) bool { return true })
		for _, h := range w.p.Hosts {
			for _, c := range h.Components {
				w.nodeNames = append(w.nodeNames, c.ID())
			}
		}
		slices.Sort(w.nodeNames)
	}
	return w.nodeNames
}
