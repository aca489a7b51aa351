package jinja

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/value"
)

// TestMistralAgrees runs the expressions of testdata/mistral.jsonl, whose results are those of Mistral 15 itself: the
// first line holds the context, each further one an expression with its value, its error, or (mode parse) only
// whether it can be parsed.
func TestMistralAgrees(t *testing.T) {
	t.Parallel()
	f, err := os.Open("testdata/mistral.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	var data *value.Map
	for n := 0; lines.Scan(); n++ {
		v, err := value.ParseJSON(lines.Text())
		if err != nil {
			t.Fatal(err)
		}
		c := v.(*value.Map)
		if n == 0 {
			data = field(c, "data").(*value.Map)
			continue
		}
		expression := field(c, "expression").(string)
		t.Run(expression, func(t *testing.T) {
			t.Parallel()
			check(t, expression, c, data)
		})
	}
}

func check(t *testing.T, expression string, c, data *value.Map) {
	wantErr, _ := field(c, "error").(string)
	if field(c, "mode") == "parse" {
		got := ""
		if err := Check(expression); err != nil {
			got = "TemplateSyntaxError: " + err.Message
		}
		if got != wantErr {
			t.Errorf("got %q, want %q", got, wantErr)
		}
		return
	}
	got, err := Evaluate(expression, &Context{Vars: value.MapOf("_", data, "__env", field(data, "__env"))})
	gotErr := ""
	if err != nil {
		gotErr = err.Error()
		if e, ok := err.(*value.Error); ok {
			gotErr = e.Class + ": " + e.Msg
		}
	}
	if gotErr != wantErr {
		t.Fatalf("got error %q, want %q", gotErr, wantErr)
	}
	if err != nil {
		return
	}
	if diff := cmp.Diff(text(t, field(c, "result")), text(t, got)); diff != "" {
		t.Error(diff)
	}
}

func field(m *value.Map, key string) any {
	v, _ := m.GetStr(key)
	return v
}

func text(t *testing.T, v any) string {
	t.Helper()
	s, err := value.JSON(v, value.JSONOptions{SortKeys: true, Default: func(v any) (any, error) {
		switch v := v.(type) {
		case value.Tuple:
			return []any(v), nil
		case value.ItemsView:
			out := make([]any, v.M.Len())
			for i := range out {
				out[i] = []any(v.Item(i))
			}
			return out, nil
		}
		return nil, value.Errorf("TypeError", "%T", v)
	}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCheckSaysWhere(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"{{ a b }}":              5,
		"ab {{ 1 + }}":           10,
		"{% if a %}{% endfor %}": 13,
		"{{ é ~ ! }}":            8,
	} {
		err := Check(text)
		if err == nil || err.Offset != want {
			t.Errorf("%q: got %+v, want offset %d", text, err, want)
		}
	}
}

func TestLimitsHold(t *testing.T) {
	t.Parallel()
	loop := "{% for a in range(1000) %}{% for b in range(1000) %}{% for c in range(1000) %}x{% endfor %}{% endfor %}{% endfor %}{{ 1 }}"
	for name, text := range map[string]string{
		"loops":     loop,
		"long text": "{{ 'abc' * 100000000 }}",
		"long list": "{{ [1] * 100000000 }}",
		"power":     "{{ 10 ** (10 ** 10) }}",
		"doubling":  "{% set ns = namespace(s='x') %}{% for i in range(60) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}{{ ns.s }}",
		"recursion": "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
		"nesting":   "{{ " + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000) + " }}",
		"padding":   "{{ 'x'.center(999999999) }}",
		"format":    "{{ '%999999999d' % 1 }}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if v, err := Evaluate(text, &Context{}); err == nil {
				t.Errorf("no error, but %.60v", v)
			}
		})
	}
}

func FuzzEvaluate(f *testing.F) {
	data, err := os.ReadFile("testdata/mistral.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	for _, line := range strings.Split(string(data), "\n") {
		if v, err := value.ParseJSON(line); err == nil {
			if s, ok := field(v.(*value.Map), "expression").(string); ok {
				f.Add(s)
			}
		}
	}
	vars := value.MapOf("_", value.MapOf("a", int64(1), "l", []any{int64(2), "x"}, "d", value.MapOf("k", nil)))
	f.Fuzz(func(_ *testing.T, text string) {
		_ = Check(text)
		_, _ = Evaluate(text, &Context{Vars: vars, Limits: Limits{Steps: 20_000, Output: 1 << 16}})
	})
}
