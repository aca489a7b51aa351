package workflow

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

// clause reads an on-… clause. A mapping is always read as publish and next, also where the schema took it for
// TASK: condition, and a mapping under next loses its conditions: Mistral does both.
func (p *parser) clause(n *source.Node) *Clause {
	if n.IsNull() {
		return nil
	}
	c := &Clause{Node: n}
	if n.Kind != source.Map {
		c.Next = p.transitions(n)
		return c
	}
	if section := n.Get("publish"); section.Is(source.Map) {
		c.Publish = p.publish(section)
	}
	if next := n.Get("next"); next != nil {
		c.Next = p.transitions(next)
	}
	return c
}

func (p *parser) publish(n *source.Node) *Publish {
	out := &Publish{
		Branch: optionalMapping(n.Get("branch")), Global: optionalMapping(n.Get("global")), Atomic: optionalMapping(n.Get("atomic")),
	}
	if out.Branch == nil && out.Global == nil && out.Atomic == nil {
		p.add(publishNothing(n))
	}
	for _, key := range []string{"branch", "global", "atomic"} {
		p.expressions(n.Get(key))
	}
	return out
}

func (p *parser) transitions(n *source.Node) []Next {
	var out []Next
	add := func(target *source.Node, condition *source.Node) {
		name, params, ok := ParseCommand(target.Text)
		if !ok {
			p.add(badCommand(target))
			return
		}
		next := Next{Name: name, Condition: "", Params: params, At: target.At()}
		p.expression(&source.Node{Kind: source.String, Style: target.Style, File: target.File, Start: target.Start, End: target.End, Text: name})
		if condition != nil {
			next.Condition = Value(condition)
			if condition.Kind == source.String {
				p.expression(condition)
			}
		}
		out = append(out, next)
	}
	switch n.Kind {
	case source.String:
		if n.Text != "" {
			add(n, nil)
		}
	case source.Map:
		for _, pair := range n.Pairs {
			if pair.Key.Kind == source.String {
				add(pair.Key, nil)
			}
		}
	case source.List:
		for _, item := range n.Items {
			if item.Kind == source.String {
				add(item, nil)
			} else if pair := item.Single(); pair != nil && pair.Key.Kind == source.String {
				add(pair.Key, pair.Value)
			}
		}
	}
	return out
}

// PublishOf gives what a completed task publishes: of its own publish section and those of the clauses that go with
// the state, put together in Mistral's order. A kind that the receiving section lacks is lost, as there.
func (t *Task) PublishOf(state string) *Publish {
	var own *value.Map
	var clause *Clause
	switch state {
	case "SUCCESS":
		own, clause = t.Publish, t.OnSuccess
	case "ERROR":
		own, clause = t.PublishOnError, t.OnError
	case "SKIPPED":
		own, clause = t.PublishOnSkip, t.OnSkip
	default:
		return nil
	}
	var p *Publish
	if own != nil && own.Len() > 0 {
		p = &Publish{Branch: own}
	}
	if state != "SKIPPED" && t.OnComplete != nil && t.OnComplete.Publish != nil {
		if p != nil {
			p = p.received(t.OnComplete.Publish)
		} else {
			p = t.OnComplete.Publish
		}
	}
	if clause != nil && clause.Publish != nil {
		if p == nil {
			return clause.Publish
		}
		return clause.Publish.received(p)
	}
	return p
}

func (p *Publish) received(from *Publish) *Publish {
	take := func(left, right *value.Map) *value.Map {
		if left == nil || right == nil {
			return left
		}
		return Merge(left, right)
	}
	return &Publish{
		Branch: take(p.Branch, from.Branch), Global: take(p.Global, from.Global), Atomic: take(p.Atomic, from.Atomic),
	}
}

// At is where a clause stands.
func (c *Clause) At() diag.Location { return c.Node.At() }
