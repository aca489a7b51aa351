package lsp

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sourcegraph/jsonrpc2"
)

// places are ranges as file:line:column-column, from 1.
func (c *client) places(list []location) []string {
	out := []string{}
	for _, l := range list {
		out = append(out, strings.TrimPrefix(l.URI, c.uri(""))[1:]+":"+itoa(l.Range.Start.Line+1)+":"+itoa(l.Range.Start.Character+1)+"-"+itoa(l.Range.End.Character+1))
	}
	slices.Sort(out)
	return out
}

const types = `heat_template_version: 2018-08-31
component_types:
  own:
    tool: script
    inputs: {who: {type: String}}
    outputs: {done: {type: String}}
resources:
  host:
    type: OS::Nova::Server
    properties: {flavor: f, image: {get_file: data.txt}}
    components:
      first: {component_type: own, params: {who: me}}
  other:
    type: OS::Nova::Server
    properties: {flavor: f}
    components:
      - second: {component_type: own, params: {who: {get_attr: [host, components, first, done]}}, depends_on: [host.first]}
`

func TestDefinitionLeadsThere(t *testing.T) {
	t.Parallel()
	const flow = "version: '2.0'\nname: book\nactions:\n  hello: {base: std.noop}\nworkflows:\n  main:\n    tasks:\n      a: {action: hello, on-success: [b]}\n      b: {workflow: sub}\n  sub:\n    tasks:\n      c: {action: book.hello}\n"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"parameter", strings.Replace(shop, "{get_param: flavor}, image", "{get_param: fl|avor}, image", 1), []string{"t.yaml:3:3-9"}},
		{"resource", strings.Replace(shop, "get_resource: net}", "get_resource: |net}", 1), []string{"t.yaml:8:3-6"}},
		{"dependency", strings.Replace(shop, "[db]", "[db|]", 1), []string{"t.yaml:10:3-5"}},
		{"condition", strings.Replace(shop, "condition: large", "condition: larg|e", 1), []string{"t.yaml:6:3-8"}},
		{"condition of if", shop + "outputs:\n  x: {value: {if: [la|rge, 1, 2]}}\n", []string{"t.yaml:6:3-8"}},
		{"itself", strings.Replace(shop, "  net:", "  n|et:", 1), []string{"t.yaml:8:3-6"}},
		{"component", strings.Replace(types, "components, first", "components, fi|rst", 1), []string{"t.yaml:12:7-12"}},
		{"host of a component", strings.Replace(types, "[host.first]", "[ho|st.first]", 1), []string{"t.yaml:8:3-7"}},
		{"component of a host", strings.Replace(types, "[host.first]", "[host.fir|st]", 1), []string{"t.yaml:12:7-12"}},
		{"component type", strings.Replace(types, "component_type: own, params: {who: me", "component_type: o|wn, params: {who: me", 1), []string{"t.yaml:3:3-6"}},
		{"input", strings.Replace(types, "{who: me", "{w|ho: me", 1), []string{"t.yaml:5:14-17"}},
		{"output", strings.Replace(types, "first, done", "first, do|ne", 1), []string{"t.yaml:6:15-19"}},
		{"file", strings.Replace(types, "data.txt", "da|ta.txt", 1), []string{"data.txt:1:1-5"}},
		{"type of the library", strings.Replace(types, "component_type: own, params: {who: me", "component_type: mari|adb, params: {who: me", 1), []string{}},
		{"template", strings.Replace(outer, "inner.yaml", "inn|er.yaml", 1), []string{"inner.yaml:1:1-22"}},
		{"parameter of a template", strings.Replace(outer, "{size:", "{si|ze:", 1), []string{"inner.yaml:3:3-7"}},
		{"output of a template", strings.Replace(outer, "port]", "po|rt]", 1), []string{"inner.yaml:7:3-7"}},
		{"task", strings.Replace(flow, "[b]", "[|b]", 1), []string{"t.yaml:9:7-8"}},
		{"action", strings.Replace(flow, "action: hello", "action: hel|lo", 1), []string{"t.yaml:4:3-8"}},
		{"action of the workbook", strings.Replace(flow, "book.hello", "book.hel|lo", 1), []string{"t.yaml:4:3-8"}},
		{"workflow", strings.Replace(flow, "workflow: sub", "workflow: s|ub", 1), []string{"t.yaml:10:3-6"}},
		{"registry", "resource_registry:\n  My::T: inn|er.yaml\n", []string{"inner.yaml:1:1-22"}},
		{"nothing", strings.Replace(shop, "image: debian", "image: deb|ian", 1), []string{}},
		{"broken", shop + "outputs:\n  x: {value: {get_param: fla|vor\n", []string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cl := start(t, modern, map[string]string{"inner.yaml": inner, "data.txt": "text\n"})
			var got []location
			cl.call("textDocument/definition", cl.at("t.yaml", c.text), &got)
			if diff := cmp.Diff(c.want, cl.places(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestReferencesAreAllPlaces(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"parameter", strings.Replace(shop, "  flavor: {", "  fla|vor: {", 1), []string{"t.yaml:12:38-44", "t.yaml:3:3-9", "t.yaml:6:32-38"}},
		{"resource", strings.Replace(types, "  host:", "  h|ost:", 1), []string{"t.yaml:17:112-116", "t.yaml:17:65-69", "t.yaml:8:3-7"}},
		{"component", strings.Replace(types, "      first:", "      fir|st:", 1), []string{"t.yaml:12:7-12", "t.yaml:17:117-122", "t.yaml:17:83-88"}},
		{"component type", strings.Replace(types, "  own:", "  ow|n:", 1), []string{"t.yaml:12:31-34", "t.yaml:17:34-37", "t.yaml:3:3-6"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cl := start(t, modern, nil)
			p := referenceParams{positionParams: cl.at("t.yaml", c.text)}
			p.Context.IncludeDeclaration = true
			var got []location
			cl.call("textDocument/references", p, &got)
			if diff := cmp.Diff(c.want, cl.places(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			var marks []documentHighlight
			cl.call("textDocument/documentHighlight", p.positionParams, &marks)
			if len(marks) != len(c.want) {
				t.Errorf("%d are marked", len(marks))
			}
			p.Context.IncludeDeclaration = false
			cl.call("textDocument/references", p, &got)
			if len(got) != len(c.want)-1 {
				t.Errorf("without the definition: %v", cl.places(got))
			}
		})
	}
}

func TestRenameChangesAllPlaces(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text, to, want string // want is a replacement old→new of the text, or what is wrong
	}{
		{"resource", strings.Replace(types, "  host:", "  h|ost:", 1), "box", strings.NewReplacer("  host:", "  box:", "[host,", "[box,", "[host.", "[box.").Replace(types)},
		{"component", strings.Replace(types, "components, first", "components, fi|rst", 1), "zero", strings.NewReplacer(" first:", " zero:", " first,", " zero,", ".first", ".zero").Replace(types)},
		{"condition", strings.Replace(shop, "condition: large", "condition: lar|ge", 1), "big", strings.NewReplacer("  large:", "  big:", "condition: large", "condition: big").Replace(shop)},
		{"quoted", strings.Replace(shop, "get_resource: net}", "get_resource: 'n|et'}", 1), "web", strings.NewReplacer("  net:", "  web:", "get_resource: net}", "get_resource: web}").Replace(shop)},
		{"taken", strings.Replace(types, "  host:", "  h|ost:", 1), "other", "there is a resource other already"},
		{"taken by a parameter", strings.Replace(shop, "  net:", "  n|et:", 1), "flavor", "a parameter has the name"},
		{"no name", strings.Replace(types, "  host:", "  h|ost:", 1), "a b", "a name consists of"},
		{"a number", strings.Replace(types, "  host:", "  h|ost:", 1), "123", "a name consists of"},
		{"parameter", strings.Replace(shop, "  flavor: {", "  fla|vor: {", 1), "size", "only resources"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cl := start(t, modern, nil)
			var edit workspaceEdit
			err := cl.try("textDocument/rename", renameParams{positionParams: cl.at("t.yaml", c.text), NewName: c.to}, &edit)
			var fault *jsonrpc2.Error
			if errors.As(err, &fault) {
				if !strings.Contains(fault.Message, c.want) {
					t.Errorf("got %v, want %s", err, c.want)
				}
				return
			}
			text, _ := marked(t, c.text)
			got := edited(text, edit)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			var prepared struct{ Placeholder string }
			cl.call("textDocument/prepareRename", cl.at("t.yaml", c.text), &prepared)
			if prepared.Placeholder == "" {
				t.Error("no name to begin with")
			}
		})
	}
}

// edited makes the edits of one document.
func edited(text string, e workspaceEdit) string {
	var edits []textEdit
	for _, d := range e.DocumentChanges {
		edits = append(edits, d.Edits...)
	}
	for _, list := range e.Changes {
		edits = append(edits, list...)
	}
	slices.SortFunc(edits, func(a, b textEdit) int { // the last first
		if a.Range.Start.Line != b.Range.Start.Line {
			return b.Range.Start.Line - a.Range.Start.Line
		}
		return b.Range.Start.Character - a.Range.Start.Character
	})
	t := newText([]byte(text))
	for _, x := range edits {
		t = t.change(contentChange{Range: &x.Range, Text: x.NewText}, utf16Units)
	}
	return string(t.bytes)
}

func TestSymbolsAreATree(t *testing.T) {
	t.Parallel()
	cl := start(t, modern, nil)
	cl.open("t.yaml", types)
	var got []documentSymbol
	cl.call("textDocument/documentSymbol", documentParams{textDocument{cl.uri("t.yaml")}}, &got)
	var lines []string
	var list func(indent string, symbols []documentSymbol)
	list = func(indent string, symbols []documentSymbol) {
		for _, s := range symbols {
			lines = append(lines, strings.TrimRight(indent+s.Name+" "+s.Detail, " "))
			if s.Selection.Start.Line < s.Range.Start.Line || s.Selection.End.Line > s.Range.End.Line {
				t.Errorf("%s: the name is not within %+v", s.Name, s.Range)
			}
			list(indent+"  ", s.Children)
		}
	}
	list("", got)
	want := "component_types\n  own script\nresources\n  host OS::Nova::Server\n    first own\n  other OS::Nova::Server\n    second own"
	if diff := cmp.Diff(want, strings.Join(lines, "\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	old := start(t, `{}`, nil)
	old.open("t.yaml", types)
	var flat []symbolInformation
	old.call("textDocument/documentSymbol", documentParams{textDocument{old.uri("t.yaml")}}, &flat)
	if len(flat) != 7 || flat[4].Name != "first" || flat[4].Container != "host" {
		t.Errorf("got %+v", flat)
	}
}
