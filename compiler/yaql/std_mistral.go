package yaql

import (
	"crypto/rand"
	"fmt"
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
)

// mistralFunctions are what OpenStack Mistral adds to the library.
var mistralFunctions = []def{
	{"env", fn, "", func(c *call) (any, error) { return c.scope.get("__env"), nil }},
	{"execution", fn, "", func(c *call) (any, error) {
		w, err := c.workflow()
		if err != nil {
			return nil, err
		}
		return w.Execution(c.ev.ctx)
	}},
	{"executions", fn, "id:any=null, rootExecutionId:any=null, state:any=null, fromTime:any=null, toTime:any=null", func(c *call) (any, error) {
		w, err := c.workflow()
		if err != nil {
			return nil, err
		}
		a := c.args
		list, err := w.Executions(c.ev.ctx, ExecutionQuery{ID: a[0], RootExecutionID: a[1], State: a[2], FromTime: a[3], ToTime: a[4]})
		return list, err
	}},
	{"task", fn, "taskName:any=null", func(c *call) (any, error) {
		w, err := c.workflow()
		if err != nil {
			return nil, err
		}
		name := ""
		if c.args[0] != nil {
			name = value.Str(c.args[0])
		}
		return w.Task(c.ev.ctx, name)
	}},
	{"tasks", fn, "workflowExecutionId:any=null, recursive:bool?=false, state:any=null, flat:bool?=false", func(c *call) (any, error) {
		w, err := c.workflow()
		if err != nil {
			return nil, err
		}
		q := TaskQuery{Recursive: c.truth(1), Flat: c.truth(3)}
		if c.truth(0) {
			q.WorkflowExecutionID = value.Str(c.args[0])
		}
		if c.truth(2) {
			q.State = value.Str(c.args[2])
		}
		list, err := w.Tasks(c.ev.ctx, q)
		return list, err
	}},
	{"global", fn, "varName:any", func(c *call) (any, error) {
		w, err := c.workflow()
		if err != nil {
			return nil, err
		}
		return w.Global(c.ev.ctx, value.Str(c.args[0]))
	}},
	{"uuid", fn, "", func(*call) (any, error) { return newUUID(), nil }},
	{"json_dump", fn, "data:any", func(c *call) (any, error) { return c.dumpJSON(c.args[0]) }},
	{"json_pp", fn, "data:any=null", func(c *call) (any, error) {
		if !c.truth(0) {
			return nil, fail("ValueError", "Circular reference detected")
		}
		s, err := c.dumpJSON(c.args[0])
		return strings.ReplaceAll(strings.ReplaceAll(s, `\n`, "\n"), " \n", "\n"), err
	}},
	{"json_parse", fn, "data:any", func(c *call) (any, error) {
		s, err := c.parsable()
		if err != nil {
			return nil, err
		}
		return value.ParseJSON(s)
	}},
	{"yaml_dump", fn, "data:any", func(c *call) (any, error) {
		s, err := dumpYAML(c.ev, c.args[0])
		if err != nil {
			return nil, err
		}
		return s, c.ev.text(len(s))
	}},
	{"yaml_parse", fn, "data:any", func(c *call) (any, error) {
		s, err := c.parsable()
		if err != nil {
			return nil, err
		}
		return parseYAML(s)
	}},
}

// workflow gives what answers questions about the running workflow.
func (c *call) workflow() (Workflow, error) {
	if c.ev.opts.Workflow == nil {
		return nil, fail("TypeError", "'NoneType' object is not subscriptable")
	}
	return c.ev.opts.Workflow, c.ev.step(10)
}

// parsable is the text argument of a parser. Parsed values take some times the room of their text.
func (c *call) parsable() (string, error) {
	s, ok := c.args[0].(string)
	if b, isBytes := c.args[0].([]byte); isBytes {
		s, ok = string(b), true
	}
	if !ok {
		return "", fail("TypeError", "%s can't be decoded", className(c.args[0]))
	}
	if err := c.ev.alloc(8 * len(s)); err != nil {
		return "", err
	}
	return s, c.ev.step(len(s) >> 3)
}

func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// dumpJSON is oslo's jsonutils.dumps with an indent of four.
func (c *call) dumpJSON(v any) (string, error) {
	s, err := value.JSON(v, value.JSONOptions{Indent: 4, Meter: c.meter(), Default: func(v any) (any, error) {
		p, err := c.primitive(v, 0)
		if err == nil && !isPlain(p) {
			err = fail("ValueError", "Circular reference detected")
		}
		return p, err
	}})
	if err != nil {
		return "", err
	}
	return s, c.ev.text(len(s))
}

func isPlain(v any) bool {
	switch v := v.(type) {
	case value.Span, *scope, value.Time:
		return false
	case *value.Map:
		return !v.Frozen()
	case nil, bool, int64, float64, string, []any:
		return true
	}
	return isType[interface{ Sign() int }](v) // big integers
}

// primitive is oslo's to_primitive: what JSON does not know, made of what it knows. Frozen dicts more than three deep
// in each other become null, as there.
func (c *call) primitive(v any, level int) (any, error) {
	const maxLevel = 3
	if err := c.ev.step(1); err != nil {
		return nil, err
	}
	switch x := v.(type) {
	case []byte:
		return string(x), nil
	case value.Time:
		return x.Format("%Y-%m-%dT%H:%M:%S.%f")
	case *gen:
		if x.what == "generator" || x.what == "itertools.count" {
			return x.Repr(), nil
		}
	}
	if v != nil && (kDict.has(v) || isIterable(v)) && level > maxLevel {
		return nil, nil
	}
	if m, ok := v.(*value.Map); ok {
		if m.Frozen() {
			level++
		}
		if level > maxLevel {
			return nil, nil
		}
		out := value.NewMap(m.Len())
		for k, x := range m.All() {
			p, err := c.primitive(x, level)
			if err != nil {
				return nil, err
			}
			if err := c.put(out, k, p); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	if v == nil || !isIterable(v) {
		return v, nil
	}
	out := []any{}
	err := c.ev.each(v, func(x any) (bool, error) {
		p, err := c.primitive(x, level)
		out = append(out, p)
		if err == nil {
			err = c.ev.alloc(16)
		}
		return false, err
	})
	return out, err
}
