package diag

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func at(path string, line, column int) Location {
	p := Pos{Line: line, Column: column}
	return Location{Path: path, Start: p, End: p}
}

func TestFindingsReadLikeThoseOfCompilers(t *testing.T) {
	t.Parallel()
	for want, d := range map[string]Diagnostic{
		"t.yaml:3:7: error: no such parameter \"x\" [unknown-parameter] (did you mean \"y\"?)": Errorf(at("t.yaml", 3, 7), "unknown-parameter", "no such parameter %q", "x").With("did you mean %q?", "y"),
		"t.yaml: warning: empty [w]": Warnf(Location{Path: "t.yaml"}, "w", "empty"),
		"1:2: info: note [i]":        Infof(at("", 1, 2), "i", "note"),
	} {
		if got := d.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestTrailsAreNotShared(t *testing.T) {
	t.Parallel()
	base := Errorf(at("t", 1, 1), "cycle", "a cycle").Via(at("t", 2, 1), "a")
	one, two := base.Via(at("t", 3, 1), "one"), base.Via(at("t", 4, 1), "two")
	if one.Trail[1].Message != "one" || two.Trail[1].Message != "two" || len(base.Trail) != 1 {
		t.Errorf("%v %v %v", base.Trail, one.Trail, two.Trail)
	}
}

func TestSortOrdersByPlaceAndDropsRepetitions(t *testing.T) {
	t.Parallel()
	l := List{
		Warnf(at("b", 1, 1), "r", "m"), Errorf(at("a", 2, 1), "r", "m"), Errorf(at("a", 1, 9), "s", "m"), Errorf(at("a", 1, 9), "r", "n"),
		Errorf(at("a", 2, 1), "r", "m"), Warnf(at("a", 1, 9), "a", "m"), Errorf(at("a", 1, 9), "r", "m"),
	}
	l.Sort()
	var got []string
	for _, d := range l {
		got = append(got, d.String())
	}
	want := []string{
		"a:1:9: error: m [r]", "a:1:9: error: n [r]", "a:1:9: error: m [s]", "a:1:9: warning: m [a]", "a:2:1: error: m [r]", "b:1:1: warning: m [r]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !l.HasErrors() || (List{Warnf(at("a", 1, 1), "r", "m")}).HasErrors() || List(nil).HasErrors() {
		t.Error("HasErrors")
	}
}

func TestSeveritiesAreWordsInJSON(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal([]Severity{Error, Warning, Info})
	if err != nil || string(text) != `["error","warning","info"]` {
		t.Errorf("%s %v", text, err)
	}
}

func TestNearestFindsWhatWasMeant(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		word       string
		candidates []string
		want       string
	}{
		{"workflow_", []string{"workflow_handle", "workflow"}, "workflow"},
		{"workflow_", []string{"workflow_handle", "params"}, "workflow_handle"},
		{"falvor", []string{"flavor", "image"}, "flavor"},
		{"Flavor", []string{"flavor"}, "flavor"},
		{"imag", []string{"image"}, "image"},
		{"im", []string{"image"}, ""},
		{"network", []string{"image", "flavor"}, ""},
		{"", []string{"a"}, ""},
		{"a", nil, ""},
		{strings.Repeat("a", 1<<20), []string{strings.Repeat("a", 1<<20) + "b", "a"}, ""},
	} {
		if got := Nearest(c.word, c.candidates); got != c.want {
			t.Errorf("%.20q: got %.20q, want %q", c.word, got, c.want)
		}
	}
}

func TestDistanceCountsEdits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "ABC", 0}, {"abc", "acb", 1}, {"abc", "ab", 1}, {"abc", "xbc", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3}, {strings.Repeat("x", 200), "x", 200}} {
		if got := Distance(c.a, c.b); got != c.want || Distance(c.b, c.a) != c.want {
			t.Errorf("%q %q: got %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func BenchmarkNearest(b *testing.B) {
	var names []string
	for _, role := range []string{"server", "port", "volume", "network", "subnet", "security_group"} {
		for i := range 170 {
			names = append(names, role+"_"+strings.Repeat("x", i%7)+string(rune('a'+i%26)))
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		Nearest("sevrer_xxc", names)
	}
}
