package why

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
)

// conclude says what the first step that is not done means.
func (w *wait) conclude(ctx context.Context, h *host) {
	state := map[string]Step{}
	for _, s := range w.Steps {
		state[s.Name] = s
	}
	switch {
	case state["active"].State == Failed:
		w.Kind, w.What = "server-error", state["active"].Detail
		if h.server.Fault.Message != "" {
			w.What += ": " + h.server.Fault.Message
		}
		w.Advice = "start the server, or look at it in Nova: openstack server show " + h.id
	case state["active"].State == Running:
		w.Kind, w.What, w.Advice = "server-building", state["active"].Detail, "wait for the server"
	case state["booted"].State == Missing || state["booted"].State == Running:
		w.Kind, w.What = "not-booted", state["booted"].Detail
		w.Advice = "look at the server's screen (openstack console url show " + h.id + "); images need a serial console for a console log"
		w.clue(h)
	case state["ran"].State == Failed:
		w.Kind, w.What = "step-failed", state["ran"].Detail
		w.Advice = "mend the script; its log is on the server in /var/log/hotloom"
		w.Lines = h.console.tail(8)
		if state["sent"].State == Failed {
			w.What += "; and " + state["sent"].Detail
			w.unsent(ctx, h)
		}
	case state["sent"].State == Failed:
		w.unsent(ctx, h)
	case state["started"].State == Missing:
		w.Kind, w.What = "not-started", "the server has booted, and its user data did not run"
		w.Advice = "the image must have cloud-init; user data that is a script must begin with #!"
		w.clue(h)
	case state["ran"].State == Running && w.timedOut():
		w.Kind = "timeout-short"
		w.What = strings.TrimSuffix(state["ran"].Detail, " runs") + " was still running when the time was over"
		if w.timeout > 0 {
			w.What += fmt.Sprintf(", the %g s of %s", w.timeout, w.node.Name)
		}
		w.Advice = "raise the component's timeout, or find out why it takes so long: its log is on the server in /var/log/hotloom"
	case state["ran"].State == Running:
		w.Kind, w.What = "step-running", state["ran"].Detail+fmt.Sprintf(", for %v so far", w.elapsed(ctx))
		w.Advice = "wait"
		if w.timeout > 0 {
			w.Advice += fmt.Sprintf("; after %g s Heat gives up", w.timeout)
		}
	default:
		w.arrived(h)
		if w.Kind == "" && !w.strayed(ctx) {
			w.silent(ctx, h)
		}
	}
}

// arrived tells of signals that came and do not count.
func (w *wait) arrived(h *host) {
	switch {
	case w.enough() && strings.HasSuffix(w.Status, "IN_PROGRESS"):
		w.Kind, w.What, w.Advice = "signalled", "all signals are there: Heat goes on within seconds", "wait"
	case w.got.sent > len(w.got.byID) && len(w.got.byID) > 0:
		w.Kind = "signal-id"
		w.What = fmt.Sprintf("%d signals came, but with the same id (%s): Heat counts each id once, and waits for %d", w.got.sent, strings.Join(w.got.ids(), ", "), w.count)
		w.Advice = `give each signal an id of its own: {"status": "SUCCESS", "id": "…"}`
	case len(w.got.byID) > 0 && len(w.missing()) == 0 && len(w.program.steps) > 0:
		w.Kind = "signal-id"
		w.What = "signals came under ids that are not those of the steps: " + strings.Join(w.got.ids(), ", ")
		w.Advice = "update the stack with what hotloom compiles now"
	case len(w.got.byID) > 0 && h == nil:
		w.Kind = "signals-missing"
		w.What = fmt.Sprintf("only %d of %d signals came: %s", len(w.got.byID), w.count, strings.Join(w.got.ids(), ", "))
		w.Advice = "see which sender is missing, or lower count"
	}
}

// strayed finds signals that went to a handle that nobody waits for.
func (w *wait) strayed(ctx context.Context) bool {
	if w.in == nil || w.handle == nil {
		return false
	}
	for _, r := range w.in.template.Resources {
		if !handles[r.Type.Str()] || r.Name.Text == w.handle.Name {
			continue
		}
		waited := 0
		for _, c := range w.in.template.Resources {
			if waits[c.Type.Str()] && len(w.in.refers(c.Properties)) > 0 && contains(w.in.refers(c.Properties), r.Name.Text) {
				n := 1
				if v, ok := value.Int(w.in.property(c.Name.Text, "count")); ok {
					n = v
				}
				waited = max(waited, n)
			}
		}
		if got := w.d.signalsAt(ctx, w.d.sibling(w.node, r.Name.Text)); len(got.byID) > waited {
			w.Kind = "wrong-handle"
			w.What = fmt.Sprintf("signals came to %s, which %s does not wait for: its handle is %s", r.Name.Text, w.node.Name, w.handle.Name)
			w.Advice = "have the sender use " + w.handle.Name + ", or the condition wait for " + r.Name.Text
			return true
		}
	}
	return false
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// silent is where the user data ran, and nothing more can be seen.
func (w *wait) silent(ctx context.Context, h *host) {
	w.Kind = "no-signal"
	switch {
	case h.denied:
		w.What = "no signal came, and the console of the server cannot be seen"
		w.Advice = "on the server, /var/log/cloud-init-output.log tells; or ask somebody who may see the console"
		return
	case len(w.got.byID) > 0:
		w.What = fmt.Sprintf("only %d of %d signals came: %s", len(w.got.byID), w.count, strings.Join(w.got.ids(), ", "))
	default:
		w.What = "the user data ran on " + h.path + ", and no signal came"
	}
	w.Advice = "does its script signal at the end, and does it get that far? /var/log/cloud-init-output.log on the server tells"
	w.Lines = h.console.tail(5)
	w.clue(h)
	if w.timedOut() && w.timeout > 0 && w.timeout < 120 {
		w.Kind = "timeout-short"
		w.What = fmt.Sprintf("%s within the %g s of %s, which is little for a server to boot in", w.What, w.timeout, w.node.Name)
		w.Advice = "raise its timeout"
	}
	w.expired(ctx)
}

// clue takes over what a line on the console means.
func (w *wait) clue(h *host) {
	if h.console == nil {
		return
	}
	if c := h.console.worst(); c != nil {
		w.Kind, w.What, w.Advice, w.Lines = "console-"+c.sign.kind, c.sign.what, c.sign.advice, []string{c.line}
		if last := h.console.clues[len(h.console.clues)-1]; last.line != c.line {
			w.Lines = append(w.Lines, last.line)
		}
	}
}

// unsent says why Heat does not take a signal of hotloom's runner.
func (w *wait) unsent(ctx context.Context, h *host) {
	if w.Kind == "" {
		w.What = "the step is done, and its signal does not reach Heat"
	}
	kind, why, advice := "signal-refused", "", ""
	switch h.console.answer {
	case "000":
		kind, why = "unreachable", "the server gets no answer from Keystone or Heat"
		advice = "the public endpoints must be reachable from the server: check router, security groups, proxy and names"
	case "401":
		kind, why = "expired", "Keystone or Heat refuses the login of the handle's user"
		advice = "the handle or its stack user may have been replaced: update the stack so that the server is made anew"
	case "403":
		kind, why = "forbidden", "the handle's user may not signal"
		advice = "the operator must allow the role heat_stack_user to signal (policy cloudformation and stacks:signal)"
	case "404":
		kind, why = "wrong-address", "the address that the server signals to is not there (any more)"
		advice = "the handle was replaced since the server was made: update the stack so that the server is made anew"
	default:
		why, advice = "Heat answers "+h.console.answer, "the operator finds the reason in heat-api's log"
	}
	if w.Kind == "" {
		w.Kind, w.Advice = kind, advice
	} else {
		w.Advice += "; " + advice
	}
	w.What += ": " + why
	w.Lines = append(w.Lines, h.console.refused)
	w.reachable(ctx, h)
}

// reachable looks at the endpoint that servers get.
func (w *wait) reachable(ctx context.Context, h *host) {
	if h.console.answer != "000" || w.handle == nil {
		return
	}
	r, err := w.d.Heat.Resource(ctx, w.handle.Stack(), w.handle.Name, "endpoint")
	if err != nil {
		return
	}
	u, err := url.Parse(strings.Trim(string(r.Attributes["endpoint"]), `"`))
	if err != nil {
		return
	}
	if name := u.Hostname(); name == "localhost" || strings.HasPrefix(name, "127.") {
		w.What += "; Heat gave it the address " + u.Scheme + "://" + u.Host + ", which on a server is the server itself"
		w.Advice = "the operator must set the public endpoint of orchestration to one that servers reach"
	}
}

// lifetimes are how long what a handle gives is good for, by signal_transport, where it ends at all.
var lifetimes = map[string]string{
	"TOKEN_SIGNAL": "its token ends with the life that Keystone gives tokens, often one hour",
	"CFN_SIGNAL":   "its signed address is good for 15 minutes on many clouds",
}

// expired warns of credentials that may have ended before the signal.
func (w *wait) expired(ctx context.Context) {
	if w.in == nil || w.handle == nil {
		return
	}
	transport, _ := w.in.property(w.handle.Name, "signal_transport").(string)
	if transport == "" {
		transport = "TOKEN_SIGNAL"
	}
	least := 3600.0
	if strings.HasPrefix(w.handle.Type, "AWS::") || transport == "CFN_SIGNAL" {
		transport, least = "CFN_SIGNAL", 900
	}
	if ends := lifetimes[transport]; ends != "" && w.elapsed(ctx).Seconds() > least {
		w.Kind = "expired"
		w.What += "; " + ends + ", and it has been longer"
		w.Advice = "signal_transport: HEAT_SIGNAL or TEMP_URL_SIGNAL does not end; " + w.Advice
	}
}
