package lint_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/lint"
)

func TestFixesChangeWhatTheRuleSaysAndNoMore(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, after string }{
		"old property": {
			"resources:\n  p:\n    type: OS::Neutron::Port\n    properties: {network_id: a, fixed_ips: [{subnet_id: b}]}  # kept\n",
			"resources:\n  p:\n    type: OS::Neutron::Port\n    properties: {network: a, fixed_ips: [{subnet: b}]}  # kept\n",
		},
		"both names are left alone": {
			"resources:\n  p:\n    type: OS::Neutron::Port\n    properties: {network_id: a, network: a}\n",
			"resources:\n  p:\n    type: OS::Neutron::Port\n    properties: {network_id: a, network: a}\n",
		},
		"old type in quotes": {
			"resources:\n  p:\n    type: 'OS::Quantum::Net'\n",
			"resources:\n  p:\n    type: 'OS::Neutron::Net'\n",
		},
		"scalars that are text": {
			"parameters:\n  p: {type: string, default: 012}\noutputs:\n  v: {value: [{get_param: p}, 012]}\n",
			"parameters:\n  p: {type: string, default: '012'}\noutputs:\n  v: {value: [{get_param: p}, 012]}\n",
		},
		"references of 2013": {
			"component_types:\n  s: {tool: script, inputs: {k: {type: String}}, config: x}\nresources:\n  a: {type: OS::Heat::RandomString}\n  w:\n    type: OS::Nova::Server\n    properties: {image: i, flavor: f}\n    components:\n      s: {component_type: s, params: {k: {ref: a}}}\n",
			"component_types:\n  s: {tool: script, inputs: {k: {type: String}}, config: x}\nresources:\n  a: {type: OS::Heat::RandomString}\n  w:\n    type: OS::Nova::Server\n    properties: {image: i, flavor: f}\n    components:\n      s: {component_type: s, params: {k: {get_resource: a}}}\n",
		},
		"line ends of Windows": {
			"resources:\r\n  p:\r\n    type: OS::Neutron::Port\r\n    properties:\r\n      network_id: a\r\n",
			"resources:\r\n  p:\r\n    type: OS::Neutron::Port\r\n    properties:\r\n      network: a\r\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const head = "heat_template_version: 2018-08-31\n"
			if diff := cmp.Diff(head+c.after, fixed(t, head+c.before)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// fixed applies the fixes of a text until there are none.
func fixed(tb testing.TB, text string) string {
	tb.Helper()
	for range 5 {
		out, err := one(tb, text).Fixed()
		if err != nil {
			tb.Fatal(err)
		}
		if len(out) == 0 {
			return text
		}
		text = string(out["t.yaml"])
	}
	tb.Fatal("fixes never end")
	return ""
}

// FuzzLint looks for panics, for findings outside the text, and for fixes that add an error.
func FuzzLint(f *testing.F) {
	for _, id := range lint.RuleIDs() {
		_, examples := lint.Examples(id)
		for _, e := range examples {
			f.Add(e.Files[e.Main])
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4000 {
			return
		}
		before := one(t, text)
		for _, d := range before.Diagnostics {
			if d.Rule == "" || d.Message == "" || lint.RuleByID(d.Rule) == nil {
				t.Fatalf("finding without a rule or a message: %+v", d)
			}
		}
		out, err := before.Fixed()
		if err != nil {
			t.Fatal(err)
		}
		if len(out) == 0 {
			return
		}
		after := one(t, string(out["t.yaml"]))
		if !before.Diagnostics.HasErrors() && after.Diagnostics.HasErrors() {
			t.Errorf("fixes made errors:\n%v", errorsOf(after))
		}
	})
}

func errorsOf(r *lint.Report) (out diag.List) {
	for _, d := range r.Diagnostics {
		if d.Severity == diag.Error {
			out.Add(d)
		}
	}
	return out
}
