package workflow

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
)

// Mistral's limits of task names: a column of its database, and a lock whose name holds a join task's.
const (
	maxTaskName = 255
	maxJoinName = 208
)

func (p *parser) task(pair source.Pair, w *Workflow) *Task {
	n := pair.Value
	t := &Task{Name: pair.Key.Text, Node: n, At: pair.Key.At(), KeepResult: true}
	if t.Name == "" {
		p.add(emptyName(t.At, "a task"))
	}
	if w.Reverse {
		p.shape(n, reverseTask)
	} else {
		p.shape(n, directTask)
	}
	t.Description = n.Get("description").Str()
	t.Tags = texts(n.Get("tags"))
	t.Target = n.Get("target").Str()
	for _, key := range []string{"input", "publish", "publish-on-error", "publish-on-skip", "keep-result", "safe-rerun"} {
		p.expressions(n.Get(key))
	}
	t.Publish = optionalMapping(n.Get("publish"))
	t.PublishOnError = optionalMapping(n.Get("publish-on-error"))
	t.PublishOnSkip = optionalMapping(n.Get("publish-on-skip"))
	if keep := n.Get("keep-result"); keep != nil {
		t.KeepResult = value.Truth(Value(keep))
	}
	t.SafeRerun = optional(n.Get("safe-rerun"))
	p.call(t)
	p.withItems(t)
	t.Policies = p.policies(n)
	if w.Reverse {
		t.Requires = texts(n.Get("requires"))
	} else {
		t.Join = joinOf(n.Get("join"))
		p.clauses(t)
	}
	limit := maxTaskName
	if t.Join.Is() {
		limit = maxJoinName
	}
	if length := utf8.RuneCountInString(t.Name); length > limit {
		p.add(nameTooLong(t, length, limit))
	}
	t.Spec = taskSpec(t, w)
	return t
}

func optional(n *source.Node) any {
	if n.IsNull() {
		return nil
	}
	return Value(n)
}

func joinOf(n *source.Node) Join {
	switch {
	case n == nil:
	case n.Kind == source.String && n.Text == "all":
		return Join{All: true}
	case n.Kind == source.String && n.Text == "one":
		return Join{Count: 1}
	case n.Kind == source.Int || n.Kind == source.Float:
		switch v := n.Scalar.(type) {
		case int64:
			return Join{Count: float64(v)}
		case float64:
			return Join{Count: v}
		}
	}
	return Join{}
}

func (p *parser) clauses(t *Task) {
	for _, c := range []struct {
		key string
		to  **Clause
	}{{"on-complete", &t.OnComplete}, {"on-success", &t.OnSuccess}, {"on-error", &t.OnError}, {"on-skip", &t.OnSkip}} {
		*c.to = p.clause(t.Node.Get(c.key))
	}
}

// call reads action or workflow with its inline parameters, and input.
func (p *parser) call(t *Task) {
	n := t.Node
	input := n.Get("input")
	switch {
	case input.Is(source.Map):
		t.Input = mapping(input)
	case input.Is(source.String):
		t.Input = input.Text
	}
	call := n.Get("action")
	if !call.Is(source.String) || call.Text == "" {
		call = n.Get("workflow")
	}
	if !call.Is(source.String) || call.Text == "" {
		t.Action = "std.noop"
		return
	}
	name, params, ok := p.command(call)
	if !ok {
		return
	}
	if call == n.Get("action") {
		t.Action = name
	} else {
		t.Workflow = name
	}
	if params.Len() == 0 {
		return
	}
	if input.Is(source.String) {
		p.add(inputIsText(input))
		return
	}
	own, _ := t.Input.(*value.Map)
	t.Input = Merge(orEmpty(own), params)
}

func orEmpty(m *value.Map) *value.Map {
	if m == nil {
		return value.NewMap(0)
	}
	return m
}

var withItems = lazyregexp.New(`^` + pySpace + `*([\pL\pN_-]+)` + pySpace + `*in` + pySpace + `*(\[.+\]|` + jinjaPattern + `|` + yaqlPattern + `)`)

func (p *parser) withItems(t *Task) {
	n := t.Node.Get("with-items")
	if n == nil {
		return
	}
	items := []*source.Node{n}
	if n.Kind == source.List {
		items = n.Items
	}
	for _, item := range items {
		if item.Kind != source.String {
			continue // the shape has been reported
		}
		m := withItems().FindStringSubmatchIndex(item.Text)
		if m == nil {
			p.add(badItems(item))
			continue
		}
		name, list := item.Text[m[2]:m[3]], item.Text[m[4]:m[5]]
		part := *item
		part.Text = list
		at := item.Inside(m[4])
		part.Start, part.Style = at.Start, source.Plain
		before := len(p.findings)
		p.expression(&part)
		entry := Items{Var: name, List: list}
		if strings.HasPrefix(list, "[") && len(p.findings) == before {
			decoded, err := value.ParseJSON(list)
			if err != nil {
				p.add(badItemList(&part, list, err))
				continue
			}
			entry.List = decoded
		}
		t.setItems(entry)
	}
}

// setItems adds a variable; one named twice keeps its first place and the last list.
func (t *Task) setItems(entry Items) {
	for i := range t.WithItems {
		if t.WithItems[i].Var == entry.Var {
			t.WithItems[i] = entry
			return
		}
	}
	t.WithItems = append(t.WithItems, entry)
}

func (p *parser) policies(n *source.Node) Policies {
	for _, key := range []string{"wait-before", "wait-after", "timeout", "pause-before", "concurrency", "fail-on"} {
		p.expressions(n.Get(key))
	}
	return Policies{
		WaitBefore: optional(n.Get("wait-before")), WaitAfter: optional(n.Get("wait-after")), Timeout: optional(n.Get("timeout")),
		PauseBefore: optional(n.Get("pause-before")), Concurrency: optional(n.Get("concurrency")), FailOn: optional(n.Get("fail-on")),
		Retry: p.retry(n.Get("retry")),
	}
}

func (p *parser) retry(n *source.Node) *Retry {
	var m *value.Map
	switch {
	case n.Is(source.Map):
		m = mapping(n)
		p.expressions(n)
	case n.Is(source.String) && n.Text != "":
		_, params, ok := p.command(n)
		if !ok {
			return nil
		}
		if !p.shape(nodeOf(params, n), retryShape) {
			return nil
		}
		m = params
	default:
		return nil
	}
	get := func(key string) any {
		v, _ := m.GetStr(key)
		return v
	}
	return &Retry{Count: get("count"), Delay: get("delay"), BreakOn: get("break-on"), ContinueOn: get("continue-on")}
}

// nodeOf makes a node of inline parameters, so that they can be checked as if they were written out.
func nodeOf(params *value.Map, origin *source.Node) *source.Node {
	var pairs []source.Pair
	for k, v := range params.All() {
		pairs = append(pairs, source.P(origin, k.(string), nodeOfValue(v, origin)))
	}
	return source.NewMap(origin, pairs...)
}

func nodeOfValue(v any, origin *source.Node) *source.Node {
	switch v := v.(type) {
	case nil:
		return source.NewNull(origin)
	case bool:
		return source.NewBool(origin, v)
	case int64:
		return source.NewInt(origin, v)
	case string:
		n := source.NewString(origin, v)
		n.Style = source.DoubleQuoted // a text, whatever it looks like
		return n
	}
	text, err := json.Marshal(v)
	if err != nil {
		text = nil
	}
	n := source.NewList(origin)
	n.Text = string(text)
	return n
}

// taskSpec is the definition as task().spec shows it: as written, with the keys that Mistral sets itself.
func taskSpec(t *Task, w *Workflow) *value.Map {
	spec := mapping(t.Node)
	if in, ok := t.Input.(*value.Map); ok {
		if _, written := spec.GetStr("input"); written {
			spec.SetStr("input", in)
		}
	}
	kind := "direct"
	if w.Reverse {
		kind = "reverse"
	}
	spec.SetStr("type", kind)
	spec.SetStr("name", t.Name)
	spec.SetStr("version", "2.0")
	return spec
}
