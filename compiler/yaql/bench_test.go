package yaql_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/yaql"
)

// corpusRuns are the recorded evaluations, ready to run.
func corpusRuns(b *testing.B) (exprs []string, parsed []*yaql.Expr, dialects []yaql.Dialect, data []any) {
	for _, c := range readCases(b, corpusFile(b, "corpus-mistral/yaql.jsonl")) {
		if c.jinja() || c.Mode == "parse" || c.Error != nil && c.Error.Class == "Endless" {
			continue
		}
		texts := []string{c.Expression}
		d := yaql.Heat
		if c.Engine == "mistral" {
			d = yaql.Mistral
			texts = nil
			for _, p := range yaql.ParseText(c.Expression).Parts {
				texts = append(texts, p.Expr.Text)
			}
		}
		for _, s := range texts {
			e, serr := yaql.Parse(s)
			if serr != nil {
				continue
			}
			v, err := value.ParseJSON(string(orNull(c.Data)))
			if err != nil {
				b.Fatal(err)
			}
			exprs, parsed, dialects, data = append(exprs, s), append(parsed, e), append(dialects, d), append(data, v)
		}
	}
	return exprs, parsed, dialects, data
}

func orNull(d json.RawMessage) json.RawMessage {
	if len(d) == 0 {
		return json.RawMessage("null")
	}
	return d
}

// BenchmarkParse parses the recorded expressions; the time is of one expression.
func BenchmarkParse(b *testing.B) {
	exprs, _, _, _ := corpusRuns(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		yaql.Parse(exprs[i%len(exprs)])
	}
}

// BenchmarkEval evaluates the recorded expressions, parsed before.
func BenchmarkEval(b *testing.B) {
	_, parsed, dialects, data := corpusRuns(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		i := i % len(parsed)
		_, _ = yaql.Eval(context.Background(), dialects[i], parsed[i], data[i], yaql.Options{})
	}
}

// BenchmarkParseEval is both, as for an expression that is met once.
func BenchmarkParseEval(b *testing.B) {
	exprs, _, dialects, data := corpusRuns(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		i := i % len(exprs)
		e, _ := yaql.Parse(exprs[i])
		_, _ = yaql.Eval(context.Background(), dialects[i], e, data[i], yaql.Options{})
	}
}

// BenchmarkCachedEval is both with a cache of parsed expressions.
func BenchmarkCachedEval(b *testing.B) {
	exprs, _, dialects, data := corpusRuns(b)
	var cache yaql.Cache
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		i := i % len(exprs)
		e, _ := cache.Expr(exprs[i])
		_, _ = yaql.Eval(context.Background(), dialects[i], e, data[i], yaql.Options{})
	}
}

// BenchmarkQuery filters and maps a thousand records.
func BenchmarkQuery(b *testing.B) {
	items := make([]any, 1000)
	for i := range items {
		items[i] = value.MapOf("id", int64(i), "state", []string{"ERROR", "SUCCESS"}[i%2], "name", "task")
	}
	data := value.MapOf("tasks", items)
	e, _ := yaql.Parse("$.tasks.where($.state = SUCCESS and $.id > 10).select($.name + str($.id)).len()")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := yaql.Eval(context.Background(), yaql.Mistral, e, data, yaql.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAgainstPython parses and evaluates the recorded expressions of Heat here and with the original of Debian's
// python3-yaql, one after the other in the same run, and reports how many times less processor time it takes here.
func BenchmarkAgainstPython(b *testing.B) {
	const python = "/usr/bin/python3" // the one that Debian's packages are for
	if exec.Command(python, "-c", "import yaql").Run() != nil {
		b.Skip("no python3-yaql")
	}
	type row struct {
		Expression string          `json:"expression"`
		Data       json.RawMessage `json:"data"`
	}
	var input bytes.Buffer
	var rows []row
	var data []any
	for _, c := range readCases(b, corpusFile(b, "corpus-mistral/yaql.jsonl")) {
		if c.Engine != "heat" || c.Mode == "parse" || c.Error != nil && c.Error.Class == "Endless" {
			continue
		}
		r := row{c.Expression, orNull(c.Data)}
		line, err := json.Marshal(r)
		if err != nil {
			b.Fatal(err)
		}
		v, err := value.ParseJSON(string(r.Data))
		if err != nil {
			b.Fatal(err)
		}
		input.Write(append(line, '\n'))
		rows, data = append(rows, r), append(data, v)
	}
	cmd := exec.Command(python, "testdata/peer.py")
	cmd.Stdin = &input
	out, err := cmd.Output()
	if err != nil {
		b.Fatal(err)
	}
	peer, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		b.Fatal(err)
	}
	for _, way := range []string{"parsed", "cached"} {
		b.Run(way, func(b *testing.B) {
			var cache yaql.Cache
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // the original has one thread, too
			begin, n := cpuTime(), 0
			for b.Loop() {
				i := n % len(rows)
				n++
				var e *yaql.Expr
				if way == "cached" {
					e, _ = cache.Expr(rows[i].Expression)
				} else {
					e, _ = yaql.Parse(rows[i].Expression)
				}
				_, _ = yaql.Eval(context.Background(), yaql.Heat, e, data[i], yaql.Options{})
			}
			own := float64(cpuTime()-begin) / float64(n)
			b.ReportMetric(float64(peer), "python-ns/op")
			b.ReportMetric(float64(peer)/own, "times-faster")
		})
	}
}
