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
