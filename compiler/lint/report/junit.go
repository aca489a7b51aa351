package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/lint"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Failure *junitFailure `xml:"failure,omitempty"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// writeJUnit makes a suite of each file and a case of each finding; a file without findings is one passed case. An
// error is a failure; warnings and infos are passed cases with output.
func writeJUnit(w io.Writer, r *lint.Report, _ Options) error {
	byPath := map[string]*junitSuite{}
	out := junitSuites{}
	var order []*junitSuite
	suite := func(path string) *junitSuite {
		s := byPath[path]
		if s == nil {
			s = &junitSuite{Name: xmlText(path)}
			byPath[path] = s
			order = append(order, s)
		}
		return s
	}
	for _, f := range r.Files {
		suite(f.Path)
	}
	for _, d := range r.Diagnostics {
		s := suite(d.Path)
		c := junitCase{Name: xmlText(fmt.Sprintf("%s at %d:%d", d.Rule, d.Start.Line, d.Start.Column)), Class: xmlText(d.Path)}
		if d.Severity == diag.Error {
			s.Failures++
			c.Failure = &junitFailure{Message: xmlText(d.Message), Type: d.Rule, Text: xmlText(d.String())}
		} else {
			c.Output = xmlText(d.String())
		}
		s.Cases = append(s.Cases, c)
	}
	for _, s := range order {
		if len(s.Cases) == 0 {
			s.Cases = []junitCase{{Name: "lint", Class: s.Name}}
		}
		s.Tests = len(s.Cases)
		out.Tests += s.Tests
		out.Failures += s.Failures
		out.Suites = append(out.Suites, *s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// xmlText replaces what XML 1.0 cannot hold.
func xmlText(s string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			return '�'
		}
		return r
	}, s)
}
