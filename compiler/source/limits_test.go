package source

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hotloom/hotloom/compiler/diag"
)

// TestHostileTextIsRefusedQuickly holds each text to one finding, three seconds and 400 MB, far above what is needed
// and far below what an unbounded reader takes.
func TestHostileTextIsRefusedQuickly(t *testing.T) {
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 30 {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 10), ", "))
	}
	merges := "base: &base {" + strings.Join(numbered(20_000, "k%d: 1"), ", ") + "}\n" + strings.Join(numbered(20_000, "m%d: {<<: *base}"), "\n") + "\n"
	for name, c := range map[string]struct {
		text []byte
		rule string // "" is accepted
	}{
		"deep flow":         {[]byte("a: " + strings.Repeat("[", 100_000)), "limit"},
		"deep flow, closed": {[]byte("a: " + strings.Repeat("[", 5_000) + strings.Repeat("]", 5_000)), "limit"},
		"deep flow maps":    {[]byte(strings.Repeat("{a: ", 100_000)), "json-syntax"},
		"deep maps in YAML": {[]byte("x: " + strings.Repeat("{a: ", 100_000)), "limit"},
		"deep list":         {[]byte(strings.Repeat("- ", 100_000) + "a\n"), "limit"},
		"deep JSON":         {[]byte(`{"a":` + strings.Repeat("[", 100_000)), "limit"},
		"deep map":          {[]byte(strings.Join(numbered(2_000, "%[2]sk:"), "\n")), "limit"},
		"alias bomb":        {[]byte(bomb), "limit"},
		"merge bomb":        {[]byte(merges), "limit"},
		"large file":        {bytes.Repeat([]byte("a: b\n"), 20<<20), "limit"},
		"one long line":     {[]byte("a: " + strings.Repeat("x", 2<<20)), "limit"},
		"long JSON string":  {[]byte(`{"a": "` + strings.Repeat("x", 2<<20) + `"}`), "limit"},
		"one key often":     {[]byte(strings.Repeat("a: 1\n", 100_000)), ""},
		"many keys":         {[]byte(strings.Join(numbered(100_000, "k%d: 1"), "\n")), ""},
		"open quotes":       {[]byte(strings.Repeat("a: \"\n", 200_001)), "yaml-syntax"},
		"questions":         {[]byte("a: [" + strings.Repeat("x ?y, ", 50_000) + "]"), "yaml-syntax"},
		"glued colons":      {[]byte("a: [" + strings.Repeat("{b:[c]}, ", 20_000) + "]"), "yaml-syntax"},
		"question keys":     {[]byte(strings.Repeat("? ", 100_000)), "limit"},
		"comments":          {[]byte("a: 1\n" + strings.Repeat("#\n", 500_000)), ""},
		"long number":       {[]byte("a: " + strings.Repeat("9", 500_000)), "yaml-value"},
		"anchors":           {[]byte(strings.Join(numbered(50_000, "- &a%d x"), "\n")), ""},
		"tags":              {[]byte(strings.Join(numbered(50_000, "- !t%d x"), "\n")), "yaml-tag"},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			n, findings := Parse("t.yaml", c.text)
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			if n == nil {
				t.Fatal("no node")
			}
			if errors := onlyErrors(findings); (c.rule == "") != (len(errors) == 0) || c.rule != "" && errors[0].Rule != c.rule {
				t.Errorf("findings %.300v, want rule %q", findings, c.rule)
			} else if c.rule != "" && c.rule != "yaml-tag" && len(errors) != 1 {
				t.Errorf("%d errors, want one: %.300v", len(errors), errors)
			}
			if len(findings) > 2*maxFindings {
				t.Errorf("%d findings", len(findings))
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 400<<20 {
				t.Errorf("allocated %d MB", used>>20)
			}
			if took > 3*time.Second*slowness {
				t.Errorf("took %v", took)
			}
		})
	}
}

func numbered(n int, format string) []string {
	out := make([]string, n)
	for i := range out {
		if strings.Contains(format, "%[2]s") {
			out[i] = fmt.Sprintf(format, i, strings.Repeat(" ", i))
		} else {
			out[i] = fmt.Sprintf(format, i)
		}
	}
	return out
}

func onlyErrors(l diag.List) (out diag.List) {
	for _, d := range l {
		if d.Severity == diag.Error {
			out.Add(d)
		}
	}
	return out
}
