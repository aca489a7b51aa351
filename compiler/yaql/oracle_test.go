package yaql_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/value/regex"
	"github.com/hotloom/hotloom/compiler/yaql"
)

// oracleCase is one line of the recorded cases.
type oracleCase struct {
	Engine     string          `json:"engine"`
	Expression string          `json:"expression"`
	Data       json.RawMessage `json:"data"`
	Mode       string          `json:"mode"`
	Result     json.RawMessage `json:"result"`
	Error      *struct {
		Class        string `json:"class"`
		Message      string `json:"message"`
		Cause        string `json:"cause"`
		CauseMessage string `json:"cause_message"`
	} `json:"error"`
}

// corpusFile finds a file of the public cases beside the project; the test is skipped if there are none.
func corpusFile(t testing.TB, name string) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	path := filepath.Join(dir, "..", "shared", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no corpus: %v", err)
	}
	return path
}

func readCases(t testing.TB, path string) []oracleCase {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []oracleCase
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 16<<20)
	for sc.Scan() {
		if len(bytes.TrimSpace(sc.Bytes())) == 0 {
			continue
		}
		var c oracleCase
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

var jinjaPattern = regexp.MustCompile(`\{\{.*\}\}|\{%.*%\}`)

// jinja says whether Mistral would take the text for Jinja, whatever else is in it.
func (c oracleCase) jinja() bool {
	return c.Engine == "mistral" && jinjaPattern.MatchString(c.Expression)
}

// run evaluates a case.
func (c oracleCase) run() (any, error) {
	var data any
	if len(c.Data) > 0 {
		var err error
		if data, err = value.ParseJSON(string(c.Data)); err != nil {
			return nil, err
		}
	}
	if c.Engine == "heat" {
		e, serr := yaql.Parse(c.Expression)
		if serr != nil {
			return nil, &yaql.Error{Class: serr.Class, Message: serr.Message}
		}
		if c.Mode == "parse" {
			return true, nil
		}
		return yaql.Eval(context.Background(), yaql.Heat, e, data, yaql.Options{})
	}
	text := yaql.ParseText(c.Expression)
	if c.Mode == "parse" {
		for _, p := range text.Parts {
			if p.Err != nil {
				return nil, p.Err
			}
		}
		return true, nil
	}
	return text.Eval(context.Background(), data, yaql.Options{})
}

// encode writes a result in the notation of the recorded cases.
func encode(v any) any {
	switch v := v.(type) {
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return map[string]any{"__float__": value.FormatFloat(v)}
		}
		return json.RawMessage(value.FormatFloat(v))
	case int64:
		return v
	case nil, bool, string:
		return v
	case []any:
		return encodeAll(v)
	case value.Tuple:
		return encodeAll(v)
	case *value.Set:
		items := encodeAll(v.Items())
		sort.Slice(items, func(i, j int) bool { return sortKey(items[i]) < sortKey(items[j]) })
		return map[string]any{"__set__": items}
	case *value.Map:
		pairs := []any{}
		out := map[string]any{}
		text := true
		for k, x := range v.All() {
			s, ok := k.(string)
			text = text && ok
			e := encode(x)
			out[s] = e
			pairs = append(pairs, []any{encode(k), e})
		}
		if !text {
			return map[string]any{"__pairs__": pairs}
		}
		return out
	case value.Time:
		return map[string]any{"__time__": v.ISO("T")}
	case value.Span:
		return map[string]any{"__span__": json.RawMessage(value.FormatFloat(v.TotalSeconds()))}
	case *regex.Regexp:
		return map[string]any{"__type__": "regex", "pattern": v.Pattern}
	}
	if s, err := value.FormatInt(v); err == nil {
		return json.RawMessage(s)
	}
	return map[string]any{"__type__": value.TypeName(v)}
}

func encodeAll(items []any) []any {
	out := make([]any, len(items))
	for i, x := range items {
		out[i] = encode(x)
	}
	return out
}

func sortKey(v any) string {
	m, err := value.ParseJSON(canonical(v))
	if err != nil {
		return ""
	}
	s, _ := value.JSON(m, value.JSONOptions{SortKeys: true})
	return s
}

// canonical is JSON with sorted keys in which 1 and 1.0 differ.
func canonical(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return canonicalText(b)
}

func canonicalText(b []byte) string {
	v, err := value.ParseJSON(string(b))
	if err != nil {
		return err.Error()
	}
	s, err := value.JSON(v, value.JSONOptions{SortKeys: true, Unicode: true})
	if err != nil {
		return err.Error()
	}
	return s
}

var addressPattern = regexp.MustCompile(` at 0x[0-9a-f…]+`)

// compare gives what differs between a recorded case and what we make of it; "" if nothing. Class and text of
// errors are compared too if strict.
func (c oracleCase) compare(strict bool) string {
	v, err := c.run()
	switch {
	case c.Error == nil && err != nil:
		return "want " + canonicalText(c.Result) + ", got error " + err.Error()
	case c.Error != nil && err == nil:
		return "want error " + c.Error.Class + " " + c.Error.Message + ", got " + canonical(encode(v))
	case c.Error == nil:
		want, got := canonicalText(c.Result), canonical(encode(v))
		if want != got {
			return "want " + want + ", got " + got
		}
	case strict:
		class, message := c.Error.Class, c.Error.Message
		if c.Engine == "mistral" && c.Error.Cause != "" {
			class, message = c.Error.Cause, c.Error.CauseMessage
		}
		if syntax, ok := err.(*yaql.SyntaxError); ok && clip(syntax.Message) != message {
			return "want " + message + ", got " + syntax.Message
		}
		var e *yaql.Error
		if errors.As(err, &e) && (e.Class != class || addressPattern.ReplaceAllString(clip(e.Message), "") != addressPattern.ReplaceAllString(message, "")) {
			return "want " + class + ": " + message + ", got " + e.Class + ": " + e.Message
		}
	}
	return ""
}

// clip cuts a text as the recorded ones are cut.
func clip(s string) string {
	if value.RuneLen(s) > 300 {
		return value.Slice(s, 0, 300) + "…"
	}
	return s
}

func TestCorpus(t *testing.T) {
	t.Parallel()
	checkCases(t, readCases(t, corpusFile(t, "corpus-mistral/yaql.jsonl")), os.Getenv("YAQL_STRICT") != "")
}

func checkCases(t *testing.T, cases []oracleCase, strict bool) {
	total, good := map[string]int{}, map[string]int{}
	for _, c := range cases {
		if c.jinja() {
			continue
		}
		total[c.Engine]++
		if diff := c.compare(strict); diff != "" {
			t.Logf("%s %s\n\tdata %s\n\t%s", c.Engine, c.Expression, shorten(string(c.Data)), shorten(diff))
			continue
		}
		good[c.Engine]++
	}
	for engine, n := range total {
		share := 100 * float64(good[engine]) / float64(n)
		t.Logf("%s: %d of %d equal (%.2f %%)", engine, good[engine], n, share)
		if share < 99 && !strict {
			t.Errorf("%s: %.2f %% equal, want 99", engine, share)
		}
	}
}

func shorten(s string) string {
	if len(s) > 900 {
		return strings.ToValidUTF8(s[:900], "") + "…"
	}
	return s
}

// TestExtra runs cases of one's own, made with the oracle: YAQL_CASES names the file.
func TestExtra(t *testing.T) {
	path := os.Getenv("YAQL_CASES")
	if path == "" {
		t.Skip("YAQL_CASES is not set")
	}
	checkCases(t, readCases(t, path), os.Getenv("YAQL_STRICT") != "")
}
