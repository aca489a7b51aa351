package mistral

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/hotloom/hotloom/compiler/emit/heatconfig"
	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/graph"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
	"github.com/hotloom/hotloom/compiler/weave"
)

// plan finds what becomes a task, and sorts the tasks into stages.
func (t *emitter) plan() {
	taken := map[string]bool{}
	var tasks []*task
	levels := t.levels()
	for _, h := range t.Program.Hosts {
		if h.Kind == weave.Group && h.Member == nil {
			continue // told by weave
		}
		for _, c := range h.Components {
			switch {
			case c.Type == nil || len(c.Steps) == 0:
			case reports(c):
				t.reporters[c] = t.Name(h.Name(), c.Name())
			default:
				t.check(c)
				one := &task{Component: c, name: taskName(taken, h.Name(), c.Name()), level: levels[c.Steps[0].ID]}
				one.step = t.Name(one.name, "step")
				one.signal = t.Name(one.name, "signal")
				t.tasks[c] = one
				tasks = append(tasks, one)
			}
		}
	}
	t.sortIntoStages(tasks)
	for _, w := range t.Program.Workflows {
		t.records[w.Resource.Name.Text] = t.Name(w.Resource.Name.Text, "output")
	}
	for _, one := range tasks {
		t.findReads(one)
	}
}

// reports says whether a component only reports to a handle.
func reports(c *weave.Component) bool { return c.Type.Tool.Str() == "mistral" }

// levels gives, by the nodes' ids, how many times on the way to a node a resource waits for software: so many stages
// of software come before.
func (t *emitter) levels() map[string]int {
	level := map[string]int{}
	g := t.Program.Graph
	for _, n := range g.Order() {
		for e := range g.In(n.ID) {
			from := level[e.From]
			if s := t.Program.Step(e.From); s != nil && n.Kind != graph.Step && !reports(s.Component) {
				from++
			}
			level[n.ID] = max(level[n.ID], from)
		}
	}
	return level
}

// sortIntoStages makes stages of the tasks. All steps of a component are in the stage of its first.
func (t *emitter) sortIntoStages(tasks []*task) {
	var levels []int
	for _, one := range tasks {
		if !slices.Contains(levels, one.level) {
			levels = append(levels, one.level)
		}
	}
	slices.Sort(levels)
	var before []string
	for i, level := range levels {
		s := &stage{resource: t.Name("software"), workflow: t.name, after: slices.Clone(before)}
		s.record = t.Name(s.resource, "output")
		if i > 0 {
			s.workflow += "." + strconv.Itoa(i+1)
		}
		for _, one := range tasks {
			if one.level == level {
				one.stage = s
				s.tasks = append(s.tasks, one)
			}
		}
		before = append(before, s.resource)
		t.stages = append(t.stages, s)
	}
}

// check reports what the target can not do for a component.
func (t *emitter) check(c *weave.Component) {
	t.CheckSecrets(c)
	if heatconfig.IsScript(c) {
		t.CheckScript(c)
	}
	for _, s := range c.Steps {
		if n := s.Config.Node; n.Is(source.Map) && !t.IsCall(n) {
			t.Report(structured(n.At(), c.ID()))
			return
		}
	}
}

// transparent are the functions of HOT through which the placeholder of a text passes unharmed: they copy their arguments.
var transparent = []string{
	"str_replace", "str_replace_strict", "str_replace_vstrict", "list_join", "list_concat", "list_concat_unique", "map_merge",
	"if", "make_url", "Fn::Join", "Fn::Replace",
}

// gathering are those of them that take their arguments apart: one that is a placeholder as a whole they can not take.
var gathering = []string{"list_join", "list_concat", "list_concat_unique", "map_merge", "Fn::Join"}

// findReads notes what a task reads from its own stage, and reports what the workflow can not compute with.
func (t *emitter) findReads(one *task) {
	seen := map[string]bool{}
	// through is the function that spoils a placeholder of any value, within one that spoils that of a list
	var walk func(n *source.Node, through, within string)
	walk = func(n *source.Node, through, within string) {
		if n == nil {
			return
		}
		if reads := t.ReadsAt(n); reads != nil {
			for _, r := range reads {
				from := t.tasks[r.Component]
				if r.By == nil || r.By.Component != one.Component || from == nil || from.stage != one.stage || r.Component.Step("CREATE") == nil {
					continue
				}
				if t.isGroup(from) && from.Host != one.Host {
					through = cmp.Or(through, within)
				}
				if through != "" {
					t.Report(computed(r.Node.At(), one.ID(), r.Component.ID(), r.Output, through))
				}
				for _, p := range r.Path {
					if !p.Is(source.String) && !p.Is(source.Int) {
						t.Report(computedPath(p.At(), r.Component.ID(), r.Output))
					}
				}
				if p := placeholder(r); !seen[p] {
					seen[p] = true
					one.reads = append(one.reads, &read{r, p})
				}
			}
			return
		}
		if call, ok := function.Find(t.Version(), n); ok {
			name := call.Function.Name
			if !slices.Contains(transparent, name) {
				through = name
			}
			if slices.Contains(gathering, name) {
				for _, item := range call.Arg.Items {
					walk(item, cmp.Or(through, whole(t, item, name)), name)
				}
				return
			}
			within = name
		}
		for _, item := range n.Items {
			walk(item, through, within)
		}
		for _, p := range n.Pairs {
			walk(p.Value, through, within)
		}
	}
	for _, in := range one.Inputs {
		walk(in.Value, "", "")
	}
}

// whole gives the function's name where its argument is a read.
func whole(t *emitter, n *source.Node, function string) string {
	if t.ReadsAt(n) != nil {
		return function
	}
	return ""
}

// taskName makes the name of a task, which is also that of a variable: letters, digits and _.
func taskName(taken map[string]bool, parts ...string) string {
	base := notWord().ReplaceAllString(strings.Join(parts, "_"), "_")
	name := base
	for i := 2; taken[name]; i++ {
		name = base + "_" + strconv.Itoa(i)
	}
	taken[name] = true
	return name
}

var (
	notWord = lazyregexp.New(`[^A-Za-z0-9_]`)
	notName = lazyregexp.New(`[^A-Za-z0-9_-]+`)
)

// workflowName is what the workflows' names begin with: what the author chose, or the name of the template's
// file; of files called template or the like their folder's.
func workflowName(o plain.Options, file string) string {
	name := o.Name
	if name == "" && file != "" {
		name = strings.TrimSuffix(path.Base(file), path.Ext(file))
		if folder := path.Base(path.Dir(file)); slices.Contains([]string{"template", "stack", "main", "index"}, name) && folder != "." && folder != "/" {
			name = folder
		}
	}
	name = notName().ReplaceAllString(name, "-")
	if name = strings.Trim(name, "-"); name == "" {
		return "stack"
	}
	return name
}
