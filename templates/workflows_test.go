package templates_test

import (
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/templates"
)

var update = flag.Bool("update", false, "add to the record of published inputs what is new")

func read(t *testing.T, path string) *source.File {
	t.Helper()
	text, err := fs.ReadFile(templates.FS(), path)
	if err != nil {
		t.Fatal(err)
	}
	return &source.File{Path: path, Text: text}
}

func workbook(t *testing.T, name string) *workflow.Document {
	t.Helper()
	doc, found := workflow.Parse(read(t, templates.Workbook(name)), workflow.Auto)
	found.Add(workflow.Lint(doc, workflow.LintOptions{})...)
	for _, d := range found {
		t.Error(d)
	}
	if doc.Kind != workflow.Workbook || len(doc.Workflows) == 0 {
		t.Fatalf("%s is a %s of %d workflows", name, doc.Kind, len(doc.Workflows))
	}
	return doc
}

// published are the workflows that are offered: those with a tag. The others are their parts.
func published(doc *workflow.Document) []*workflow.Workflow {
	var out []*workflow.Workflow
	for _, w := range doc.Workflows {
		if slices.Contains(w.Tags, "hotloom") {
			out = append(out, w)
		}
	}
	return out
}

func sub(v any, keys ...string) any {
	for _, key := range keys {
		m, ok := v.(*value.Map)
		if !ok {
			return nil
		}
		v, _ = m.GetStr(key)
	}
	return v
}

var types = map[string]func(any) bool{
	"any":     func(any) bool { return true },
	"string":  func(v any) bool { _, ok := v.(string); return ok },
	"boolean": func(v any) bool { _, ok := v.(bool); return ok },
	"integer": func(v any) bool { return value.IsInt(v) },
	"list":    func(v any) bool { _, ok := v.([]any); return ok },
	"mapping": func(v any) bool { _, ok := v.(*value.Map); return ok },
}

// TestSchemasDescribeTheInputs compares each workbook with the schema beside it.
func TestSchemasDescribeTheInputs(t *testing.T) {
	t.Parallel()
	for _, book := range templates.Workbooks() {
		file := read(t, templates.WorkbookSchema(book))
		root, findings := source.Parse(file.Path, file.Text)
		if findings.HasErrors() {
			t.Fatal(findings)
		}
		schema := workflow.Value(root)
		if got := sub(schema, "workbook"); got != book {
			t.Errorf("%s describes %v", file.Path, got)
		}
		described, _ := sub(schema, "workflows").(*value.Map)
		offered := published(workbook(t, book))
		if described.Len() != len(offered) {
			t.Errorf("%s describes %d workflows, %s offers %d", file.Path, described.Len(), book, len(offered))
		}
		for _, w := range offered {
			if w.Description == "" {
				t.Errorf("%s has no description", w.FullName())
			}
			checkSchema(t, w, sub(described, w.Name))
		}
	}
}

func checkSchema(t *testing.T, w *workflow.Workflow, schema any) {
	t.Helper()
	inputs, ok := sub(schema, "inputs").(*value.Map)
	if !ok || inputs.Len() != len(w.Input) {
		t.Errorf("%s: its %d inputs are not those of the schema", w.FullName(), len(w.Input))
		return
	}
	for _, p := range w.Input {
		in := sub(inputs, p.Name)
		kind, _ := sub(in, "type").(string)
		switch {
		case types[kind] == nil:
			t.Errorf("%s, input %s: type %q", w.FullName(), p.Name, kind)
		case value.Str(sub(in, "description")) == "None":
			t.Errorf("%s, input %s has no description", w.FullName(), p.Name)
		case p.HasDefault == (sub(in, "required") == true):
			t.Errorf("%s, input %s: the schema says required: %v", w.FullName(), p.Name, sub(in, "required"))
		case p.HasDefault && !value.Equal(p.Default, sub(in, "default")):
			t.Errorf("%s, input %s: default %v, in the schema %v", w.FullName(), p.Name, p.Default, sub(in, "default"))
		case p.HasDefault && !types[kind](p.Default):
			t.Errorf("%s, input %s: the default %v is no %s", w.FullName(), p.Name, p.Default, kind)
		}
	}
	outputs, _ := sub(schema, "outputs").(*value.Map)
	var got, want []string
	for k := range w.Output.All() {
		got = append(got, value.Str(k))
	}
	for k := range outputs.All() {
		want = append(want, value.Str(k))
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s, outputs (-schema +workflow):\n%s", w.FullName(), diff)
	}
}

// TestPublishedInputsDoNotChange fails when an input of a published workflow goes, changes its default, or becomes
// required, and when one is added without a default: that needs a new version. -update records what is new.
func TestPublishedInputsDoNotChange(t *testing.T) {
	t.Parallel()
	const record = "testdata/published.json"
	was := map[string]map[string]string{}
	text, err := os.ReadFile(record)
	if err == nil {
		err = json.Unmarshal(text, &was)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, book := range templates.Workbooks() {
		for _, w := range published(workbook(t, book)) {
			name := w.FullName()
			old, known := was[name]
			if !known {
				old = map[string]string{}
			}
			now := map[string]string{}
			for _, p := range w.Input {
				now[p.Name] = "required"
				if p.HasDefault {
					now[p.Name] = "default " + value.Repr(p.Default)
				}
				if _, there := old[p.Name]; !there && known && !p.HasDefault {
					t.Errorf("%s has a new input %s without a default: its callers do not give it", name, p.Name)
				} else if !there && !*update {
					t.Errorf("%s has a new input %s: record it with -update", name, p.Name)
				}
			}
			for input, how := range old {
				if now[input] != how {
					t.Errorf("%s, input %s: it was %s, now it is %q; callers rely on it, make a new version", name, input, how, now[input])
					now[input] = how
				}
			}
			was[name] = now
		}
	}
	for name := range was {
		if templates.Workbook(name) == "" || workbook(t, name).Workflow(name) == nil {
			t.Errorf("the published workflow %s is gone", name)
		}
	}
	if *update {
		text, err := json.MarshalIndent(was, "", "\t")
		if err == nil {
			err = os.WriteFile(record, append(text, '\n'), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
