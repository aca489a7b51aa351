package evaluate_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/evaluate"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/yaql"
)

// TestExcerptPointsAtTheFault shows a failure as a terminal does.
func TestExcerptPointsAtTheFault(t *testing.T) {
	t.Parallel()
	l := evaluate.Language{Dialect: yaql.Mistral}
	for text, want := range map[string][2]string{
		"1 + foo(2)":           {`1:5: Unknown function "foo"`, "  1 + foo(2)\n      ^^^^^^"},
		"é: <% 1 + %>":         {"1:10: Parse error: unexpected end of statement", "  é: <% 1 + %>\n           ^"},
		"<% [1,\t2].nope() %>": {`1:11: Unknown method "nope" for receiver (1, 2)`, "  <% [1,\t2].nope() %>\n        \t   ^^^^^^"},
		"<% $.a %>":            {"1:6: KeyError: 'a'", "  <% $.a %>\n       ^"},
	} {
		data, _ := evaluate.ParseData("", "{}")
		l := l
		l.Data = data
		_, fault := l.Eval(context.Background(), "", text)
		if fault == nil {
			t.Errorf("%s: no failure", text)
			continue
		}
		if diff := cmp.Diff(want, [2]string{fault.Error(), fault.Excerpt()}); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// TestResultsThatJSONLacks are maps of one key.
func TestResultsThatJSONLacks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"set(b, a)":                             `{"__set__": ["a", "b"]}`,
		"timespan(seconds => 1)":                `{"__span__": 1.0}`,
		"datetime(2020, 1, 2).date":             `{"__time__": "2020-01-02T00:00:00+00:00"}`,
		"float(inf)":                            `{"__float__": "inf"}`,
		"dict([[1, 2], [a, [b]]])":              `{"__pairs__": [[1, 2], ["a", ["b"]]]}`,
		"regex('a+')":                           `{"__type__": "regex", "pattern": "a+"}`,
		"[é, 1.0, 100000000000 * 100000000000]": `["é", 1.0, 10000000000000000000000]`,
	} {
		v, fault := evaluate.Language{}.Eval(context.Background(), "", text)
		if fault != nil {
			t.Errorf("%s: %v", text, fault)
			continue
		}
		got, err := evaluate.JSON(v, 0)
		if err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", text, got, err, want)
		}
	}
}

// TestHOTWithoutTemplate declares what is given.
func TestHOTWithoutTemplate(t *testing.T) {
	t.Parallel()
	files := source.NewFiles(source.FilesOptions{Read: func(string) ([]byte, error) {
		return []byte("parameters: {n: 3, l: [a, {b: 1}], t: true}"), nil
	}})
	c := evaluate.Context{Environments: []string{"env.yaml"}, Params: []evaluate.Param{{Name: "s", Value: "a,b"}}}
	if err := c.Load(files); err != nil {
		t.Fatal(err)
	}
	v, fault := c.Eval("", "[{get_param: n}, {get_param: [l, 1, b]}, {get_param: t}, {get_param: s}, {get_param: OS::stack_id}]")
	if fault != nil {
		t.Fatal(fault)
	}
	got, _ := evaluate.JSON(v, 0)
	if want := `[3, 1, true, "a,b", {"__unknown__": "OS::stack_id"}]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	_, fault = c.Eval("", "{equals: [1, 1]")
	if fault == nil || fault.Start.Line != 1 {
		t.Errorf("got %v", fault)
	}
}
