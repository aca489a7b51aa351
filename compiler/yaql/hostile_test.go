package yaql_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/yaql"
)

// hostile are expressions that would run, grow or nest without end.
var hostile = map[string]string{
	"endless generate":           "generate(1, true, $ + 1).sum()",
	"nested generate":            "generate(1, true, generate($, true, $ + 1).limit(1000000).sum()).toList()",
	"endless sequence":           "sequence().toList()",
	"collect an endless walk":    "generateMany(1, [$, $ + 1]).toList()",
	"cycle and join":             "[1, 2].cycle().join(range(1000000), $1 = $2, $1).toList()",
	"exponential text":           "def(f, switch($2 = 0 => $1, true => f($1 + $1, $2 - 1))) -> f('aaaaaaaaaaaaaaaa', 60)",
	"doubling text":              "range(100).aggregate($1 + $1, 'aaaaaaaaaaaaaaaa')",
	"repeated text":              "'aaaaaaaa' * 1000000000",
	"text by replacing":          "range(100).aggregate($1.replace('a', 'aaaaaaaaaaaaaaaaaaaaaaaaaa'), 'a')",
	"wide format":                "'{0:>999999999}'.format(1)",
	"catastrophic pattern":       "('a' * 40 + 'b').matches('^(a+)+$')",
	"many slow patterns":         "range(10000).select(('a' * 21 + 'b').matches('^(a+)+$')).len()",
	"slow replacement":           "regex('(x+x+)+y').replace('x' * 35, '')",
	"deep recursion":             "def(f, f($ + 1)) -> f(0)",
	"deep parentheses":           strings.Repeat("(", 3000) + "1" + strings.Repeat(")", 3000),
	"deep list":                  strings.Repeat("[", 3000) + strings.Repeat("]", 3000),
	"long sum":                   "1" + strings.Repeat("+1", 4000),
	"power tower":                "range(100).aggregate(pow($1, $1), 3)",
	"huge shift":                 "shiftBitsLeft(1, 100000000000)",
	"factorial":                  "range(1, 1000000).aggregate($1 * $2)",
	"shared lists, compared":     "let(a => range(60).aggregate([$1, $1], [1]), b => range(60).aggregate([$1, $1], [1])) -> $a = $b",
	"shared lists, as text":      "str(range(60).aggregate([$1, $1], [1]))",
	"shared lists, as result":    "range(60).aggregate([$1, $1], [1])",
	"shared lists, in a set":     "set(range(60).aggregate([$1, $1], [1]))",
	"shared lists, flattened":    "range(60).aggregate([$1, $1], [1]).flatten().len()",
	"lazy chain":                 "range(100000).aggregate($1.select($), [1]).toList()",
	"large product":              "range(100000).join(range(100000), false, 1).toList()",
	"repeated list":              "[1, 2, 3] * 100000000",
	"endless text search":        "let(s => 'ab' * 100000) -> range(100000).select($s.indexOf('ba', 199998)).sum()",
	"zip of endless ones":        "sequence().zip(sequence(), sequence()).toList()",
	"sort of an endless one":     "sequence().orderBy(-$).first()",
	"memorized endless one":      "sequence().memorize().last()",
	"dictionary of endless keys": "sequence().toDict($, $)",
	"distinct endless ones":      "sequence().distinct().last()",
	"groups of endless ones":     "sequence().groupBy($ mod 7).len()",
	"accumulated text":           "range(1000000).accumulate($1 + 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '').last()",
	"merged dicts":               "range(1000000).aggregate($1.mergeWith({$2 => 1}), {}).len()",
}

func TestHostileExpressionsEnd(t *testing.T) {
	for name, text := range hostile {
		for _, d := range []yaql.Dialect{yaql.Heat, yaql.Mistral} {
			e, serr := yaql.Parse(text)
			if serr != nil {
				t.Errorf("%s: %v", name, serr)
				continue
			}
			runtime.GC()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			begin, busy := time.Now(), cpuTime()
			_, err := yaql.Eval(context.Background(), d, e, nil, yaql.Options{})
			took := time.Since(begin)
			if busy = cpuTime() - busy; busy > 0 {
				took = min(took, busy) // on a busy machine the clock tells about others
			}
			runtime.ReadMemStats(&after)
			var ye *yaql.Error
			if !errors.As(err, &ye) {
				t.Errorf("%s (dialect %d): no error of a limit but %v", name, d, err)
			} else if d == yaql.Mistral && !ye.Limit && ye.Class != "ValueError" && ye.Class != "OverflowError" {
				t.Errorf("%s: %s: %v", name, ye.Class, ye)
			}
			if took > 100*time.Millisecond && !raceDetector {
				t.Errorf("%s (dialect %d): took %v", name, d, took)
			}
			if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > 64<<20 {
				t.Errorf("%s (dialect %d): heap grew by %d MiB", name, d, grown>>20)
			}
			if testing.Verbose() {
				t.Logf("%-28s %d %8.1f ms %4d MiB allocated: %.80v", name, d, float64(took.Microseconds())/1000, (after.TotalAlloc-before.TotalAlloc)>>20, err)
			}
		}
	}
}

func TestContextEndsEvaluation(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	e, _ := yaql.Parse("sequence().sum()")
	_, err := yaql.Eval(ctx, yaql.Mistral, e, nil, yaql.Options{MaxSteps: 1 << 40})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
}

func TestDeepDataEnds(t *testing.T) {
	t.Parallel()
	var v any = int64(1)
	for range 100_000 {
		v = []any{v}
	}
	e, _ := yaql.Parse("$")
	if _, err := yaql.Eval(context.Background(), yaql.Mistral, e, value.MapOf("a", v), yaql.Options{}); err == nil {
		t.Fatal("a list nested 100,000 deep went through")
	}
}
