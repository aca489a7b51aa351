package cloudinit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

// program makes the host's script: the runner, into which Heat puts the host's program as JSON. JSON keeps every value
// whole and the text ASCII, which Heat needs to pass on the parts of a multipart user_data unharmed.
//
// Steps of a server share a handle: the number of signals tells how far the host is. On a group that number would have
// to be multiplied with the members', which HOT can not, so there each gate has a handle of its own.
//
// A handle's name ends with a digest of what the host does. Whatever changes the program makes Heat replace the server,
// and then the gates have to wait anew: only a handle of another name forgets the signals of the server before.
func (t *emitter) program(h *host) {
	t.Needs("2015-10-15", "target cloud-init")
	origin := h.Resource.Name
	var steps []*source.Node
	handles := 1
	if h.Kind == weave.Group {
		handles = 0
	}
	for _, s := range h.steps {
		if h.Kind == weave.Group {
			s.handle = -1
			if s.gate != "" {
				s.handle = handles
				handles++
			}
		}
		steps = append(steps, t.stepProgram(s))
	}
	list := source.NewList(origin, steps...)
	h.bytes = len(runner) + t.size(list)
	digest := t.digest(h, list)
	for _, s := range h.steps {
		switch {
		case h.Kind != weave.Group && len(h.handles) == 0:
			h.handles = append(h.handles, t.Name(h.name, "signal", digest))
		case h.Kind == weave.Group && s.gate != "":
			h.handles = append(h.handles, t.Name(h.name, s.Component.Name(), "signal", digest))
		}
	}
	var signals []*source.Node
	for _, name := range h.handles {
		signals = append(signals, plain.Call(origin, "get_attr", plain.Texts(origin, name, "signal")))
	}
	pairs := []source.Pair{source.P(origin, "host", plain.Text(origin, h.name))}
	if h.Kind == weave.Group {
		pairs = append(pairs, source.P(origin, "group", source.NewBool(origin, true)))
	}
	pairs = append(pairs, source.P(origin, "handles", source.NewList(origin, signals...)), source.P(origin, "steps", list))
	h.script = plain.Call(origin, "str_replace", source.NewMap(origin,
		source.P(origin, "template", plain.Call(origin, "get_file", plain.Text(origin, t.AddFile("hotloom/runner.sh", runner)))),
		source.P(origin, "params", source.NewMap(origin,
			source.P(origin, placeholder, source.NewMap(origin, pairs...))))))
}

// stepProgram is what the runner has to know of a step.
func (t *emitter) stepProgram(s *step) *source.Node {
	c := s.Component
	origin := c.Decl.Name
	common := []source.Pair{
		source.P(origin, "name", plain.Text(origin, c.Name())),
		source.P(origin, "deadline", source.NewInt(origin, s.deadline)),
	}
	if s.handle >= 0 {
		common = append(common, source.P(origin, "handle", source.NewInt(origin, int64(s.handle))))
	}
	full := append(common[:len(common):len(common)],
		source.P(origin, "timeout", source.NewInt(origin, c.Decl.Timeout)),
		source.P(origin, "config", t.Value(s.Config.Node, s.Step)))
	if c.Decl.OnFailure == hot.Continue {
		full = append(full, source.P(origin, "continue", source.NewBool(origin, true)))
	}
	full = append(full, t.inputs(s)...)
	add := func(key string, names []string) {
		if len(names) > 0 {
			full = append(full, source.P(origin, key, plain.Texts(origin, names...)))
		}
	}
	var outputs []string
	for _, o := range c.Type.Outputs {
		outputs = append(outputs, o.Name.Text)
	}
	add("outputs", outputs)
	add("data", t.carried(s))
	program := source.NewMap(origin, full...)
	if c.Decl.Condition == nil {
		return program
	}
	t.Needs("2016-10-14", "the condition of a component")
	skipped := source.NewMap(origin, append(common[:len(common):len(common)], source.P(origin, "skip", source.NewBool(origin, true)))...)
	condition := c.Decl.Condition
	return plain.Call(condition, "if", source.NewList(condition, condition, program, skipped))
}

// inputs gives the step's inputs, those of them that are outputs of the same host, and the names of secrets.
func (t *emitter) inputs(s *step) []source.Pair {
	var inputs, local []source.Pair
	var secret []string
	for _, in := range s.Component.Inputs {
		origin := in.Value
		if origin == nil {
			origin = s.Component.Decl.Name
		}
		if in.Secret {
			secret = append(secret, in.Name)
		}
		r := t.local[in]
		switch {
		case in.Value == nil:
			inputs = append(inputs, source.P(origin, in.Name, plain.Text(origin, "")))
		case r == nil:
			inputs = append(inputs, source.P(origin, in.Name, t.Value(in.Value, s.Step)))
		case t.steps[r.Component.Step("CREATE")] == nil:
			inputs = append(inputs, source.P(origin, in.Name, source.NewNull(origin)))
		default:
			from := t.steps[r.Component.Step("CREATE")]
			local = append(local, source.P(origin, in.Name, plain.Text(origin, strconv.Itoa(from.index)+"."+r.Output)))
		}
	}
	origin := s.Component.Decl.Name
	var out []source.Pair
	if len(inputs) > 0 {
		out = append(out, source.P(origin, "inputs", source.NewMap(origin, inputs...)))
	}
	if len(local) > 0 {
		out = append(out, source.P(origin, "local", source.NewMap(origin, local...)))
	}
	if len(secret) > 0 {
		out = append(out, source.P(origin, "secret", plain.Texts(origin, secret...)))
	}
	return out
}

// carried names the outputs that the step's signal carries: all that are declared, so that a new reader changes no
// user_data, but secrets, standard output and standard error only where something reads them.
func (t *emitter) carried(s *step) []string {
	wanted := t.wanted[s.Component]
	var names []string
	for _, o := range s.Component.Type.Outputs {
		if !plain.Hidden(o) || wanted[o.Name.Text] {
			names = append(names, o.Name.Text)
		}
	}
	for _, name := range []string{"deploy_stdout", "deploy_stderr"} {
		if wanted[name] {
			names = append(names, name)
		}
	}
	return names
}

// digest is short and differs where the host does something else. It depends on values, not on how they are written.
func (t *emitter) digest(h *host, steps *source.Node) string {
	data := t.canonical([]byte(runner), steps)
	sum := sha256.Sum256(t.canonical(data, t.authorUserData(h)))
	return hex.EncodeToString(sum[:])[:8]
}

// canonical appends a value such that other values give other bytes. A file counts by its content.
func (t *emitter) canonical(b []byte, n *source.Node) []byte {
	if n == nil {
		return append(b, '-')
	}
	text := n.Text
	if content, ok := t.Content(n); ok {
		return append(strconv.AppendInt(append(b, 'f'), int64(len(content)), 10), content...)
	}
	if n.Scalar != nil {
		text = fmt.Sprint(n.Scalar)
	}
	b = append(b, byte('0'+n.Kind))
	for _, size := range []int{len(text), len(n.Items), len(n.Pairs)} {
		b = append(strconv.AppendInt(b, int64(size), 10), ' ')
	}
	b = append(b, text...)
	for _, item := range n.Items {
		b = t.canonical(b, item)
	}
	for _, p := range n.Pairs {
		b = t.canonical(t.canonical(b, p.Key), p.Value)
	}
	return b
}

// size is how many bytes a value has in the JSON that Heat makes of it, as far as it is known: at least.
func (t *emitter) size(n *source.Node) int {
	switch {
	case n == nil:
		return 0
	case n.Kind == source.String:
		return 2 + jsonSize(n.Text)
	case n.Kind == source.List:
		total := 2
		for _, item := range n.Items {
			total += 2 + t.size(item)
		}
		return total
	case n.Kind == source.Map:
		if content, ok := t.Content(n); ok {
			return 2 + jsonSize(content)
		}
		if t.IsCall(n) {
			return 0
		}
		total := 2
		for _, p := range n.Pairs {
			total += 6 + len(p.Key.Text) + t.size(p.Value)
		}
		return total
	}
	return len(n.Text)
}

// jsonSize is the length of a string in ASCII JSON.
func jsonSize(s string) int {
	total := 0
	for _, r := range s {
		switch {
		case r == '"' || r == '\\' || r == '\n' || r == '\t' || r == '\r':
			total += 2
		case r < ' ' || r >= utf8.RuneSelf && r < 0x10000:
			total += 6
		case r >= 0x10000:
			total += 12
		default:
			total++
		}
	}
	return total
}
