package expression

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/jinja"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/yaql"
)

// jinjaFunction is one of Mistral's functions (mistral/expressions/std_functions.py): data is its first argument, the
// context, which Jinja fills in where it is called as a function, and which is the filtered value where it is used as a
// filter.
type jinjaFunction struct {
	params []string
	need   int
	call   func(c caller, data any, a []any) (any, error)
}

// caller is the evaluation that calls a function.
type caller struct {
	ctx  context.Context
	opts yaql.Options
}

// workflow is what answers questions about the running workflow.
func (c caller) workflow() (yaql.Workflow, error) {
	if c.opts.Workflow == nil {
		return nil, value.Errorf("TypeError", "'NoneType' object is not subscriptable")
	}
	return c.opts.Workflow, nil
}

// throughYAQL calls the function of that name that the YAQL library has.
func throughYAQL(name string) func(caller, any, []any) (any, error) {
	call, _ := yaql.Parse(name + "($.a)")
	if name == "uuid" {
		call, _ = yaql.Parse("uuid()")
	}
	return func(c caller, _ any, a []any) (any, error) {
		data := value.NewMap(1)
		if len(a) > 0 {
			data.SetStr("a", a[0])
		}
		v, err := yaql.Eval(c.ctx, yaql.Mistral, call, data, c.opts)
		if e, ok := err.(*yaql.Error); ok {
			return nil, value.Errorf(e.Class, "%s", e.Message)
		}
		return v, err
	}
}

var jinjaFunctionTable = map[string]jinjaFunction{
	"env": {call: func(_ caller, data any, _ []any) (any, error) { return value.Index(data, "__env") }},
	"task": {params: []string{"task_name"}, call: func(c caller, data any, a []any) (any, error) {
		if _, err := value.Index(data, "__task_execution"); err != nil {
			return nil, err
		}
		w, err := c.workflow()
		if err != nil {
			return nil, err
		}
		name, _ := a[0].(string)
		return w.Task(c.ctx, name)
	}},
	"tasks": {params: []string{"workflow_execution_id", "recursive", "state", "flat"}, call: func(c caller, _ any, a []any) (any, error) {
		q := yaql.TaskQuery{Recursive: value.Truth(a[1]), Flat: value.Truth(a[3])}
		q.WorkflowExecutionID, _ = a[0].(string)
		q.State, _ = a[2].(string)
		w, err := c.workflow()
		if err != nil {
			return nil, err
		}
		list, err := w.Tasks(c.ctx, q)
		return list, err
	}},
	"execution": {call: func(c caller, data any, _ []any) (any, error) {
		if _, err := value.Index(data, "__execution"); err != nil {
			return nil, err
		}
		w, err := c.workflow()
		if err != nil {
			return nil, err
		}
		return w.Execution(c.ctx)
	}},
	"executions": {params: []string{"id", "root_execution_id", "state", "from_time", "to_time"}, call: func(c caller, _ any, a []any) (any, error) {
		w, err := c.workflow()
		if err != nil {
			return nil, err
		}
		list, err := w.Executions(c.ctx, yaql.ExecutionQuery{ID: a[0], RootExecutionID: a[1], State: a[2], FromTime: a[3], ToTime: a[4]})
		return list, err
	}},
	"global": {params: []string{"var_name"}, need: 1, call: func(c caller, _ any, a []any) (any, error) {
		w, err := c.workflow()
		if err != nil {
			return nil, err
		}
		return w.Global(c.ctx, value.Str(a[0]))
	}},
	"uuid":      {call: throughYAQL("uuid")},
	"json_dump": {params: []string{"data"}, need: 1, call: throughYAQL("json_dump")},
	"json_pp": {params: []string{"data"}, call: func(c caller, data any, a []any) (any, error) {
		if !value.Truth(a[0]) {
			a[0] = data
		}
		dumped, err := dump(c, data, a)
		text, _ := dumped.(string)
		return strings.ReplaceAll(strings.ReplaceAll(text, `\n`, "\n"), " \n", "\n"), err
	}},
	"json_parse": {params: []string{"data"}, need: 1, call: throughYAQL("json_parse")},
	"yaml_dump":  {params: []string{"data"}, need: 1, call: throughYAQL("yaml_dump")},
	"yaml_parse": {params: []string{"data"}, need: 1, call: throughYAQL("yaml_parse")},
}

// HasFunction reports whether Mistral adds a function of the name to Jinja, where each is a filter as well.
func HasFunction(name string) bool { _, ok := jinjaFunctionTable[name]; return ok }

// Functions lists what Mistral adds to Jinja, sorted.
func Functions() []string { return slices.Sorted(maps.Keys(jinjaFunctionTable)) }

var dump = throughYAQL("json_dump")

func jinjaFunctions(ctx context.Context, data any, o Options) (funcs, filters map[string]jinja.Func) {
	c := caller{ctx, o.YAQL}
	funcs, filters = map[string]jinja.Func{}, map[string]jinja.Func{}
	for name, f := range jinjaFunctionTable {
		funcs[name] = func(args []any, kw *value.Map) (any, error) {
			a, err := jinja.Bind(name+"_", args, kw, f.need, f.params...)
			if err != nil {
				return nil, err
			}
			return f.call(c, data, a)
		}
		filters[name] = func(args []any, kw *value.Map) (any, error) {
			a, err := jinja.Bind(name+"_", args[1:], kw, f.need, f.params...)
			if err != nil {
				return nil, err
			}
			return f.call(c, args[0], a)
		}
	}
	return funcs, filters
}
