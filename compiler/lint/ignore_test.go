package lint_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/lint"
)

// rulesAt lists rule and line of each finding.
func rulesAt(r *lint.Report) string {
	var out []string
	for _, d := range r.Diagnostics {
		out = append(out, fmt.Sprintf("%s:%d", d.Rule, d.Start.Line))
	}
	return strings.Join(out, " ")
}

func TestFindingsAreSilencedWhereTheAuthorSays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"on the line":   {"  a: {type: string}  # hotloom: ignore=unused-parameter\n  b: {type: string}\n", "unused-parameter:4"},
		"line above":    {"  # hotloom: ignore=unused-parameter\n  a: {type: string}\n  b: {type: string}\n", "unused-parameter:5"},
		"several rules": {"  # hotloom: ignore=x,unused-parameter why not\n  a: {type: string}\n", ""},
		"other rule":    {"  a: {type: string}  # hotloom: ignore=property-type\n", "unused-parameter:3"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := rulesAt(one(t, "heat_template_version: 2018-08-31\nparameters:\n"+c.text))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMetadataSilencesARuleInItsResource(t *testing.T) {
	t.Parallel()
	got := rulesAt(one(t, `heat_template_version: 2018-08-31
resources:
  a:
    type: OS::Heat::RandomString
    metadata: {hotloom: {ignore: [property-type]}}
    properties: {length: [1]}
  b:
    type: OS::Heat::RandomString
    properties: {length: [1]}
`))
	if want := "property-type:9"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestIgnoredErrorsMakeAFileValid(t *testing.T) {
	t.Parallel()
	r := one(t, "heat_template_version: 2018-08-31\nresources:\n  a: {type: No::Such}  # hotloom: ignore=unknown-resource-type\n")
	if !r.Files[0].Valid || r.Invalid() {
		t.Error("the only error is ignored, and the file counts as invalid")
	}
}

func TestBaselineHidesWhatIsKnownAndCountsIt(t *testing.T) {
	t.Parallel()
	const head = "heat_template_version: 2018-08-31\nparameters:\n"
	before := one(t, head+"  a: {type: string}\n")
	path := filepath.Join(t.TempDir(), "base.json")
	if err := lint.NewBaseline(before.Diagnostics).Save(path); err != nil {
		t.Fatal(err)
	}
	b, err := lint.LoadBaseline(path)
	if err != nil {
		t.Fatal(err)
	}
	after := oneWith(t, head+"  # moved down\n  a: {type: string}\n  b: {type: string}\n", lint.Options{Baseline: b})
	if got := rulesAt(after); got != "unused-parameter:5" || after.Known != 1 {
		t.Errorf("%s, known %d", got, after.Known)
	}
	for _, bad := range []string{"", "{}", `{"version": 2}`} {
		writeFile(t, path, bad)
		if _, err := lint.LoadBaseline(path); err == nil {
			t.Errorf("baseline %q was accepted", bad)
		}
	}
}
