package lsp

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestActionsOfferWaysOut(t *testing.T) {
	t.Parallel()
	const head = "heat_template_version: 2018-08-31\n"
	for _, c := range []struct {
		name, text string // the cursor is in the finding
		want       map[string]string
	}{
		{"a misspelt word", head + "resources:\n  net: {type: OS::Neutron::Net, properties: {nm|ae: x}}\n", map[string]string{
			"Change to name":               head + "resources:\n  net: {type: OS::Neutron::Net, properties: {name: x}}\n",
			"Ignore unknown-property here": head + "resources:\n  # hotloom: ignore=unknown-property\n  net: {type: OS::Neutron::Net, properties: {nmae: x}}\n",
		}},
		{"a misspelt word in quotes", head + "resources:\n  net: {type: 'OS::Neutron::N|tt'}\n", map[string]string{
			"Change to OS::Neutron::Net":        head + "resources:\n  net: {type: 'OS::Neutron::Net'}\n",
			"Ignore unknown-resource-type here": head + "resources:\n  # hotloom: ignore=unknown-resource-type\n  net: {type: 'OS::Neutron::Ntt'}\n",
		}},
		{"a fix", head + "resources:\n  a: {type: 'OS::Quantum|::Net'}\n  b: {type: OS::Quantum::Net}\n", map[string]string{
			"write OS::Neutron::Net":         head + "resources:\n  a: {type: 'OS::Neutron::Net'}\n  b: {type: OS::Quantum::Net}\n",
			"Ignore deprecated-type here":    head + "resources:\n  # hotloom: ignore=deprecated-type\n  a: {type: 'OS::Quantum::Net'}\n  b: {type: OS::Quantum::Net}\n",
			"hotloom: make all safe changes": head + "resources:\n  a: {type: 'OS::Neutron::Net'}\n  b: {type: OS::Neutron::Net}\n",
		}},
		{"a comment that is there", head + "resources:\n  # hotloom: ignore=open-ingress\n  net: {type: OS::Neutron::Net, properties: {n|xyz: x}}\n", map[string]string{
			"Ignore unknown-property here": head + "resources:\n  # hotloom: ignore=open-ingress,unknown-property\n  net: {type: OS::Neutron::Net, properties: {nxyz: x}}\n",
		}},
		{"lines of Windows", strings.ReplaceAll(head+"resources:\n  net: {type: OS::Neutron::Net, properties: {n|xyz: x}}\n", "\n", "\r\n"), map[string]string{
			"Ignore unknown-property here": strings.ReplaceAll(head+"resources:\n  # hotloom: ignore=unknown-property\n  net: {type: OS::Neutron::Net, properties: {nxyz: x}}\n", "\n", "\r\n"),
		}},
		{"JSON has no comments", "{\"heat_template_version\": \"2018-08-31\", \"resources\": {\"net\": {\"type\": \"OS::Neutron::Net\", \"properties\": {\"n|xyz\": 1}}}}", map[string]string{}},
		{"a misspelt action", "version: '2.0'\nmain:\n  tasks:\n    a: {action: std.ec|o}\n", map[string]string{
			"Change to std.echo":                   "version: '2.0'\nmain:\n  tasks:\n    a: {action: std.echo}\n",
			"Ignore workflow-misspelt-action here": "version: '2.0'\nmain:\n  tasks:\n    # hotloom: ignore=workflow-misspelt-action\n    a: {action: std.eco}\n",
		}},
		{"elsewhere", head + "res|ources:\n  net: {type: OS::Neutron::Net, properties: {nxyz: x}}\n", map[string]string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cl := start(t, modern, nil)
			at := cl.at("t.yaml", c.text)
			text, _ := marked(t, c.text)
			got := map[string]string{}
			for _, a := range cl.actions(codeActionParams{Document: at.Document, Range: span{at.Position, at.Position}}) {
				got[a.Title] = edited(text, *a.Edit)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func (c *client) actions(p codeActionParams) []codeAction {
	c.t.Helper()
	var out []codeAction
	c.call("textDocument/codeAction", p, &out)
	return out
}

// TestIgnoredIsIgnored makes the edit and asks again.
func TestIgnoredIsIgnored(t *testing.T) {
	t.Parallel()
	cl := start(t, modern, nil)
	text := "heat_template_version: 2018-08-31\nresources:\n  net:\n    type: OS::Neutron::Net\n    properties:\n      a: 1\n      b: 1\n"
	cl.open("t.yaml", text)
	for version := 1; ; version++ {
		found := cl.await("t.yaml", version)
		if len(found) == 0 {
			break
		}
		if version > 2 {
			t.Fatalf("still there in\n%s", text)
		}
		p := codeActionParams{Document: textDocument{cl.uri("t.yaml")}, Range: found[0].Range}
		p.Context.Only = []string{quickFix}
		for _, a := range cl.actions(p) {
			if strings.HasPrefix(a.Title, "Ignore") {
				text = edited(text, *a.Edit)
			}
		}
		cl.change("t.yaml", version+1, contentChange{Text: text})
	}
}

func TestActionsOfOneKind(t *testing.T) {
	t.Parallel()
	cl := start(t, modern, nil)
	at := cl.at("t.yaml", "heat_template_version: 2018-08-31\nresources:\n  a: {type: OS::Quantum::N|et}\n")
	for only, want := range map[string]int{"quickfix": 2, "source.fixAll": 1, "source": 1, "source.fixAll.hotloom": 1, "refactor": 0, "": 3} {
		p := codeActionParams{Document: at.Document, Range: span{at.Position, at.Position}}
		p.Context.Only = []string{only}
		if got := cl.actions(p); len(got) != want {
			t.Errorf("%s: %+v", only, got)
		}
	}
}
