package why

import (
	"context"
	"strings"
)

// lookAt is the way to look at resources of a type, nil where Heat's reason is all there is.
func lookAt(kind string) func(context.Context, *doctor, *Cause) {
	switch {
	case waits[kind]:
		return lookAtWait
	case deployments[kind]:
		return lookAtDeployment
	case kind == "OS::Mistral::ExternalResource":
		return lookAtWorkflow
	case kind == serverType:
		return lookAtServer
	}
	return nil
}

const serverType = "OS::Nova::Server"

// waits and deployments are the types that wait for something that happens on a server.
var (
	waits = map[string]bool{
		"OS::Heat::WaitCondition": true, "AWS::CloudFormation::WaitCondition": true,
	}
	deployments = map[string]bool{
		"OS::Heat::SoftwareDeployment": true, "OS::Heat::StructuredDeployment": true,
	}
)

// host is a server that something is waited for from.
type host struct {
	path    string
	id      string
	server  *server
	console *console
	denied  bool // its console cannot be seen
}

// look asks Nova for a server and its console.
func (d *doctor) look(ctx context.Context, path, id string) *host {
	h := &host{path: path, id: id}
	if id == "" || d.Compute == nil {
		if err := d.Missing["compute"]; err != nil {
			d.unseen("servers", err)
		}
		h.denied = true
		return h
	}
	var err error
	if h.server, err = d.Compute.server(ctx, id); err != nil {
		d.unseen("server "+path, err)
	}
	text, err := d.Compute.console(ctx, id)
	if err != nil {
		d.unseen("the console of server "+path, err)
		h.denied = true
		return h
	}
	h.console = parseConsole(text)
	return h
}

// active and booted are the first two steps.
func (h *host) active() Step {
	s := Step{Name: "active", Detail: "the server " + h.path + " is active"}
	switch {
	case h.server == nil:
		s.Detail = "whether the server " + h.path + " is active cannot be seen"
	case h.server.Status == "ACTIVE":
		s.State = Done
	case h.server.Status == "BUILD":
		s.State, s.Detail = Running, "the server "+h.path+" is being built"
		if h.server.Task != "" {
			s.Detail += " (" + h.server.Task + ")"
		}
	default:
		s.State, s.Detail = Failed, "the server "+h.path+" is "+h.server.Status
	}
	return s
}

func (h *host) booted() Step {
	s := Step{Name: "booted", Detail: "its console shows that it has booted"}
	switch {
	case h.console == nil:
		s.Detail = "its console cannot be seen"
	case h.console.empty:
		s.State, s.Detail = Missing, "the console of the server "+h.path+" is empty"
	case h.console.booted:
		s.State = Done
	default:
		s.State, s.Detail = Running, "its console shows the beginning of a boot"
	}
	return s
}

// lookAtServer tells what Nova says of a server.
func lookAtServer(ctx context.Context, d *doctor, c *Cause) {
	if d.Compute == nil || c.node.PhysicalID == "" {
		return
	}
	h := &host{path: c.Path, id: c.node.PhysicalID}
	var err error
	if h.server, err = d.Compute.server(ctx, h.id); err != nil {
		d.unseen("server "+h.path, err)
		return
	}
	if h.server.Fault.Message != "" {
		c.Reason = h.server.Fault.Message
		byReason(c)
		c.Kind, c.What = "server-"+strings.ToLower(h.server.Status), "Nova could not make the server: "+c.Reason
		return
	}
	if strings.HasSuffix(c.Status, "IN_PROGRESS") {
		c.Kind, c.What = "server-building", h.active().Detail
		c.Advice = "wait; if it stays so, the operator finds the reason in nova-compute's log"
	}
}
