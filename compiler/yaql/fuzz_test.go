package yaql_test

import (
	"context"
	"testing"
	"unicode/utf8"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/yaql"
)

var seeds = []string{
	"", "$", "1 + 2 * 3", "$.a.b.where($ > 1).select($.c)", "let(x => 1) -> $x", "[1, 2][0]", "{a => 1, 'b' => [2]}",
	"'a\\n\\x41\\u00e9\\101'", "`verb\\`atim`", "f(, 1, a => 2)", "not 1 in [1]", "a?.b", "-1.foo()", "'\\N{BULLET}'",
	"regex('(a+)+b').search('aaaa')", "datetime('2020-01-01') + timespan(days => 1)", "'{0:>10}'.format(1)",
	"[3, 1].orderBy($).thenBy(-$)", "range(10).groupBy($ mod 3, $, $.sum())", "def(f, f($)) -> f(1)", "dict(a => 1).items()",
	"<% $.a %> and <% $.b %>", "switch($ > 1 => a, true => b)", "1.5.foo", "$__env", "__x", "'unclosed",
}

func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e, err := yaql.Parse(s)
		if (err == nil) != (e.Root != nil) {
			t.Fatal("neither tree nor error, or both")
		}
		n := utf8.RuneCountInString(s)
		if err != nil && (err.Position < 0 || err.Position > n) {
			t.Fatalf("position %d outside the text", err.Position)
		}
		if err == nil && (e.Root.Start() < 0 || e.Root.End() > n || e.Root.Start() > e.Root.End()) {
			t.Fatalf("tree at %d to %d", e.Root.Start(), e.Root.End())
		}
		rs := []rune(s)
		for _, c := range e.Functions() {
			if got := string(rs[c.Start:c.End]); got != c.Name && utf8.ValidString(s) {
				t.Fatalf("function %q at %q", c.Name, got)
			}
		}
	})
}

func FuzzEval(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	data := value.MapOf("a", value.MapOf("b", []any{int64(1), "x", nil, 2.5, true}), "n", []any{int64(3), int64(1)}, "s", "text")
	f.Fuzz(func(t *testing.T, s string) {
		e, serr := yaql.Parse(s)
		if serr != nil {
			return
		}
		for _, d := range []yaql.Dialect{yaql.Heat, yaql.Mistral} {
			v, err := yaql.Eval(context.Background(), d, e, data, yaql.Options{MaxSteps: 20_000, MaxMemory: 4 << 20})
			if err == nil {
				_, _ = (&value.Meter{Left: 100_000}).Repr(v)
			}
		}
	})
}

func FuzzText(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, "<% "+s+" %>")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		text := yaql.ParseText(a + b)
		n := utf8.RuneCountInString(a + b)
		for _, p := range text.Parts {
			if p.Start < 0 || p.Start > p.Inner || p.Inner > p.End || p.End > n {
				t.Fatalf("part at %d, %d, %d of %d", p.Start, p.Inner, p.End, n)
			}
		}
		_, _ = text.Eval(context.Background(), value.MapOf("a", int64(1)), yaql.Options{MaxSteps: 5000, MaxMemory: 1 << 20})
	})
}
