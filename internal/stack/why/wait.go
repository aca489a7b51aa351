package why

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
)

// wait is a wait condition that is looked at.
type wait struct {
	*Cause
	d       *doctor
	in      *half
	handle  *resource
	count   int
	timeout float64 // seconds; 0 where it is not known
	got     signals
	servers []*resource
	hosts   []*host // the servers, as Nova has them
	program program // of hotloom's runner; no steps where there is none
}

// lookAtWait follows the way from the server to the wait condition.
func lookAtWait(ctx context.Context, d *doctor, c *Cause) {
	w := &wait{Cause: c, d: d, in: d.templateOf(ctx, c.node), count: 1}
	w.read(ctx)
	if id, f, ok := w.got.failure(); ok {
		w.Kind = "step-failed"
		w.What = fmt.Sprintf("the signal %q says that it failed: %s", id, f.Reason)
		if w.stepNamed(id) != "" {
			w.What = "step " + f.Reason
		}
		w.Lines = f.log()
		w.Advice = "mend the script; the whole log is on the server"
		if w.program.host != "" {
			w.Advice += ", in /var/log/hotloom"
		}
		w.Steps = []Step{{"ran", Failed, f.Reason}, {"sent", Done, "the signal was sent"}, {"accepted", Done, "Heat took the signal"}}
		return
	}
	for _, s := range w.servers {
		w.hosts = append(w.hosts, w.d.look(ctx, s.path, s.PhysicalID))
	}
	w.follow(ctx)
	w.limits()
}

func (w *wait) read(ctx context.Context) {
	r := w.node
	if v, ok := value.Int(w.in.property(r.Name, "count")); ok {
		w.count = v
	} else if v, ok := value.Int(w.in.property(r.Name, "Count")); ok {
		w.count = v
	}
	for _, name := range []string{"timeout", "Timeout"} {
		if f, err := value.ToFloat(w.in.property(r.Name, name)); err == nil {
			w.timeout = f
		}
	}
	if w.in == nil {
		return
	}
	definition := w.in.template.Resource(r.Name)
	if definition == nil {
		return
	}
	for _, name := range []string{"handle", "Handle"} {
		for _, to := range w.in.refers(definition.Properties.Get(name)) {
			w.handle = w.d.sibling(r, to)
		}
	}
	var hosts []string
	if w.handle != nil {
		w.got = w.d.signalsAt(ctx, w.handle)
		hosts = w.in.reaching(w.handle.Name, w.isHost)
	} else {
		for _, n := range definition.DependsOn {
			hosts = append(hosts, n.Str())
		}
	}
	w.programOf(hosts)
	for _, name := range hosts {
		for _, s := range w.d.serversAt(w.d.sibling(r, name)) {
			if _, there := w.got.byID[s.PhysicalID]; !there { // members of groups signal under their own id
				w.servers = append(w.servers, s)
			}
		}
	}
}

// isHost reports whether a type is a server, or a stack that may have some.
func (w *wait) isHost(kind string) bool {
	return kind == serverType || strings.HasSuffix(kind, "Group") && strings.HasPrefix(kind, "OS::Heat::") || strings.Contains(kind, "://") || strings.HasSuffix(kind, ".yaml")
}

// serversAt are a resource itself if it is a server, or the servers in the stack that it is.
func (d *doctor) serversAt(r *resource) []*resource {
	if r == nil {
		return nil
	}
	if r.Type == serverType {
		return []*resource{r}
	}
	var out []*resource
	for _, c := range d.children[r.path] {
		out = append(out, d.serversAt(c)...)
	}
	return out
}

// programOf finds hotloom's program of the hosts.
func (w *wait) programOf(hosts []string) {
	for _, r := range w.in.template.Resources {
		for _, p := range programs(r.Properties) {
			if slices.Contains(hosts, p.host) || len(hosts) == 1 && len(p.steps) >= w.count {
				w.program = p
				return
			}
		}
	}
}

func (w *wait) stepNamed(id string) string {
	if slices.Contains(w.program.steps, id) {
		return id
	}
	return ""
}

// missing are the names of the steps that the condition waits for and that have not signalled; nil where they have no names.
func (w *wait) missing() []string {
	if len(w.program.steps) < w.count {
		return nil
	}
	var out []string
	for _, s := range w.program.steps[:w.count] {
		if _, there := w.got.byID[s]; !there {
			out = append(out, s)
		}
	}
	return out
}

// follow goes the steps until one is not done.
func (w *wait) follow(ctx context.Context) {
	if w.in != nil && w.handle != nil && len(w.hosts) == 0 && !w.enough() {
		if w.arrived(nil); w.Kind != "" || w.strayed(ctx) {
			return
		}
		w.Kind = "nobody-signals"
		w.What = "no server of the stack has " + w.handle.Name + " in its user data, so that nobody signals"
		w.Advice = "give the server the handle's curl_cli, endpoint or signal with get_attr, or signal by hand: hotloom stack signal"
		return
	}
	if len(w.hosts) == 0 {
		w.arrived(nil)
		if w.Kind == "" && w.in == nil {
			w.Kind, w.What = "no-signal", "no signal has come, or too few, and what it waits for cannot be seen"
			w.Advice = "ask somebody who may see the stack's template and the server's console"
		}
		return
	}
	h := w.slowest()
	steps := []Step{h.active(), h.booted()}
	started, ran, sent := w.onHost(h)
	w.Steps = append(steps, started, ran, sent, w.accepted())
	w.conclude(ctx, h)
}

// slowest is the host that has come least far.
func (w *wait) slowest() *host {
	best, far := w.hosts[0], 100
	for _, h := range w.hosts {
		started, ran, sent := w.onHost(h)
		n := 0
		for _, s := range []Step{h.active(), h.booted(), started, ran, sent} {
			if s.State == Done {
				n++
			}
		}
		if n < far {
			best, far = h, n
		}
	}
	return best
}

func (w *wait) enough() bool { return len(w.got.byID) >= w.count }

// accepted is the last step.
func (w *wait) accepted() Step {
	s := Step{Name: "accepted", Detail: fmt.Sprintf("Heat has %d of %d signals", len(w.got.byID), w.count)}
	switch {
	case !w.got.seen:
		s.Detail = "what Heat has got cannot be seen"
	case w.enough():
		s.State = Done
	default:
		s.State = Missing
	}
	if ids := w.got.ids(); len(ids) > 0 {
		s.Detail += ": " + strings.Join(ids, ", ")
	}
	return s
}

// onHost are the steps that a console tells of.
func (w *wait) onHost(h *host) (started, ran, sent Step) {
	started = Step{Name: "started", Detail: "the user data began to run"}
	ran = Step{Name: "ran", Detail: "what it does cannot be seen"}
	sent = Step{Name: "sent", Detail: "whether a signal was sent cannot be seen"}
	c := h.console
	switch {
	case c == nil:
		started.Detail = "whether the user data began to run cannot be seen"
		return started, ran, sent
	case c.started:
		started.State = Done
	default:
		started.State, started.Detail = Missing, "nothing on the console tells that the user data ran"
		ran.State, sent.State = Missing, Missing
		ran.Detail, sent.Detail = "it did not run", "nothing was sent"
		return started, ran, sent
	}
	if !c.runner {
		return started, ran, sent
	}
	host := w.program.host
	for _, step := range w.missing() {
		name := host + "." + step
		switch {
		case c.ended[name] != "" && c.ended[name] != "complete" && c.ended[name] != "left out by its condition":
			ran.State, ran.Detail = Failed, "step "+name+": "+c.ended[name]
		case c.ended[name] != "":
			ran.State, ran.Detail = Done, "step "+name+" is "+c.ended[name]
			continue
		case c.begun[name] != "":
			ran.State, ran.Detail = Running, "step "+name+" runs"
		default:
			ran.State, ran.Detail = Missing, "step "+name+" has not begun"
		}
		break
	}
	switch {
	case c.refused != "":
		sent.State, sent.Detail = Failed, "Heat does not take the signal (HTTP "+c.answer+")"
		if c.answer == "000" {
			sent.Detail = "no answer from Heat or Keystone to the signal"
		}
	case ran.State == Running || ran.State == Missing:
		sent.State, sent.Detail = Missing, "there is nothing to signal yet"
	}
	return started, ran, sent
}

// timedOut reports whether the time was over.
func (w *wait) timedOut() bool {
	text := w.Reason + " " + w.d.stack.Reason
	return strings.Contains(strings.ToLower(text), "timed out") || strings.Contains(text, "Timeout") || strings.Contains(text, " received")
}

// limits tells of times that do not fit each other.
func (w *wait) limits() {
	stackLimit := 0
	if t := w.d.stack.TimeoutMins; t != nil {
		stackLimit = *t * 60
	}
	if w.timeout == 0 || stackLimit == 0 || float64(stackLimit) > w.timeout {
		return
	}
	text := fmt.Sprintf("the stack's timeout (%d min) is shorter than that of %s (%g s), which therefore never counts", stackLimit/60, w.node.Name, w.timeout)
	if w.timedOut() && w.Kind != "server-error" && strings.Contains(strings.ToLower(w.Reason+w.d.stack.Reason), "timed out") {
		w.Kind = "stack-timeout"
	}
	w.What += "; " + text
	w.Advice = strings.TrimPrefix(w.Advice+"; raise --timeout of the stack above it", "; ")
}

// elapsed is how long it has been waited, or was.
func (w *wait) elapsed(ctx context.Context) time.Duration {
	end := w.d.Now()
	if !strings.HasSuffix(w.Status, "IN_PROGRESS") {
		end = w.node.Updated.Time
	}
	return end.Sub(w.d.began(ctx, w.node)).Round(time.Second)
}
