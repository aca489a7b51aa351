package hot_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// FuzzTemplate reads any bytes as a template and as an environment and checks them: nothing may panic, and what is
// found must have a place.
func FuzzTemplate(f *testing.F) {
	for _, pattern := range []string{"testdata/findings/*.yaml", "testdata/environments/*.yaml", "../function/testdata/findings/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	f.Add([]byte("heat_template_version: rocky\nconditions: {a: {not: a}, b: {or: [a, b]}}\nresources: {r: {type: x, condition: b}}"))
	f.Add([]byte(`{"AWSTemplateFormatVersion": "2010-09-09", "Resources": {"A": {"Type": "x", "Properties": {"p": {"Ref": ["A"]}}}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		root, found := source.Parse("t.yaml", text)
		tmpl, more := hot.LoadTemplate(root)
		found.Add(more...)
		env, more := hot.LoadEnvironment(root)
		found.Add(more...)
		merged, more := hot.MergeEnvironments([]*hot.Environment{env, env}, tmpl.Parameter)
		found.Add(more...)
		params, more := tmpl.Resolve(merged)
		found.Add(more...)
		found.Add(function.NewScope(tmpl, params).Check()...)
		for _, d := range found {
			if d.Rule == "" || d.Message == "" || d.Path == "" {
				t.Errorf("a finding without rule, message or place: %+v", d)
			}
		}
	})
}
