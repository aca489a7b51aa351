package mistral

import (
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
	"github.com/hotloom/hotloom/compiler/workflow"
)

// explicit makes the workflows that the author starts (DESIGN §2.3), and leaves out their handles.
func (t *emitter) explicit() {
	for _, h := range t.Program.Handles {
		var names []string
		for _, c := range h.Participants {
			names = append(names, t.done(c)...)
		}
		t.Resource(h.Resource.Name.Text).Drop(names...)
	}
	for _, w := range t.Program.Workflows {
		t.start(w)
	}
}

// start makes the resource that starts a workflow when all participants of its handle have reported.
func (t *emitter) start(w *weave.Workflow) {
	if w.Reference == nil {
		return // told by weave
	}
	origin := w.Resource.Name
	r := t.Resource(origin.Text)
	input := source.NewMap(origin)
	if !w.Params.IsNull() {
		input = t.Value(w.Params, nil)
	}
	reference, takes := t.reference(w, r)
	if w.Handle != nil {
		for _, c := range w.Handle.Participants {
			r.After(t.done(c)...)
		}
		if takes {
			input = t.withParticipants(input, w)
		}
	}
	start := source.NewMap(origin, source.P(origin, "workflow", reference))
	r.Become("OS::Mistral::ExternalResource",
		source.P(origin, "actions", source.NewMap(origin, source.P(origin, "CREATE", start))),
		source.P(origin, "input", input))
	t.addRecord(r, t.records[r.Name], r.Name, origin).Section("condition", w.Resource.Condition)
}

// attribute lets a get_attr of an author's workflow read from the record of its output.
func (t *emitter) attribute(call *source.Node, path []*source.Node) *source.Node {
	if len(path) < 2 || path[1].Str() != "output" || t.records[path[0].Str()] == "" {
		return call
	}
	items := plain.Texts(call, t.records[path[0].Str()], "data").Items
	for _, p := range path[2:] {
		items = append(items, t.Value(p, nil))
	}
	return plain.Call(call, "get_attr", plain.Flow(source.NewList(call, items...)))
}

// withParticipants adds who has reported to a workflow's input: a list of maps with name and server.
func (t *emitter) withParticipants(input *source.Node, w *weave.Workflow) *source.Node {
	origin := w.Resource.Name
	entry := func(name, server *source.Node) *source.Node {
		return plain.Flow(source.NewMap(origin, source.P(origin, "name", name), source.P(origin, "server", server)))
	}
	var single, lists []*source.Node
	for _, c := range w.Handle.Participants {
		if c.Host.Kind == weave.Group {
			if c.Host.Member == nil {
				continue
			}
			lists = append(lists, plain.Call(origin, "repeat", source.NewMap(origin,
				source.P(origin, "for_each", source.NewMap(origin, source.P(origin, "%server%", plain.MemberIDs(c.Host, origin)))),
				source.P(origin, "template", entry(plain.Text(origin, c.ID()), plain.Text(origin, "%server%"))))))
			continue
		}
		single = append(single, entry(plain.Text(origin, c.ID()), plain.Call(origin, "get_resource", plain.Text(origin, c.Host.Name()))))
	}
	list := source.NewList(origin, single...)
	if len(lists) > 0 {
		t.Needs("2017-02-24", "a group that reports to a workflow's handle")
		list = plain.Call(origin, "list_concat", source.NewList(origin, append([]*source.Node{list}, lists...)...))
	}
	if t.IsCall(input) {
		t.Needs("2016-10-14", "participants beside params that a function gives")
		return plain.Call(origin, "map_merge", source.NewList(origin, input, source.NewMap(origin, source.P(origin, "participants", list))))
	}
	return plain.With(input, "participants", list)
}

// reference gives what the stack calls a workflow, and whether the workflow has the input participants. The workflow's
// file, where it is beside the template, is taken into the output. A workflow that is in Mistral already is taken to have
// the input.
func (t *emitter) reference(w *weave.Workflow, r *plain.Resource) (name *source.Node, takes bool) {
	name = t.Value(w.Reference, nil)
	if !w.Reference.Is(source.String) || t.Options.Open == nil || w.Reference.File == nil {
		return name, true
	}
	for _, file := range []string{name.Text + ".yaml", "workflows/" + name.Text + ".yaml"} {
		f, err := t.Options.Open(w.Reference.File.Path, file)
		if err != nil {
			continue
		}
		doc, found := workflow.Parse(f, workflow.Auto)
		one := doc.Workflow(name.Text)
		if found.HasErrors() || one == nil {
			t.Report(found...)
			continue
		}
		if t.Options.WorkflowsInStack && doc.Kind == workflow.Workflows {
			var all []kept
			started := ""
			for _, each := range doc.Workflows {
				resource := t.Name(strings.ReplaceAll(each.Name, ".", "_"), "workflow")
				if all = append(all, kept{resource, each.Name, each.Node}); each.Name == name.Text {
					started = resource
				}
				t.besides[each.Name] = true
			}
			t.addWorkflows(r, w.Resource.Name, all)
			name = plain.Call(name, "get_resource", plain.Text(name, started))
		} else {
			t.AddFile(plain.WorkflowFolder+strings.TrimPrefix(file, "workflows/"), string(f.Text))
		}
		return name, slices.ContainsFunc(one.Input, func(in workflow.Param) bool { return in.Name == "participants" })
	}
	return name, true
}
