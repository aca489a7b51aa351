package yaql_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/yaql"
)

// evalText evaluates an expression on data given as JSON and gives the result as canonical text, or the error's class
// and text after "!".
func evalText(d yaql.Dialect, expr, data string, o yaql.Options) string {
	v, err := value.ParseJSON(data)
	if err != nil {
		return "!bad data: " + err.Error()
	}
	e, serr := yaql.Parse(expr)
	if serr != nil {
		return "!" + serr.Class + ": " + serr.Message
	}
	out, err := yaql.Eval(context.Background(), d, e, v, o)
	var ye *yaql.Error
	switch {
	case errors.As(err, &ye):
		return "!" + ye.Class + ": " + ye.Message
	case err != nil:
		return "!" + err.Error()
	}
	return canonical(encode(out))
}

func TestEval(t *testing.T) {
	t.Parallel()
	const data = `{"n": [3, 1, 2], "d": {"a": 1, "b": {"c": "x"}}, "l": [{"k": "a", "v": 1}, {"k": "b", "v": 2}, {"k": "a", "v": 3}], "s": "Hi"}`
	for _, c := range []struct{ expr, want string }{
		// numbers
		{"7 / 2", "3"},
		{"-7 / 2", "-4"},
		{"7.0 / 2", "3.5"},
		{"-7 mod 3", "2"},
		{"9223372036854775807 + 1", "9223372036854775808"},
		{"pow(2, 100)", "1267650600228229401496703205376"},
		{"pow(2, 0.5)", "1.4142135623730951"},
		{"round(2.5)", "2.0"},
		{"1 / 0", "!ZeroDivisionError: integer division or modulo by zero"},
		{"0.1 + 0.2", "0.30000000000000004"},
		{"int('12')", "12"},
		{"int('x')", "!ValueError: invalid literal for int() with base 10: 'x'"},
		{"hex(-255)", `"-0xff"`},
		{"bitwiseAnd(true, true)", "true"},
		// operators
		{"1 = 1.0 and 1 = true", "true"},
		{"not 1 in [1]", "false"},
		{"null < 1", "true"},
		{"1 < a", `!NoMatchingFunctionException: No function "#operator_<" matches supplied arguments`},
		{"-1.switchCase(a, b)", `!NoMatchingFunctionException: No function "#unary_operator_-" matches supplied arguments`},
		{"set(1) < set(1, 2)", "true"},
		{"false or ''", `""`},
		// text
		{"'Grüße'.toUpper()", `"GRÜSSE"`},
		{"'ΟΔΟΣ'.toLower()", `"οδος"`},
		{"'a,b'.split(',')", `["a", "b"]`},
		{"'abc'.substring(1, 1)", `"b"`},
		{"'abc'.substring(-2)", `"bc"`},
		{"[1, null, true].join('-')", `"1-null-true"`},
		{"str([1])", `"(1,)"`},
		{"str({a => [1]})", `"{'a': (1,)}"`},
		{"'{0:>5}|{x:.1f}'.format(a, x => 1.25)", `"    a|1.2"`},
		{"'x' * 3", `"xxx"`},
		{"len('𝔘b')", "2"},
		// collections
		{"$.n.orderBy($)", "[1, 2, 3]"},
		{"$.l.orderBy($.k).thenByDescending($.v).v", "[3, 1, 2]"},
		{"$.l.where($.k = a).v.sum()", "4"},
		{"$.l.groupBy($.k, $.v, $.sum())", `[["a", 4], ["b", 2]]`},
		{"$.d.b.c", `"x"`},
		{"$.d.zzz", "!KeyError: 'zzz'"},
		{"$.d.get(zzz, 5)", "5"},
		{"$.n[5]", "!IndexError: tuple index out of range"},
		{"[].first()", "!StopIteration: "},
		{"[1, 2].single()", "!StopIteration: Collection contains more than one item"},
		{"[].sum()", "!TypeError: reduce() of empty iterable with no initial value"},
		{"set(5, 3, 9).toList()", "[9, 3, 5]"},
		{"set([1]).add({a => 1})", `!TypeError: unhashable type: 'list'`},
		{"{a => 1}.mergeWith({a => {b => 1}})", "!TypeError: Cannot merge <class 'int'> with <class 'yaql.language.utils.FrozenDict'>"},
		{"{1 => a, true => b}", `{"__pairs__": [[1, "b"]]}`},
		{"dict(items => 1)", `{"items": 1}`},
		{"len('a' => 1)", "!MappingTranslationException: Cannot convert mapping to keyword argument"},
		{"[1, 2, 3].splitAt(1)", "[[1], [2, 3]]"},
		{"let(range(4)) -> $.sum() + $.len()", "6"},
		{"let(range(4).memorize()) -> $.sum() + $.len()", "10"},
		{"'a b'.split() = [a, b]", "false"}, // a list is no tuple
		{"generateMany(1, [$ * 2].where($ < 9))", "[1, 2, 4, 8]"},
		// context
		{"let(1, x => 2) -> [$, $x, $y]", "[1, 2, null]"},
		{"[1, 2].unpack(a, b) -> $a + $b", "3"},
		{"[1, 2, 3].unpack(a, b) -> $a", "!ValueError: Cannot unpack 3 elements into 2"},
		{"def(my_f, $ + 1) -> myF(1)", "2"},
		{"def(my_f, $ + 1) -> my_f(1)", `!NoFunctionRegisteredException: Unknown function "my_f"`},
		{"call(len, [[1, 2]], {})", "2"},
		{"null?.foo()", "null"},
		{"1.assert($ > 5, 'too small')", "!AssertionError: too small"},
		{"switch($ = 1 => a, true => b)", `"b"`},
		// regular expressions
		{"regex('(a)(b)?').search('xab', [$.value, $2.start, $3.value])", `["ab", 1, "b"]`},
		{"'aXbX'.replace(regex('X'), '-', 1)", `"a-bX"`},
		{"regex('(').search(a)", "!error: missing ), unterminated subpattern at position 0"},
		{"'abc'.replaceBy(regex('b'), $.value.toUpper())", `"aBc"`},
		// times
		{"datetime(2020, 2, 28) + timespan(days => 1, hours => 1)", `{"__time__": "2020-02-29T01:00:00+00:00"}`},
		{"datetime('10 Sep 2003 3pm').hour", "15"},
		{"(datetime(2020, 1, 2) - datetime(2020, 1, 1)).hours", "24.0"},
		{"datetime(2020, 13, 1)", "!ValueError: month must be in 1..12"},
		{"datetime('02.03.2020', '%d.%m.%Y').format('%A %j')", `"Monday 062"`},
		// syntax
		{"f(1,)", "!YaqlGrammarException: Parse error: unexpected ')' at position 4 of expression 'f(1,)'"},
		{"1 +", "!YaqlGrammarException: Parse error: unexpected end of statement"},
		{"a # b", "!YaqlLexicalException: Lexical error: illegal character '#' at position 2"},
		{"$.__env", "!YaqlLexicalException: Lexical error: illegal character '_' at position 2"},
		{"foo(1)", `!NoFunctionRegisteredException: Unknown function "foo"`},
		{"1.foo()", `!NoMethodRegisteredException: Unknown method "foo" for receiver 1`},
	} {
		if got := evalText(yaql.Mistral, c.expr, data, yaql.Options{}); !strings.HasPrefix(got, c.want) || (c.want[0] != '!' && got != c.want) {
			t.Errorf("%s\n\tgot  %s\n\twant %s", c.expr, got, c.want)
		}
	}
}

func TestDialects(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dialect    yaql.Dialect
		expr, want string
	}{
		{yaql.Heat, "$", `{"data": {"a": 1}}`},
		{yaql.Mistral, "$", `{"a": 1}`},
		{yaql.Heat, "range(300).toList()", "!CollectionTooLargeException: Collection length exceeds 200 elements"},
		{yaql.Heat, "range(300).len()", "300"}, // the limit guards collections, and len takes an iterator
		{yaql.Heat, "('a' * 9951).len()", "9951"},
		{yaql.Mistral, "range(300).len()", "300"},
		{yaql.Heat, "('a' * 9952).len()", "!MemoryQuotaExceededException: Expression consumed too much memory"},
		{yaql.Mistral, "('a' * 9951).len()", "9951"},
		{yaql.Heat, "json_parse('1')", `!NoFunctionRegisteredException: Unknown function "json_parse"`},
		{yaql.Mistral, `json_parse('{"a": [1.5]}').a`, "[1.5]"},
		{yaql.Mistral, "json_dump({a => [1]})", `"{\n    \"a\": [\n        1\n    ]\n}"`},
		{yaql.Mistral, "yaml_dump({b => [1, 'yes'], a => null})", `"a: null\nb:\n- 1\n- 'yes'\n"`},
		{yaql.Mistral, "yaml_parse('a: [1, off]').a", "[1, false]"},
		{yaql.Mistral, "uuid().len()", "36"},
		{yaql.Mistral, "env()", "null"},
		{yaql.Mistral, "task(x)", "!TypeError: 'NoneType' object is not subscriptable"},
	} {
		if got := evalText(c.dialect, c.expr, `{"a": 1}`, yaql.Options{}); got != c.want {
			t.Errorf("%d %s: got %s, want %s", c.dialect, c.expr, got, c.want)
		}
	}
}

// fakeWorkflow answers with what it was asked.
type fakeWorkflow struct{}

func (fakeWorkflow) Task(_ context.Context, name string) (any, error) {
	return value.MapOf("name", name, "result", []any{int64(1)}), nil
}

func (fakeWorkflow) Tasks(_ context.Context, q yaql.TaskQuery) ([]any, error) {
	return []any{value.MapOf("id", q.WorkflowExecutionID, "state", q.State, "flat", q.Flat, "recursive", q.Recursive)}, nil
}

func (fakeWorkflow) Execution(context.Context) (any, error) { return value.MapOf("id", "E"), nil }

func (fakeWorkflow) Executions(_ context.Context, q yaql.ExecutionQuery) ([]any, error) {
	return []any{value.MapOf("id", q.ID)}, nil
}

func (fakeWorkflow) Global(_ context.Context, name string) (any, error) { return "global " + name, nil }

func TestWorkflowFunctions(t *testing.T) {
	t.Parallel()
	o := yaql.Options{Workflow: fakeWorkflow{}, Now: func() time.Time { return time.Unix(1, 0) }}
	for _, c := range []struct{ expr, want string }{
		{"task().name", `""`},
		{"task(t1).result[0]", "1"},
		{"task(taskName => t2).name", `"t2"`},
		{"tasks(w, true, ERROR)", `[{"flat": false, "id": "w", "recursive": true, "state": "ERROR"}]`},
		{"execution().id", `"E"`},
		{"executions(x).id", `["x"]`},
		{"global(g)", `"global g"`},
		{"env().e", "5"},
		{"now()", `{"__time__": "1970-01-01T00:00:01+00:00"}`},
	} {
		if got := evalText(yaql.Mistral, c.expr, `{"__env": {"e": 5}}`, o); got != c.want {
			t.Errorf("%s: got %s, want %s", c.expr, got, c.want)
		}
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	data := value.MapOf("a", int64(1), "l", []any{int64(1), "x", nil}, "s", "text")
	for _, c := range []struct {
		text string
		want any
	}{
		{"plain", "plain"},
		{"<% $.a %>", int64(1)},
		{"<% $.l %>", []any{int64(1), "x", nil}},
		{" <% $.a %>", " 1"},
		{"<% $.a %>-<% $.l %>-<% $.a %>", "1-[1, 'x', None]-1"},
		{"<% $.s %> <% null %> <% true %>", "text None True"},
		{"a <% $.a\n %> b", "a <% $.a\n %> b"},
		{"<%%>", "!Can not evaluate YAQL expression [expression=, error=Parse error: unexpected end of statement]"},
		{"x <% $.zz %>", "!Can not evaluate YAQL expression [expression=$.zz, error='zz']"},
	} {
		got, err := yaql.ParseText(c.text).Eval(context.Background(), data, yaql.Options{})
		if err != nil {
			got = "!" + err.Error()
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.text, diff)
		}
	}
}

func TestTextPositions(t *testing.T) {
	t.Parallel()
	text := yaql.ParseText("é <% $.a %> and <%  foo( %>")
	if len(text.Parts) != 2 {
		t.Fatalf("%d parts", len(text.Parts))
	}
	a, b := text.Parts[0], text.Parts[1]
	if a.Start != 2 || a.Inner != 5 || a.End != 11 || a.Expr.Text != "$.a" || a.Err != nil {
		t.Errorf("first part: %+v", a)
	}
	if b.Inner != 20 || b.Err == nil || b.Err.Position != 5 {
		t.Errorf("second part: %+v, error %+v", b, b.Err)
	}
	if !yaql.HasExpression("x <% 1 %>") || yaql.HasExpression("x <% 1") {
		t.Error("HasExpression")
	}
}

func TestFunctions(t *testing.T) {
	t.Parallel()
	e, err := yaql.Parse("$.where(foo($) = x).len() + json_parse($.y?.toUpper())")
	if err != nil {
		t.Fatal(err)
	}
	want := []yaql.Function{
		{Name: "where", Method: true, Start: 2, End: 7},
		{Name: "foo", Start: 8, End: 11},
		{Name: "len", Method: true, Start: 20, End: 23},
		{Name: "json_parse", Start: 28, End: 38},
		{Name: "toUpper", Method: true, Start: 44, End: 51},
	}
	if diff := cmp.Diff(want, e.Functions()); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct {
		d      yaql.Dialect
		name   string
		method bool
		want   bool
	}{
		{yaql.Heat, "json_parse", false, false},
		{yaql.Mistral, "json_parse", false, true},
		{yaql.Heat, "where", true, true},
		{yaql.Heat, "where", false, false},
		{yaql.Heat, "len_", false, true},
		{yaql.Heat, "coalesce", true, false},
	} {
		if got := yaql.Known(c.d, c.name, c.method); got != c.want {
			t.Errorf("Known(%d, %s, %v) = %v", c.d, c.name, c.method, got)
		}
	}
	if n := len(yaql.Names(yaql.Heat, false)) + len(yaql.Names(yaql.Heat, true)); n < 150 {
		t.Errorf("only %d names", n)
	}
}

func TestCacheGivesTheSameTree(t *testing.T) {
	t.Parallel()
	var c yaql.Cache
	a, err := c.Expr("1 +")
	if b, again := c.Expr("1 +"); a != b || err != again || err == nil {
		t.Error("expression parsed anew")
	}
	if first, second := c.Text("<% 1 %>"), c.Text("<% 1 %>"); first != second {
		t.Error("text parsed anew")
	}
}

func TestDataIsNotChanged(t *testing.T) {
	t.Parallel()
	const data = `{"l": [{"a": [1, 2]}], "d": {"x": {"y": 1}}}`
	v, _ := value.ParseJSON(data)
	for _, expr := range []string{"$.l.select($.set(a, 5))", "$.d.mergeWith({x => {y => 2}})", "$.l.insert(0, 1)", "$.d.delete(x)", "$.l[0].a.orderBy(-$)"} {
		e, _ := yaql.Parse(expr)
		if _, err := yaql.Eval(context.Background(), yaql.Mistral, e, v, yaql.Options{}); err != nil {
			t.Fatal(expr, err)
		}
		if got := canonical(encode(v)); got != canonicalText([]byte(data)) {
			t.Fatalf("%s changed its data to %s", expr, got)
		}
	}
}
