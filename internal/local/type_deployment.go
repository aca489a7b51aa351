package local

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	target "github.com/hotloom/hotloom/compiler/emit/local"
	"github.com/hotloom/hotloom/compiler/value"
)

// deployment is OS::Heat::SoftwareDeployment and its structured and group forms: a config that runs on hosts.
type deployment struct{ structured, group bool }

var (
	_ Type    = deployment{}
	_ Remover = deployment{}
)

// defaultDeployTimeout bounds one deployment: Heat's stacks end after an hour.
const defaultDeployTimeout = 3600e9

func (t deployment) Make(ctx context.Context, i *Instance) error {
	i.identify()
	hosts, err := t.hosts(i)
	if err != nil {
		return err
	}
	i.Record.Later = map[string]*Job{}
	jobs, err := t.jobs(i)
	if err != nil {
		return err
	}
	for action, job := range jobs {
		if action != create && action != update {
			i.Record.Later[action] = job
		}
	}
	names := make([]string, 0, len(hosts))
	for name := range hosts {
		names = append(names, name)
	}
	slices.Sort(names)
	i.Record.Properties = map[string]Value{}
	results := map[string]Values{}
	for _, name := range names {
		i.Record.Properties["host/"+name] = Value{hosts[name].Key}
		results[name] = newValues()
		job := jobs[i.Action]
		if job == nil {
			continue
		}
		one := *job
		if t.group {
			one.Name += "/" + name
		}
		out, err := i.runtime.run(ctx, &one, hosts[name])
		results[name] = out
		if err != nil {
			return err
		}
	}
	if job := jobs[i.Action]; job != nil || i.Action == create {
		i.Record.Attributes = t.attributes(results)
	}
	return nil
}

// hosts are those that the deployment runs on, by name.
func (t deployment) hosts(i *Instance) (map[string]*Record, error) {
	out := map[string]*Record{}
	find := func(property string, id any) (*Record, error) {
		for _, rec := range i.runtime.state.Records() {
			if rec.Kind == string(target.Host) && rec.ID == id {
				return rec, nil
			}
		}
		return nil, i.wrong(property, "names a server that is none of this stack")
	}
	if !t.group {
		rec, err := find("server", i.get("server", nil))
		out[""] = rec
		return out, err
	}
	servers, ok := i.get("servers", nil).(*value.Map)
	if !ok {
		return nil, i.wrong("servers", "is no map from names to servers")
	}
	for name, id := range servers.All() {
		rec, err := find("servers", id)
		if err != nil {
			return nil, err
		}
		out[value.Str(name)] = rec
	}
	return out, nil
}

// jobs are what the deployment runs, by action.
func (t deployment) jobs(i *Instance) (map[string]*Job, error) {
	c := &Config{Group: "Heat::Ungrouped"}
	if id := i.text("config", ""); id != "" {
		if c = i.runtime.config(id); c == nil {
			return nil, i.wrong("config", "names a software config that is none of this stack")
		}
	}
	common := Job{Key: i.Node.Key, Name: i.Node.Key, Timeout: defaultDeployTimeout, Options: c.Options}
	given, _ := i.get("input_values", nil).(*value.Map)
	common.Inputs = t.inputs(c, given)
	for _, v := range c.Outputs {
		m := v.V.(*value.Map) // as the config was made
		name, _ := m.GetStr("name")
		isError, _ := m.GetStr("error_output")
		common.Outputs = append(common.Outputs, Output{Name: value.Str(name), Error: value.Truth(isError)})
	}
	actions := texts(i.get("actions", []any{create, update}))
	entries := c.Entries
	if c.Group != "component" {
		entries = []ConfigEntry{{Actions: actions, Tool: c.Group, Config: c.Config}}
	}
	out := map[string]*Job{}
	for _, e := range entries {
		for _, action := range e.Actions {
			job := common
			job.Action, job.Tool, job.Config = action, e.Tool, e.Config
			if t.structured {
				v, err := filled(job.Config.V, i.text("input_key", "get_input"), common.Inputs, i.text("input_values_validate", "LAX") == "STRICT")
				if err != nil {
					return nil, i.wrong("input_values", err.Error())
				}
				job.Config.V = v
			}
			if i.runtime.tools[job.Tool] == nil {
				return nil, fmt.Errorf("tool %s is not there on this machine", job.Tool)
			}
			out[action] = &job
		}
	}
	return out, nil
}

// inputs are the declared ones with their values, then those that are only given.
func (deployment) inputs(c *Config, given *value.Map) []Input {
	var out []Input
	declared := map[string]bool{}
	for _, v := range c.Inputs {
		m := v.V.(*value.Map) // as the config was made
		field := func(name string) any { v, _ := m.GetStr(name); return v }
		in := Input{Name: value.Str(field("name")), Type: "String", Value: Value{field("default")}}
		if typ := field("type"); typ != nil {
			in.Type = value.Str(typ)
		}
		if given != nil {
			if v, ok := given.GetStr(in.Name); ok {
				in.Value.V = v
			}
		}
		if in.Value.V == nil {
			in.Value.V = ""
		}
		declared[in.Name] = true
		out = append(out, in)
	}
	if given != nil {
		for name, v := range given.All() {
			if text := value.Str(name); !declared[text] {
				out = append(out, Input{Name: text, Type: "String", Value: Value{v}})
			}
		}
	}
	return out
}

// filled replaces {get_input: NAME} in a structured config.
func filled(v any, key string, inputs []Input, strict bool) (any, error) {
	switch x := v.(type) {
	case []any:
		out := make([]any, len(x))
		for i := range x {
			var err error
			if out[i], err = filled(x[i], key, inputs, strict); err != nil {
				return nil, err
			}
		}
		return out, nil
	case *value.Map:
		if name, ok := x.GetStr(key); ok && x.Len() == 1 {
			for _, in := range inputs {
				if in.Name == name {
					return in.Value.V, nil
				}
			}
			if strict {
				return nil, errors.New("has no value for " + value.Str(name))
			}
			return nil, nil
		}
		out := value.NewMap(x.Len())
		for k, y := range x.All() {
			f, err := filled(y, key, inputs, strict)
			if err != nil {
				return nil, err
			}
			if err := out.Set(k, f); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return v, nil
}

// attributes are the outputs; of a group, maps from name to output.
func (t deployment) attributes(results map[string]Values) Values {
	if !t.group {
		return results[""]
	}
	out := newValues()
	for name, values := range results {
		if values.Map == nil {
			continue
		}
		for output, v := range values.All() {
			key := value.Str(output)
			if plural, ok := map[string]string{
				"deploy_stdout": "deploy_stdouts", "deploy_stderr": "deploy_stderrs", "deploy_status_code": "deploy_status_codes",
			}[key]; ok {
				key = plural
			}
			m, _ := out.Get(key).(*value.Map)
			if m == nil {
				m = value.NewMap(0)
				out.SetStr(key, m)
			}
			m.SetStr(name, v)
		}
	}
	return out
}

// Remove runs what the deployment has for DELETE, on hosts that are there still.
func (t deployment) Remove(ctx context.Context, r *Runtime, rec *Record) error {
	job := rec.Later[remove]
	if job == nil {
		return nil
	}
	var names []string
	for name := range rec.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		key, _ := rec.Properties[name].V.(string)
		host := r.state.Record(key)
		if !strings.HasPrefix(name, "host/") || host == nil {
			continue
		}
		if _, err := r.run(ctx, job, host); err != nil {
			return err
		}
	}
	return nil
}
