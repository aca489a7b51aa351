package lint_test

import (
	"context"
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/source"
)

// TestTemplatesOfMembersAreChecked follows the file that the members of a group are of, as Heat does at create.
func TestTemplatesOfMembersAreChecked(t *testing.T) {
	t.Parallel()
	group := func(count string) string {
		return "heat_template_version: 2018-08-31\nresources:\n  g:\n    type: OS::Heat::ResourceGroup\n    properties:\n" +
			"      count: " + count + "\n      resource_def: {type: member.yaml}\n"
	}
	for name, c := range map[string]struct {
		count, member string
		want          []string
	}{
		"not YAML": {"2", "heat_template_version: 2018-08-31\nresources: [\n", []string{
			"member.yaml:2:12: error: the bracket that opens here is not closed [yaml-syntax] (close it with ])",
			`t.yaml:7:28: error: member.yaml is no template that Heat can read [broken-template]`,
		}},
		"an unknown type": {"2", "heat_template_version: 2018-08-31\nresources:\n  r: {type: No::Such}\n", []string{
			`member.yaml:3:13: error: unknown resource type "No::Such" [unknown-resource-type]`,
		}},
		"no members": {"0", "heat_template_version: 2018-08-31\nresources:\n  r: {type: No::Such}\n", []string{
			`member.yaml:3:13: warning: unknown resource type "No::Such" [unknown-resource-type]`,
		}},
		"of a stack of its own": {"", "heat_template_version: 2018-08-31\nresources:\n  r: {type: No::Such}\n", []string{
			`member.yaml:3:13: warning: unknown resource type "No::Such" [unknown-resource-type]`,
		}},
		"itself": {"2", group("1"), []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"t.yaml": group(c.count), "member.yaml": c.member}
			if c.count == "" {
				files["t.yaml"] = "heat_template_version: 2018-08-31\nresources:\n  s:\n    type: OS::Heat::Stack\n" +
					"    properties: {template: {get_file: member.yaml}}\n"
			}
			rep, err := lint.Run(context.Background(), []string{"t.yaml"}, lint.Options{
				Given: true,
				Files: source.NewFiles(source.FilesOptions{Read: func(p string) ([]byte, error) {
					if text, ok := files[p]; ok {
						return []byte(text), nil
					}
					return nil, fs.ErrNotExist
				}}),
			})
			if err != nil {
				t.Fatal(err)
			}
			if name == "itself" {
				if !rep.Diagnostics.HasErrors() {
					t.Error("a template whose members are of itself is refused")
				}
				return
			}
			got := []string{}
			for _, d := range rep.Diagnostics {
				if d.Severity != diag.Info {
					got = append(got, d.String())
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestValuesAreCheckedWhateverTheirPartsComeTo has values with parts that only Heat knows, and those of members.
func TestValuesAreCheckedWhateverTheirPartsComeTo(t *testing.T) {
	t.Parallel()
	head := "heat_template_version: 2013-05-23\nparameters: {later: {type: string}}\nresources:\n  r:\n    type: "
	value := head + "OS::Heat::Value\n    properties:\n      value: "
	group := func(name, definition, member string) string {
		return head + name + "\n    properties:\n      max_size: 2\n      min_size: 1\n      " + definition + ": {type: OS::Heat::RandomString, properties: " + member + "}\n"
	}
	for name, c := range map[string]struct{ text, want string }{
		"a map among texts":          {value + "{list_join: ['', [a, {b: {get_param: later}}]]}\n", "t.yaml:7:15: error"},
		"a list in a text":           {value + "{str_replace: {template: abc, params: {a: [{get_param: later}]}}}\n", "t.yaml:7:15: error"},
		"a text in a text":           {value + "{str_replace: {template: abc, params: {a: {get_param: later}}}}\n", ""},
		"a member's value":           {group("OS::Heat::AutoScalingGroup", "resource", "{length: abc, salt: {get_param: later}}"), "t.yaml:9:69: warning"},
		"a member's properties":      {group("OS::Heat::AutoScalingGroup", "resource", "{get_param: later}"), ""},
		"properties that are no map": {group("OS::Heat::AutoScalingGroup", "resource", "[{length: 5}, {get_param: later}]"), "t.yaml:9:60: error"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rep, err := lint.Run(context.Background(), []string{"t.yaml"}, lint.Options{
				Given: true,
				Files: source.NewFiles(source.FilesOptions{Read: func(string) ([]byte, error) { return []byte(c.text), nil }}),
			})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, d := range rep.Diagnostics {
				if d.Rule == "property-type" || d.Rule == "function-argument" || d.Rule == "group-member" {
					got += d.Location.String() + ": " + d.Severity.String()
				}
			}
			if got != c.want {
				t.Errorf("got %q, want %q:\n%v", got, c.want, rep.Diagnostics)
			}
		})
	}
}
