package emit_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/emit"
	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/source"
)

const step = `
component_types:
  step:
    tool: script
    inputs: {a: {type: String, default: ""}}
    outputs: {out: {type: String}}
    config: "#!/bin/sh\n"
resources:
`

func TestWhatTargetsRefuse(t *testing.T) {
	t.Parallel()
	version := "heat_template_version: 2018-08-31" + step
	server := "  s:\n    type: OS::Nova::Server\n    properties: {image: i, flavor: f}\n    components: "
	tests := map[string]struct {
		text string
		want map[string][]string // by target: what a finding says
	}{
		"version without JSON in str_replace": {
			"heat_template_version: 2014-10-16" + step + server + "{c: {component_type: step}}\n",
			map[string][]string{
				"cloud-init": {"1:24 error target cloud-init needs heat_template_version 2015-10-15 or later"},
				"mistral":    {"1:24 error target mistral needs heat_template_version 2015-10-15 or later"},
			},
		},
		"input that is too large": {
			version + server + "{c: {component_type: step, params: {a: " + strings.Repeat("x", plain.ValueBytes+1) + "}}}\n",
			map[string][]string{
				"cloud-init":          {"12:56 error the value of input a has 8193 bytes; a step takes 8192"},
				"software-deployment": {"12:56 error the value of input a has 8193 bytes; a step takes 8192"},
				"mistral":             {"12:56 error the value of input a has 8193 bytes; a step takes 8192"},
			},
		},
		"user_data that is too large": {
			version + "  s:\n    type: OS::Nova::Server\n    properties: {image: i, flavor: f, user_data: {get_file: big}}\n    components: {c: {component_type: step}}\n",
			map[string][]string{"cloud-init": {"9:3 error the user_data of s has at least"}},
		},
		"user_data that Heat spoils": {
			version + "  s:\n    type: OS::Nova::Server\n    properties: {image: i, user_data: größe, user_data_format: SOFTWARE_CONFIG}\n    components: {c: {component_type: step}}\n",
			map[string][]string{"cloud-init": {"11:39 error the user_data of s is not ASCII"}},
		},
		"group of none": {
			version + "  g:\n    type: OS::Heat::ResourceGroup\n    properties: {count: 0, resource_def: {type: OS::Nova::Server, properties: {image: i}}}\n    components: {c: {component_type: step}}\n",
			map[string][]string{"cloud-init": {"11:25 error target cloud-init waits for at least one member of g"}},
		},
		"group with its index in user_data": {
			version + "  g:\n    type: OS::Heat::ResourceGroup\n    properties: {resource_def: {type: OS::Nova::Server, properties: {image: i, user_data: \"#!/bin/sh %index%\"}}}\n    components: {c: {component_type: step}}\n",
			map[string][]string{"cloud-init": {"11:91 error target cloud-init can not keep %index% in the user_data of g"}},
		},
		"group of machines without user_data": {
			version + "  g:\n    type: OS::Heat::ResourceGroup\n    properties: {resource_def: {type: OS::Heat::DeployedServer}}\n    components: {c: {component_type: step}}\n",
			map[string][]string{"cloud-init": {"10:11 error target cloud-init can not run steps on g"}},
		},
		"output of the same member": {
			version + "  g:\n    type: OS::Heat::ResourceGroup\n    properties: {resource_def: {type: OS::Nova::Server, properties: {image: i}}}\n    components:\n      c: {component_type: step}\n      d: {component_type: step, params: {a: {get_attr: [g, components, c, out]}}}\n",
			map[string][]string{"software-deployment": {"14:45 error target software-deployment can not give g.d the output out of g.c on the same member"}},
		},
		"functions of outputs that only a workflow knows": {
			version + server + "{c: {component_type: step}, d: {component_type: step, params: {a: {digest: [md5, {get_attr: [s, components, c, out]}]}}}}\n",
			map[string][]string{
				"cloud-init": {"12:98 error target cloud-init can not compute with output out of s.c in an input of s.d"},
				"mistral":    {"12:98 error target mistral can not compute digest of output out of s.c for s.d"},
			},
		},
		"list of a group's outputs within a function": {
			version + "  g:\n    type: OS::Heat::ResourceGroup\n    properties: {resource_def: {type: OS::Nova::Server, properties: {image: i}}}\n    components: {c: {component_type: step}}\n" +
				"  t:\n    type: OS::Nova::Server\n    properties: {image: i}\n    components: {d: {component_type: step, params: {a: {list_join: [\" \", {get_attr: [g, components, c, out]}]}}}}\n",
			map[string][]string{"mistral": {"16:74 error target mistral can not compute list_join of output out of g.c for t.d"}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, target := range emit.Targets {
				p := load(t, ".", "template.yaml", []byte(test.text))
				_, found := target.Emit(p, plain.Options{Open: func(_, name string) (*source.File, error) {
					return &source.File{Path: name, Text: []byte(strings.Repeat("x", 40_000))}, nil
				}})
				want := test.want[target.Name()]
				var got []string
				for _, d := range found {
					got = append(got, strings.TrimPrefix(d.Location.String(), "template.yaml:")+" "+d.Severity.String()+" "+d.Message)
				}
				if len(got) != len(want) {
					t.Fatalf("%s: %d findings, want %d: %q", target.Name(), len(got), len(want), got)
				}
				for i := range want {
					if !strings.HasPrefix(got[i], want[i]) {
						t.Errorf("%s:\n got %s\nwant %s", target.Name(), got[i], want[i])
					}
				}
			}
		})
	}
}

func TestOptionsOfDeployments(t *testing.T) {
	t.Parallel()
	text := "heat_template_version: 2018-08-31" + step + "  s:\n    type: OS::Nova::Server\n    properties: {image: i}\n    components: {c: {component_type: step}}\n"
	p := load(t, ".", "template.yaml", []byte(text))
	out, found := emit.Find("software-deployment").Emit(p, plain.Options{SignalTransport: "TEMP_URL_SIGNAL", ConfigTransport: "POLL_TEMP_URL"})
	stack := string(out.File(plain.StackFile).Text)
	if len(found) > 0 || !strings.Contains(stack, "signal_transport: TEMP_URL_SIGNAL") || !strings.Contains(stack, "software_config_transport: POLL_TEMP_URL") {
		t.Errorf("%v\n%s", found, stack)
	}
	_, found = emit.Find("software-deployment").Emit(p, plain.Options{SignalTransport: "HEAT_SIGNALS"})
	if len(found) != 1 || found[0].Suggestion != `did you mean "HEAT_SIGNAL"?` {
		t.Errorf("%v", found)
	}
	if emit.Find("no-such-target") != nil {
		t.Error("a target that does not exist is found")
	}
}

// TestWorkflowsInStack finds what OS::Mistral::Workflow can not express, and makes resources of what it can.
func TestWorkflowsInStack(t *testing.T) {
	t.Parallel()
	text := "heat_template_version: 2018-08-31\nresources:\n  w: {type: OS::Mistral::Workflow, properties: {workflow_reference: flow}}\n"
	tests := map[string]struct {
		workflow string
		want     []string
	}{
		"what it takes": {"tasks: {a: {action: std.noop, with-items: 'i in [1]', on-success: b}, b: {action: std.noop, wait-before: 1}}", nil},
		"vars":          {"vars: {x: 1}, tasks: {a: {action: std.noop}}", []string{"flow.yaml:2:8 vars"}},
		"of a task":     {"tasks: {a: {action: std.noop, publish-on-error: {x: 1}, fail-on: true}}", []string{"flow.yaml:2:38 publish-on-error", "flow.yaml:2:64 fail-on"}},
		"several lists": {"tasks: {a: {action: std.noop, with-items: ['i in [1]', 'k in [2]']}}", []string{"flow.yaml:2:38 with-items of several lists"}},
		"one of the same stack": {
			"tasks: {a: {workflow: other}}}\nother: {tasks: {a: {action: std.noop}}", []string{"flow.yaml:2:30 a task that runs another workflow of the same stack, as one"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			open := func(_, name string) (*source.File, error) {
				if name != "flow.yaml" {
					return nil, fs.ErrNotExist
				}
				return &source.File{Path: name, Text: []byte("version: '2.0'\nflow: {" + test.workflow + "}\n")}, nil
			}
			out, found := emit.Find("mistral").Emit(load(t, ".", "template.yaml", []byte(text)), plain.Options{Open: open, WorkflowsInStack: true})
			var got []string
			for _, d := range found {
				what := strings.TrimSuffix(strings.TrimPrefix(d.Message, "an OS::Mistral::Workflow can not express "), " of a workflow")
				got = append(got, d.Location.String()+" "+what)
			}
			if d := cmp.Diff(test.want, got); d != "" {
				t.Errorf("findings (-want +got):\n%s", d)
			}
			if stack := string(out.File(plain.StackFile).Text); len(found) == 0 && strings.Count(stack, "type: OS::Mistral::Workflow\n") != 1 {
				t.Errorf("the workflow is no resource:\n%s", stack)
			}
		})
	}
}

// TestBackwardStepsMakeNoCircle: Heat turns the order of deployments round by itself when it deletes and suspends, so steps
// of these actions add an order only between components that no other action orders.
func TestBackwardStepsMakeNoCircle(t *testing.T) {
	t.Parallel()
	text := "heat_template_version: 2018-08-31\ncomponent_types:\n  both: {tool: script, configs: {CREATE: '#!/bin/sh', DELETE: '#!/bin/sh'}}\n  gone: {tool: script, configs: {DELETE: '#!/bin/sh'}}\n" +
		"resources:\n  s:\n    type: OS::Nova::Server\n    properties: {image: i}\n    components:\n" +
		"      a: {component_type: both}\n      b: {component_type: both, depends_on: [s.a]}\n      c: {component_type: gone, depends_on: [s.b]}\n"
	out, found := emit.Find("software-deployment").Emit(load(t, ".", "template.yaml", []byte(text)), plain.Options{})
	root, faults := source.Parse(plain.StackFile, out.File(plain.StackFile).Text)
	if len(found) > 0 || faults.HasErrors() {
		t.Fatal(found, faults)
	}
	got := map[string][]string{}
	for _, p := range root.Get("resources").Pairs {
		if after := p.Value.Get("depends_on"); after != nil {
			for _, n := range after.Items {
				got[p.Key.Text] = append(got[p.Key.Text], n.Text)
			}
		}
	}
	if d := cmp.Diff(map[string][]string{"s_b": {"s_a"}, "s_c": {"s_b"}}, got); d != "" {
		t.Errorf("depends_on (-want +got):\n%s", d)
	}
}
