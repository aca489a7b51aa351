package workflow

import (
	"sort"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
)

// stdActions are Mistral's own actions with their inputs; true are those that must be given.
var stdActions = map[string]ActionInputs{
	"std.noop":       {},
	"std.async_noop": {},
	"std.echo":       {"output": true, "delay": false},
	"std.fail":       {"error_data": false},
	"std.sleep":      {"seconds": false},
	"std.test_dict":  {"size": false, "key_prefix": false, "val": false},
	"std.http":       httpInputs, "std.mistral_http": httpInputs,
	"std.email": {
		"from_addr": true, "to_addrs": true, "smtp_server": true, "reply_to": false, "cc_addrs": false, "bcc_addrs": false,
		"smtp_password": false, "subject": false, "body": false, "html_body": false,
	},
	"std.ssh": {
		"cmd": true, "host": true, "username": true, "password": false, "private_key_filename": false, "private_key": false,
		"return_result_on_error": false,
	},
	"std.ssh_proxied": {
		"cmd": true, "host": true, "username": true, "private_key_filename": true, "gateway_host": true, "gateway_username": false,
		"password": false, "proxy_command": false, "private_key": false,
	},
	"std.javascript": {"script": true, "context": false},
	"std.js":         {"script": true, "context": false},
}

var httpInputs = ActionInputs{
	"url": true, "method": false, "params": false, "body": false, "json": false, "headers": false, "cookies": false, "auth": false,
	"timeout": false, "allow_redirects": false, "proxies": false, "verify": false,
}

// StdAction gives the inputs of one of Mistral's own actions.
func StdAction(name string) (ActionInputs, bool) {
	in, ok := stdActions[name]
	return in, ok
}

func inputsOf(params []Param) ActionInputs {
	out := ActionInputs{}
	for _, p := range params {
		out[p.Name] = !p.HasDefault
	}
	return out
}

// Takes gives the inputs that calls of the action may have.
func (a *Action) Takes() ActionInputs { return inputsOf(a.Input) }

// inputs finds what an action takes: one of this document, or one that is known otherwise.
func (l *linter) inputs(w *Workflow, name string) (in ActionInputs, open, ok bool) {
	for _, a := range l.doc.Actions {
		if a.FullName() == name || a.Workbook != "" && a.Workbook == w.Workbook && a.Name == name {
			return a.Takes(), false, true
		}
	}
	if l.opts.Actions != nil {
		if in, ok := l.opts.Actions(name); ok {
			return in, false, true
		}
	}
	if sig := l.opts.Provided[name]; sig != nil {
		return inputsOf(sig.Inputs), sig.Open, true
	}
	return KnownAction(name)
}

// misspelt is how many letters a name may differ from an action's to be taken for a slip and not for another release's.
const misspelt = 2

// unknown tells of an action that does not exist as far as one can tell. It is an error where the name is a slip away from
// an action of a service that is known whole; else Mistral may have it: services lose and win actions from release to
// release, and ad-hoc actions have any name.
func (l *linter) unknown(t *Task) {
	if t.Action == "" || strings.ContainsAny(t.Action, "<{") {
		return
	}
	near, certain := NearestAction(t.Action)
	if mine := l.namesake(t.Action); len(mine) > 0 {
		near, certain = diag.Nearest(t.Action, mine), true
	}
	if near == "" && !certain {
		return
	}
	if certain && near != "" && diag.Distance(t.Action, near) <= misspelt {
		d := diag.Errorf(t.CallAt(), "workflow-misspelt-action", "there is no action %s", t.Action)
		d.Suggestion = "did you mean " + near + "?"
		l.findings.Add(d)
		return
	}
	d := l.warn(t.CallAt(), "workflow-unknown-action", "Mistral has no action %s of its own, and nothing here defines it", t.Action)
	if near != "" {
		d.Suggestion = "did you mean " + near + "?"
	}
}

// namesake are the actions of providers in the same namespace as a name.
func (l *linter) namesake(name string) []string {
	space, _, dotted := strings.Cut(name, ".")
	var out []string
	for known := range l.opts.Provided {
		if dotted && strings.HasPrefix(known, space+".") {
			out = append(out, known)
		}
	}
	sort.Strings(out)
	return out
}

// calls compares what tasks hand to actions and workflows with what these take.
func (l *linter) calls(w *Workflow) {
	for _, t := range w.Tasks {
		l.bareWords(t)
		given, isMap := t.Input.(*value.Map)
		if t.Input != nil && !isMap {
			continue // an expression
		}
		if given == nil {
			given = value.NewMap(0)
		}
		at := t.CallAt()
		switch {
		case t.Workflow != "":
			for _, sub := range l.doc.Workflows {
				if sub.FullName() == t.Workflow || sub.Workbook != "" && sub.Workbook == w.Workbook && sub.Name == t.Workflow {
					// What it does not declare becomes a parameter, so only what is missing is wrong.
					l.missing(at, "workflow", t.Workflow, inputsOf(sub.Input), given)
				}
			}
		default:
			in, open, ok := l.inputs(w, t.Action)
			if !ok {
				l.unknown(t)
				continue
			}
			l.missing(at, "action", t.Action, in, given)
			for k := range given.All() {
				name := value.Str(k) // a number or a boolean passes Mistral's schema
				if _, declared := in[name]; !declared && !open {
					d := l.warn(t.inputAt(name), "workflow-action-input", "action %s has no input %q; the task and the workflow fail", t.Action, name)
					if near := diag.Nearest(name, in.names()); near != "" {
						d.Suggestion = "did you mean " + near + "?"
					}
				}
			}
		}
	}
}

func (in ActionInputs) names() []string {
	out := make([]string, 0, len(in))
	for name := range in {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}

func (l *linter) missing(at diag.Location, what, name string, in ActionInputs, given *value.Map) {
	var missing []string
	for _, n := range in.names() {
		if _, ok := given.GetStr(n); in[n] && !ok {
			missing = append(missing, n)
		}
	}
	if len(missing) > 0 {
		l.warn(at, "workflow-action-input", "%s %s needs %s; the task and the workflow fail", what, name, strings.Join(missing, ", "))
	}
}

// CallAt is where a task says what it runs.
func (t *Task) CallAt() diag.Location {
	for _, key := range []string{"action", "workflow"} {
		if n := t.Node.Get(key); n != nil {
			return n.At()
		}
	}
	return t.At
}

func (t *Task) inputAt(name string) diag.Location {
	if p := t.Node.Get("input").Pair(name); p != nil {
		return p.Key.At()
	}
	return t.CallAt()
}

// bareWord is a parameter whose value Mistral does not see as one.
var bareWord = lazyregexp.New(`(?:^|[\s])([-\pL\pN_]+)=([^\s"'<{\[][^\s]*)`)

func (l *linter) bareWords(t *Task) {
	for _, key := range []string{"action", "workflow"} {
		n := t.Node.Get(key)
		if !n.Is(source.String) {
			continue
		}
		_, params, ok := ParseCommand(n.Text)
		for _, m := range bareWord().FindAllStringSubmatchIndex(n.Text, -1) {
			name, text := n.Text[m[2]:m[3]], n.Text[m[4]:m[5]]
			seen, found := any(nil), false
			if ok {
				seen, found = params.GetStr(name)
			}
			switch {
			case !found:
				write := `"` + text + `"`
				if lower, ok := map[string]string{"True": "true", "False": "false", "None": "null"}[text]; ok {
					write = lower
				}
				l.advise(n.Inside(m[2]), "workflow-bare-word", "write "+name+"="+write, "Mistral does not see the parameter %s: a bare word is no value", name)
			case value.Str(seen) != text && text != "true" && text != "false" && text != "null":
				l.advise(n.Inside(m[2]), "workflow-bare-word", "give it under input", "Mistral sees only %s of the value %s", value.Str(seen), text)
			}
		}
	}
}
