package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/compiler/value"
)

// corpusRows reads a file of recorded evaluations beside the project, or the one that a variable names: cases of one's
// own. Without any the test is skipped.
func corpusRows(t *testing.T, name, variable string) []map[string]json.RawMessage {
	t.Helper()
	path := os.Getenv(variable)
	if path == "" {
		path = filepath.Join("..", "..", "..", "shared", name)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Skipf("no corpus: %v", err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 16<<20)
	var out []map[string]json.RawMessage
	for sc.Scan() {
		line := bytes.ReplaceAll(bytes.ReplaceAll(sc.Bytes(), []byte(`: Infinity`), []byte(`: "Infinity"`)), []byte(`: NaN`), []byte(`: "NaN"`))
		row := map[string]json.RawMessage{}
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		out = append(out, row)
	}
	return out
}

func word(row map[string]json.RawMessage, key string) (s string) {
	_ = json.Unmarshal(row[key], &s) // what is no text is none
	return s
}

// tally counts rows that come out as recorded, and shows the others.
type tally struct {
	t            *testing.T
	total, equal map[string]int
}

func newTally(t *testing.T) *tally { return &tally{t, map[string]int{}, map[string]int{}} }

// row runs eval and compares: an error has to be one, a value the same JSON.
func (c *tally) row(group string, row map[string]json.RawMessage, args ...string) {
	c.t.Helper()
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), append([]string{"hotloom", "eval"}, args...), strings.NewReader(""), &stdout, &stderr)
	c.total[group]++
	_, fails := row["error"]
	if lines := strings.Count(stderr.String(), "\n"); code != command.ExitOK && (lines != 1 || stdout.Len() > 0) || code == command.ExitOK && lines > 0 {
		c.t.Errorf("%s: exit code %d with %d lines of messages and %q", args, code, lines, stdout.String())
	}
	switch want, got := ordered(row["result"]), ordered(stdout.Bytes()); {
	case fails && code == command.ExitInput, !fails && code == command.ExitOK && want == got:
		c.equal[group]++
	default:
		c.t.Logf("%s\n\twant %s %s\n\tgot  %d %s %s", args, want, row["error"], code, strings.TrimSpace(stdout.String()), strings.TrimSpace(stderr.String()))
	}
}

// atLeast fails where a group has fewer equal rows than a share of a thousand.
func (c *tally) atLeast(promille int) {
	for group, total := range c.total {
		c.t.Logf("%s: %d of %d rows equal (%.2f %%)", group, c.equal[group], total, 100*float64(c.equal[group])/float64(total))
		if c.equal[group]*1000 < total*promille {
			c.t.Errorf("%s: less than %.1f %% are equal", group, float64(promille)/10)
		}
	}
}

// ordered is JSON with sorted keys, in which 1 and 1.0 differ.
func ordered(text []byte) string {
	v, err := value.ParseJSON(strings.ReplaceAll(strings.TrimSpace(string(text)), `"Infinity"`, "Infinity"))
	if err != nil {
		return string(text)
	}
	s, err := value.JSON(v, value.JSONOptions{SortKeys: true})
	if err != nil {
		return err.Error()
	}
	return s
}

// TestEvalComputesFunctionsAsHeat runs every recorded HOT expression as a user would: a template with the row's
// parameters and conditions, its files beside it, values that are text on the command line and others in an environment.
func TestEvalComputesFunctionsAsHeat(t *testing.T) {
	t.Parallel()
	c := newTally(t)
	for i, row := range corpusRows(t, "corpus/functions.jsonl", "FUNCTION_CASES") {
		dir := filepath.Join(t.TempDir(), fmt.Sprint(i))
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		write := func(name, text string) string {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Log(err) // a file that has no name
			}
			return path
		}
		template := fmt.Sprintf(`{"heat_template_version": %s`, row["version"])
		for _, section := range []string{"parameters", "conditions"} {
			if row[section] != nil {
				template += fmt.Sprintf(", %q: %s", section, row[section])
			}
		}
		args := []string{"--template", write("template.yaml", template+"}"), "--param", "OS::stack_name=fn"}
		values := map[string]json.RawMessage{}
		if row["values"] != nil {
			_ = json.Unmarshal(row["values"], &values)
		}
		for name, v := range values {
			if s := word(values, name); s != "" {
				args = append(args, "--param", name+"="+s)
			} else {
				args = append(args, "--environment", write("env-"+name+".yaml", fmt.Sprintf(`{"parameters": {%q: %s}}`, name, v)))
			}
		}
		files := map[string]string{}
		_ = json.Unmarshal(row["files"], &files)
		for name, text := range files {
			write(name, text)
		}
		if word(row, "as") == "condition" {
			args = append(args, "--condition")
		}
		c.row("functions", row, append(args, string(row["expression"]))...)
	}
	c.atLeast(995)
}

// TestEvalComputesExpressionsAsHeatAndMistral runs the recorded YAQL and Jinja expressions.
func TestEvalComputesExpressionsAsHeatAndMistral(t *testing.T) {
	t.Parallel()
	c := newTally(t)
	for _, row := range corpusRows(t, "corpus-mistral/yaql.jsonl", "YAQL_CASES") {
		if word(row, "mode") == "parse" {
			continue
		}
		language, engine := "--yaql", word(row, "engine")
		if expression := word(row, "expression"); engine == "mistral" && !strings.Contains(expression, "<%") {
			language = "--jinja"
		}
		c.row(engine+" "+language, row, language, "--dialect", engine, "--data", string(row["data"]), word(row, "expression"))
	}
	c.atLeast(990)
}
