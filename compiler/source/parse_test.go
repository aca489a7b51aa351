package source

import "testing"

func TestParseKeepsPlacesAndTypes(t *testing.T) {
	t.Parallel()
	n, findings := Parse("t.yaml", []byte("heat_template_version: 2018-08-31\nresources:\n  a: {count: 010, on: yes}\n"))
	if len(findings) != 0 {
		t.Fatal(findings)
	}
	count := n.Get("resources").Get("a").Get("count")
	if v, _ := count.Int64(); v != 8 || count.At().String() != "t.yaml:3:14" {
		t.Errorf("got %v at %v", count.Scalar, count.At())
	}
	if got := n.Get("heat_template_version").Str(); got != "2018-08-31" {
		t.Errorf("version %q", got)
	}
}
