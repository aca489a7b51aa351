package lint

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

var waitConditions = &Check{"wait-conditions", checkWaitConditions}

var waitWithoutSender = &Rule{
	ID: "wait-condition-without-sender", Severity: diag.Warning, Check: waitConditions,
	Summary: "Nothing but the wait condition uses its handle, so nothing can send the signal.",
	Heat:    "The stack waits for the whole timeout and fails.",
}

var waitTooLong = &Rule{
	ID: "wait-condition-timeout", Severity: diag.Warning, Check: waitConditions,
	Summary: "A wait condition waits longer than a stack or the token of its handle usually lives.",
	Heat: "A stack times out after an hour unless its user asks for more; a token signal cannot be sent once the Keystone token has " +
		"expired.",
}

var waitBeforeSender = &Rule{
	ID: "wait-condition-before-sender", Severity: diag.Info, Check: waitConditions,
	Summary: "A wait condition does not depend on the resource that sends its signal.",
	Heat:    "The timeout runs from the moment the condition is created, which may be long before the server is.",
}

// stackTimeout is stack_action_timeout's default in seconds.
const stackTimeout = 3600

var (
	waitTypes   = map[string]string{"OS::Heat::WaitCondition": "handle", "AWS::CloudFormation::WaitCondition": "Handle", "OS::Heat::SwiftSignal": "handle"}
	handleTypes = map[string]bool{
		"OS::Heat::WaitConditionHandle": true, "AWS::CloudFormation::WaitConditionHandle": true, "OS::Heat::SwiftSignalHandle": true,
		"OS::Heat::UpdateWaitConditionHandle": true,
	}
)

func checkWaitConditions(p *Pass) {
	for _, r := range p.Template.Resources {
		t := p.typeOf(r)
		if t == nil || waitTypes[t.Name] == "" {
			continue
		}
		p.waitTimeout(r)
		handle := p.referred(r.Properties.Get(waitTypes[t.Name]))
		if handle == nil || !p.isA(handle, handleTypes) {
			continue
		}
		senders := p.senders(handle, r)
		if len(senders) == 0 {
			if !p.usedOutside(handle) {
				p.report(diag.Warnf(r.Name.At(), "wait-condition-without-sender", "nothing uses the handle %q, so nothing can send the signal that %q waits for",
					handle.Name.Text, r.Name.Text).With("pass the handle's curl_cli, signal or endpoint to a server").Via(handle.Name.At(), "the handle"))
			}
			continue
		}
		if !p.dependsOn(r, func(d *hot.Resource) bool { return senders[d] }) {
			for sender := range senders {
				p.report(diag.Infof(r.Name.At(), "wait-condition-before-sender", "the timeout of %q begins before %q exists", r.Name.Text, sender.Name.Text).
					With("add depends_on: %s", sender.Name.Text))
				break
			}
		}
	}
}

// senders are the resources that use the handle and could signal, the condition itself left out.
func (p *Pass) senders(handle, condition *hot.Resource) map[*hot.Resource]bool {
	out := map[*hot.Resource]bool{}
	for _, u := range p.index.resources[handle.Name.Text] {
		if u.res != nil && u.res != condition && !waiting(p, u.res) {
			out[u.res] = true
		}
	}
	return out
}

func waiting(p *Pass, r *hot.Resource) bool {
	t := p.typeOf(r)
	return t != nil && waitTypes[t.Name] != ""
}

// usedOutside reports whether an output or a component shows the handle to somebody else.
func (p *Pass) usedOutside(handle *hot.Resource) bool {
	for _, u := range p.index.resources[handle.Name.Text] {
		if u.out != nil {
			return true
		}
	}
	return false
}

// referred is the resource that a value refers to, or nil.
func (p *Pass) referred(n *source.Node) *hot.Resource {
	for _, r := range function.References(p.Version, n) {
		if r.Kind == function.Resource || r.Kind == function.ParameterOrResource {
			return p.Template.Resource(r.Target.Text)
		}
	}
	return nil
}

func (p *Pass) isA(r *hot.Resource, types map[string]bool) bool {
	t := p.typeOf(r)
	return t != nil && types[t.Name]
}

func (p *Pass) waitTimeout(r *hot.Resource) {
	n := r.Properties.Get("timeout")
	if n == nil {
		n = r.Properties.Get("Timeout")
	}
	if n == nil {
		return
	}
	f := p.resolve(n, discard)
	if f.node == nil {
		return
	}
	v, ok := toInteger(valueOf(f.node))
	seconds, isInt := v.(int64)
	if ok && isInt && seconds > stackTimeout {
		p.report(diag.Warnf(n.At(), "wait-condition-timeout", "%d s is longer than the hour after which a stack fails by default", seconds).
			With("shorten it, or create the stack with a longer --timeout"))
	}
}
