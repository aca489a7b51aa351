package function_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

// functionCase is one recorded evaluation by Heat; the parts are JSON as Python writes it, NaN included.
type functionCase struct {
	Version, As, At                                    string
	Expression, Parameters, Values, Conditions, Result string
	Error                                              string
	Fails                                              bool
}

func readCase(t *testing.T, line string) functionCase {
	t.Helper()
	v, err := value.ParseJSON(line)
	if err != nil {
		t.Fatal(err)
	}
	m := v.(*value.Map)
	text := func(key string) string {
		v, given := m.GetStr(key)
		if !given {
			return ""
		}
		out, err := value.JSON(v, value.JSONOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	word := func(key string) string { v, _ := m.GetStr(key); s, _ := v.(string); return s }
	_, fails := m.GetStr("error")
	return functionCase{
		Version: word("version"), As: word("as"), At: word("at"), Expression: text("expression"), Parameters: text("parameters"),
		Values: text("values"), Conditions: text("conditions"), Result: text("result"), Error: word("error"), Fails: fails,
	}
}

// evaluate gives the case's value as JSON, or an error's text; known is false for what is known only later.
func (c functionCase) evaluate(t *testing.T) (text string, failed string, known bool) {
	t.Helper()
	key := hot.HOTKey
	for _, v := range hot.Versions {
		if v.Format == hot.CFN && v.Name == c.Version {
			key = v.Key
		}
	}
	names := map[bool][4]string{true: {"parameters", "conditions", "outputs", "value"}, false: {"Parameters", "Conditions", "Outputs", "Value"}}[key == hot.HOTKey]
	var conditions []string
	if c.Conditions != "" && c.Conditions != "{}" {
		conditions = append(conditions, strings.TrimSuffix(strings.TrimPrefix(c.Conditions, "{"), "}"))
	}
	sections := []string{fmt.Sprintf("%q: %q", key, c.Version)}
	if c.Parameters != "" {
		sections = append(sections, fmt.Sprintf("%q: %s", names[0], c.Parameters))
	}
	if c.As == "condition" {
		conditions = append(conditions, `"expression_under_test": `+c.Expression)
	} else {
		sections = append(sections, fmt.Sprintf("%q: {\"x\": {%q: %s}}", names[2], names[3], c.Expression))
	}
	if len(conditions) > 0 {
		sections = append(sections, fmt.Sprintf("%q: {%s}", names[1], strings.Join(conditions, ", ")))
	}
	body := []byte("{" + strings.Join(sections, ", ") + "}")
	root, found := source.Parse("case.json", body)
	tmpl, more := hot.LoadTemplate(root)
	if found = append(found, more...); found.HasErrors() {
		return "", found[0].Message, true
	}
	env := &hot.Environment{Registry: &hot.Registry{}}
	if c.Values != "" {
		n, _ := source.Parse("values.json", []byte(`{"parameters": `+c.Values+`}`))
		env, _ = hot.LoadEnvironment(n)
	}
	params, found := tmpl.Resolve(env)
	if found.HasErrors() {
		return "", found[0].Message, true
	}
	scope := function.NewScope(tmpl, params)
	if found := scope.Check(); found.HasErrors() {
		return "", found[0].Message, true
	}
	var v any
	if c.As == "condition" {
		truth, err := scope.Condition("expression_under_test")
		if err != nil {
			return "", err.Error(), true
		}
		if truth == function.Maybe {
			return "", "", false
		}
		v = truth == function.True
	} else if out, err := scope.Eval(tmpl.Outputs[0].Value); err != nil {
		return "", err.Error(), true
	} else {
		v = out
	}
	text, err := value.JSON(v, value.JSONOptions{SortKeys: true})
	if err != nil {
		return "", "", false
	}
	return text, "", true
}

// TestEvaluatesAsHeat holds results against what the real Heat gave.
func TestEvaluatesAsHeat(t *testing.T) {
	t.Parallel()
	f, err := os.Open(filepath.Join(corpusRoot(t), "functions.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 16<<20)
	total, same, later := 0, 0, 0
	for sc.Scan() {
		c := readCase(t, sc.Text())
		total++
		text, failed, known := c.evaluate(t)
		switch {
		case !known:
			later++
			t.Logf("LATER %s %s", c.Version, c.Expression)
		case c.Fails && failed != "", !c.Fails && failed == "" && sameJSON(t, text, c.Result):
			same++
		default:
			want := c.Result
			if c.Fails {
				want = "error " + c.Error
			}
			t.Logf("DIFF %s %s %s params %s\n   heat %s\n   ours %s%s", c.Version, c.As, c.Expression, c.Parameters, want, text, strings.TrimSpace(" error "+failed))
		}
	}
	if same+later < total*99/100 {
		t.Errorf("%d of %d cases agree", same+later, total)
	}
	t.Logf("%d of %d cases agree, %d are known only later", same, total, later)
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	x, errX := value.ParseJSON(a)
	y, errY := value.ParseJSON(b)
	if errX != nil || errY != nil {
		return a == b
	}
	left, _ := value.JSON(x, value.JSONOptions{SortKeys: true})
	right, _ := value.JSON(y, value.JSONOptions{SortKeys: true})
	return left == right
}
