package jinja

import (
	"bufio"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

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

// hostile are texts that would run, grow or nest without end.
var hostile = map[string]string{
	"loops":            "{% for a in range(1000) %}{% for b in range(1000) %}{% for c in range(1000) %}x{% endfor %}{% endfor %}{% endfor %}{{ 1 }}",
	"long text":        "{{ 'abc' * 100000000 }}",
	"long list":        "{{ [1] * 100000000 }}",
	"power":            "{{ 10 ** (10 ** 10) }}",
	"power tower":      "{{ 9 ** (9 ** (9 ** 9)) }}",
	"doubling":         "{% set ns = namespace(s='x') %}{% for i in range(60) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}{{ ns.s }}",
	"doubling lists":   "{% set ns = namespace(s=[1]) %}{% for i in range(60) %}{% set ns.s = ns.s + ns.s %}{% endfor %}{{ ns.s }}",
	"shared lists":     "{% set ns = namespace(s=[1]) %}{% for i in range(60) %}{% set ns.s = [ns.s, ns.s] %}{% endfor %}{{ ns.s }}",
	"growing number":   "{% set ns = namespace(n=3) %}{% for i in range(90000) %}{% set ns.n = ns.n * ns.n %}{% endfor %}{{ ns.n }}",
	"recursion":        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
	"branching macros": "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(60) }}",
	"nesting":          "{{ " + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000) + " }}",
	"nested lists":     "{{ " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + " }}",
	"nested blocks":    strings.Repeat("{% if 1 %}", 3000) + strings.Repeat("{% endif %}", 3000) + "{{ 1 }}{{ 1 | nope }}",
	"padding":          "{{ 'x'.center(999999999) }}",
	"format":           "{{ '%999999999d' % 1 }}",
	"str.format":       "{{ '{:>999999999}'.format(1) }}",
	"indented JSON":    "{{ [1] | tojson(indent=100000000000000000000) }}",
	"indented text":    "{{ 'x' | indent(999999999, true) }}",
	"replacing":        "{% set ns = namespace(s='a') %}{% for i in range(60) %}{% set ns.s = ns.s | replace('a', 'aaaaaaaaaa') %}{% endfor %}{{ ns.s }}",
	"batch and fill":   "{{ [1] | batch(999999999, 0) | list }}",
	"slices":           "{{ [1] | slice(999999999) | list }}",
	"wide range":       "{{ range(-9000000000000000000, 9000000000000000000) | list }}",
	"many texts":       "{% set ns = namespace(l=[]) %}{% for i in range(1000) %}{% set ns.l = ns.l + ['x' * 4000000] %}{% endfor %}{{ ns.l | length }}",
	"sorting":          "{% for i in range(100000) %}{{ range(1000) | sort(reverse=true) | first }}{% endfor %}{{ 1 }}",
	"joined text":      "{{ range(100000) | join('x' * 1000) }}",
}

// TestHostileTextsEnd holds each to a tenth of a second of processor time and 64 MiB, and an error.
func TestHostileTextsEnd(t *testing.T) {
	for name, text := range hostile {
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		begin, busy := time.Now(), cpuTime()
		v, err := Evaluate(text, &Context{})
		took := time.Since(begin)
		if busy = cpuTime() - busy; busy > 0 {
			took = min(took, busy) // on a busy machine the clock tells about others
		}
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s: no error, but %.60v", name, v)
		}
		if took > 100*time.Millisecond && !raceDetector {
			t.Errorf("%s: took %v", name, took)
		}
		if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > 64<<20 {
			t.Errorf("%s: heap grew by %d MiB", name, grown>>20)
		}
		t.Logf("%-18s %8.1f ms %4d MiB allocated: %.80v", name, float64(took.Microseconds())/1000, (after.TotalAlloc-before.TotalAlloc)>>20, err)
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
	for _, text := range hostile {
		f.Add(text)
	}
	vars := value.MapOf("_", value.MapOf("a", int64(1), "l", []any{int64(2), "x"}, "d", value.MapOf("k", nil)))
	f.Fuzz(func(_ *testing.T, text string) {
		_ = Check(text)
		_, _ = Evaluate(text, &Context{Vars: vars, Limits: Limits{Steps: 20_000, Output: 1 << 16}})
	})
}
