// Command frequency counts how often each rule fires on a corpus of templates with recorded verdicts, and writes the
// table docs/rule-frequency.md.
//
//	go run ./compiler/lint/frequency -corpus DIR -out docs/rule-frequency.md
//
// A rule that fires on more than a third of the valid templates is noise, and the command fails.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/source"
)

type verdict struct {
	Verdict string `json:"verdict"`
}

type row struct {
	verdict
	Path         string   `json:"path"`
	Environments []string `json:"environments"`
	Strict       *verdict `json:"strict"`
}

func (r row) valid() bool {
	if r.Strict != nil {
		return r.Strict.Verdict == "valid"
	}
	return r.Verdict == "valid"
}

// count is how often a rule fired.
type count struct {
	findings, valid, invalid int // findings, and templates of each verdict with one at least
}

func main() {
	corpus := flag.String("corpus", "", "folder with verdicts.jsonl and the templates")
	out := flag.String("out", "docs/rule-frequency.md", "file to write")
	flag.Parse()
	if err := run(*corpus, *out); err != nil {
		log.Fatal(err)
	}
}

func run(corpus, out string) error {
	rows, err := read(filepath.Join(corpus, "verdicts.jsonl"))
	if err != nil {
		return err
	}
	counts := map[string]*count{}
	valid := 0
	for _, r := range rows {
		rep, err := lint.Run(context.Background(), []string{r.Path}, lint.Options{
			Environments: r.Environments, Given: true,
			Files: source.NewFiles(source.FilesOptions{Read: func(p string) ([]byte, error) { return os.ReadFile(filepath.Join(corpus, p)) }}),
		})
		if err != nil {
			return err
		}
		if r.valid() {
			valid++
		}
		tally(counts, rep.Diagnostics, r.valid())
	}
	if err := os.WriteFile(out, table(counts, valid, len(rows)-valid), 0o644); err != nil {
		return err
	}
	for id, c := range counts {
		if 3*c.valid > valid {
			return fmt.Errorf("%s fires on %d of %d valid templates: it is noise", id, c.valid, valid)
		}
	}
	return nil
}

func read(path string) ([]row, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var rows []row
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 16<<20)
	for sc.Scan() {
		var r row
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		rows = append(rows, r)
	}
	return rows, sc.Err()
}

func tally(counts map[string]*count, found diag.List, valid bool) {
	seen := map[string]bool{}
	for _, d := range found {
		c := counts[d.Rule]
		if c == nil {
			c = &count{}
			counts[d.Rule] = c
		}
		c.findings++
		if !seen[d.Rule] {
			seen[d.Rule] = true
			if valid {
				c.valid++
			} else {
				c.invalid++
			}
		}
	}
}

func table(counts map[string]*count, valid, invalid int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# How often each rule fires\n\nMade by `go run ./compiler/lint/frequency` on %d public templates that Heat accepts and %d "+
		"that it refuses (strict check, with their environments).\nA rule that fires on more than a third of the accepted ones would be noise.\n\n"+
		"| rule | severity | findings | of accepted templates | of refused templates |\n| --- | --- | ---: | ---: | ---: |\n", valid, invalid)
	ids := lint.RuleIDs()
	slices.SortStableFunc(ids, func(a, b string) int { return of(counts, b).valid - of(counts, a).valid })
	for _, id := range ids {
		c := of(counts, id)
		r := lint.RuleByID(id)
		severity := r.Severity.String()
		if r.Off {
			severity += ", off"
		}
		fmt.Fprintf(&b, "| [%s](rules/%s.md) | %s | %d | %.1f %% | %.1f %% |\n", id, id, severity, c.findings, percent(c.valid, valid), percent(c.invalid, invalid))
	}
	return b.Bytes()
}

func of(counts map[string]*count, id string) count {
	if c := counts[id]; c != nil {
		return *c
	}
	return count{}
}

func percent(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(n) / float64(of)
}
