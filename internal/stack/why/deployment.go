package why

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hotloom/hotloom/internal/stack"
)

// lookAtDeployment follows the way from a software deployment to its server and back.
func lookAtDeployment(ctx context.Context, d *doctor, c *Cause) {
	if c.node.PhysicalID == "" {
		return
	}
	dep, err := d.Heat.Deployment(ctx, c.node.PhysicalID)
	if err != nil {
		d.unseen("the deployment "+c.Path, err)
		return
	}
	cancelled := dep.Status == "FAILED" && strings.Contains(dep.Reason, "cancelled") // Heat itself, when the time was over
	if dep.Status == "FAILED" && !cancelled {
		failedDeployment(c, dep)
		return
	}
	if dep.Status != "IN_PROGRESS" && !cancelled {
		c.Kind, c.What, c.Advice = "signalled", "the deployment has signalled ("+dep.Status+"): Heat goes on within seconds", "wait"
		return
	}
	path := d.pathOf(dep.ServerID)
	h := d.look(ctx, path, dep.ServerID)
	offered, asked := d.offered(ctx, dep)
	started := Step{Name: "started", Detail: "whether the agent runs cannot be seen"}
	if h.console != nil {
		started.State, started.Detail = Missing, "nothing on the console tells of an agent (os-collect-config)"
		if h.console.agent {
			started.State, started.Detail = Done, "the console shows the agent"
		}
	}
	others := d.signalledOn(ctx, dep)
	if others > 0 {
		started.State, started.Detail = Done, fmt.Sprintf("the agent runs: %d other deployments on this server have signalled", others)
	}
	ran := Step{Name: "ran", Detail: "whether it runs cannot be seen"}
	if asked && !offered {
		ran.State, ran.Detail = Missing, "the server's metadata does not have it"
	}
	c.Steps = []Step{
		h.active(), h.booted(), started, ran,
		{"sent", Unknown, "whether it was signalled cannot be seen"},
		{"accepted", Missing, "Heat has no signal of it"},
	}
	concludeDeployment(d, c, dep, h, started, asked && !offered)
}

// failedDeployment tells what a step said of its failure.
func failedDeployment(c *Cause, dep *stack.Deployment) {
	text := func(name string) string {
		var s string
		_ = json.Unmarshal(dep.Outputs[name], &s)
		return s
	}
	c.Kind, c.What = "step-failed", "the step failed: "+dep.Reason
	if why := text("hotloom_failure"); why != "" {
		c.What = "step " + why
	} else if code := strings.Trim(string(dep.Outputs["deploy_status_code"]), `"`); code != "" && code != "null" {
		c.What = "the step failed with exit code " + code
	}
	c.Advice = "mend the script; its output is in the deployment: openstack software deployment output show --all " + dep.ID
	for _, name := range []string{"deploy_stderr", "deploy_stdout"} {
		var lines []string
		for line := range strings.Lines(text(name)) {
			if line = printable(line); line != "" {
				lines = append(lines, line)
			}
		}
		if len(lines) > 0 {
			c.Lines = lines[max(0, len(lines)-10):]
			break
		}
	}
	c.Steps = []Step{{"ran", Failed, c.What}, {"sent", Done, "it was signalled"}, {"accepted", Done, "Heat took the signal"}}
}

// pathOf names the server of an id.
func (d *doctor) pathOf(server string) string {
	for _, r := range d.all {
		if r.PhysicalID == server {
			return r.path
		}
	}
	return server
}

// offered reports whether the agent on the server gets the deployment, and whether that could be asked.
func (d *doctor) offered(ctx context.Context, dep *stack.Deployment) (offered, asked bool) {
	configs, err := d.Heat.DeploymentMetadata(ctx, dep.ServerID)
	if err != nil {
		d.unseen("what the agent of server "+d.pathOf(dep.ServerID)+" gets", err)
		return false, false
	}
	for _, c := range configs {
		if c.ID == dep.ConfigID {
			return true, true
		}
		for _, in := range c.Inputs {
			if strings.Contains(string(in), dep.ID) {
				return true, true
			}
		}
	}
	return false, true
}

// signalledOn counts the other deployments on the same server that have come to an end.
func (d *doctor) signalledOn(ctx context.Context, dep *stack.Deployment) int {
	all, err := d.Heat.Deployments(ctx, dep.ServerID)
	if err != nil {
		d.unseen("the deployments on server "+d.pathOf(dep.ServerID), err)
		return 0
	}
	n := 0
	for _, other := range all {
		if other.ID != dep.ID && other.ServerID == dep.ServerID && (other.Status == "COMPLETE" || other.Status == "FAILED") && len(other.Outputs) > 0 {
			n++
		}
	}
	return n
}

func concludeDeployment(d *doctor, c *Cause, dep *stack.Deployment, h *host, started Step, notOffered bool) {
	w := &wait{Cause: c, d: d}
	active, booted := h.active(), h.booted()
	switch {
	case active.State == Failed:
		c.Kind, c.What = "server-error", active.Detail
		c.Advice = "start the server, or look at it in Nova: openstack server show " + dep.ServerID
	case active.State == Running:
		c.Kind, c.What, c.Advice = "server-building", active.Detail, "wait for the server"
	case booted.State == Missing && started.State != Done:
		c.Kind, c.What = "not-booted", booted.Detail
		c.Advice = "look at the server's screen (openstack console url show " + dep.ServerID + ")"
	case started.State == Missing:
		c.Kind, c.What = "no-agent", "no agent runs on "+h.path+", so that nobody fetches the deployment"
		c.Advice = "take an image with Heat's agent (os-collect-config, heat-agents), or compile for images as they are: --target cloud-init"
		w.clue(h)
	case notOffered:
		c.Kind, c.What = "not-offered", "the server's metadata does not have the deployment"
		c.Advice = "the server needs user_data_format: SOFTWARE_CONFIG, and a software_config_transport that the agent uses"
	default:
		c.Kind, c.What = "step-running", "the agent has the deployment, or gets it at its next poll, and has not signalled"
		c.Advice = "on the server, journalctl -u os-collect-config and /var/log/heat-config tell what it does"
		if d.stack.State() == "FAILED" {
			c.Kind, c.What = "no-signal", "the deployment did not signal before the stack's time was over"
			c.Advice = "raise --timeout of the stack, or find out what it waited for: " + c.Advice
		}
		w.clue(h)
	}
}
