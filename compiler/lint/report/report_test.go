package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/lint"
)

var update = flag.Bool("update", false, "rewrite golden files")

func at(path string, line, column, endLine, endColumn int) diag.Location {
	return diag.Location{Path: path, Start: diag.Pos{Line: line, Column: column}, End: diag.Pos{Line: endLine, Column: endColumn}}
}

// sample has what forms get wrong: characters to escape, a trail, a finding without place, tabs, wide and control
// characters, two equal findings.
func sample() *lint.Report {
	text := "heat_template_version: 2018-08-31\nresources:\n  a:\n    type: OS::Nova::Sever # <ö> & \"x\"\n\tb: 1\n"
	return &lint.Report{
		Files: []lint.File{
			{Path: "dir/a b.yaml", Kind: lint.KindTemplate},
			{Path: "clean.yaml", Kind: lint.KindEnvironment, Valid: true},
		},
		Sources: map[string][]byte{"dir/a b.yaml": []byte(text)},
		Known:   2,
		Diagnostics: diag.List{
			diag.Errorf(at("dir/a b.yaml", 4, 11, 4, 26), "unknown-resource-type", "unknown resource type %q", "OS::Nova::Sever").
				With("did you mean %q?", "OS::Nova::Server").Via(at("dir/a b.yaml", 3, 3, 3, 4), "of <a> & co"),
			diag.Warnf(at("dir/a b.yaml", 5, 2, 5, 3), "duplicate-key", "twice,\n100%% :: \x1b[31m"),
			diag.Warnf(at("dir/a b.yaml", 5, 2, 5, 3), "duplicate-key", "twice,\n100%% :: \x1b[31m"),
			diag.Infof(diag.Location{Path: "clean.yaml"}, "empty-section", "nothing"),
		},
	}
}

func TestFormatsAreStable(t *testing.T) {
	t.Parallel()
	for _, f := range Formats {
		for _, o := range []struct {
			suffix string
			opts   Options
		}{{"", Options{Version: "1.2.3"}}, {".color", Options{Color: true}}} {
			if o.opts.Color && f.Name != "text" {
				continue
			}
			t.Run(f.Name+o.suffix, func(t *testing.T) {
				t.Parallel()
				var b bytes.Buffer
				if err := Write(&b, f.Name, sample(), o.opts); err != nil {
					t.Fatal(err)
				}
				golden := filepath.Join("testdata", f.Name+o.suffix+".golden")
				if *update {
					if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(golden)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), b.String()); diff != "" {
					t.Errorf("-want +got (run with -update):\n%s", diff)
				}
			})
		}
	}
}

func TestSARIFMeetsTheOfficialSchema(t *testing.T) {
	t.Parallel()
	for _, r := range []*lint.Report{sample(), {}} {
		var b bytes.Buffer
		if err := Write(&b, "sarif", r, Options{Version: "1.2.3"}); err != nil {
			t.Fatal(err)
		}
		strict := json.NewDecoder(bytes.NewReader(b.Bytes()))
		strict.DisallowUnknownFields()
		if err := strict.Decode(new(sarif.Report)); err != nil {
			t.Error(err)
		}
		back, err := sarif.FromBytes(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		// What the library writes for keys that are left out meets its own schema only with these values.
		run := back.Runs[0]
		run.Language, run.Tool.Driver.Language, run.NewlineSequences = "en-US", "en-US", []string{"\n"}
		if err := back.Validate(); err != nil {
			t.Error(err)
		}
	}
}

func TestMachineFormatsParse(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"json", "sarif", "gitlab"} {
		var b bytes.Buffer
		if err := Write(&b, name, sample(), Options{}); err != nil {
			t.Fatal(err)
		}
		if !json.Valid(b.Bytes()) {
			t.Errorf("%s is no JSON", name)
		}
	}
	var b bytes.Buffer
	if err := Write(&b, "junit", sample(), Options{}); err != nil {
		t.Fatal(err)
	}
	var suites junitSuites
	if err := xml.Unmarshal(b.Bytes(), &suites); err != nil || suites.Tests != 4 || suites.Failures != 1 {
		t.Errorf("%+v, %v", suites, err)
	}
}

func TestFingerprintsTellEqualFindingsApart(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := Write(&b, "gitlab", sample(), Options{}); err != nil {
		t.Fatal(err)
	}
	var issues []gitlabIssue
	if err := json.Unmarshal(b.Bytes(), &issues); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, i := range issues {
		if seen[i.Fingerprint] {
			t.Errorf("fingerprint %s is there twice", i.Fingerprint)
		}
		seen[i.Fingerprint] = true
	}
}

func TestTextShowsNoControlCharacters(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := Write(&b, "text", sample(), Options{}); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsRune(b.String(), '\x1b') {
		t.Error("an escape code of the input reached the output")
	}
}

func TestUnknownFormatIsAnError(t *testing.T) {
	t.Parallel()
	if err := Write(&bytes.Buffer{}, "xml", sample(), Options{}); err == nil {
		t.Error("no error")
	}
}
