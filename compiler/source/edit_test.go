package source

import (
	"testing"

	"github.com/hotloom/hotloom/compiler/diag"
)

func TestEditsKeepTheRestOfTheText(t *testing.T) {
	t.Parallel()
	text := "\ufeffa: é, b\r\nc: d\r\n"
	span := func(l1, c1, l2, c2 int) diag.Location {
		return diag.Location{Path: "t", Start: diag.Pos{Line: l1, Column: c1}, End: diag.Pos{Line: l2, Column: c2}}
	}
	for _, c := range []struct {
		name  string
		edits []Edit
		want  string // "" is refused
	}{
		{"none", nil, text},
		{"two, last first", []Edit{{span(2, 4, 2, 5), "D"}, {span(1, 4, 1, 5), "E"}}, "\ufeffa: E, b\r\nc: D\r\n"},
		{"insertions in order", []Edit{{span(2, 1, 2, 1), "x"}, {span(2, 1, 2, 1), "y"}}, "\ufeffa: é, b\r\nxyc: d\r\n"},
		{"over lines", []Edit{{span(1, 5, 2, 4), ""}}, "\ufeffa: éd\r\n"},
		{"touching", []Edit{{span(1, 4, 1, 5), "x"}, {span(1, 5, 1, 6), ";"}}, "\ufeffa: x; b\r\nc: d\r\n"},
		{"at the end", []Edit{{span(3, 1, 3, 1), "e: f\r\n"}}, text + "e: f\r\n"},
		{"overlap", []Edit{{span(1, 1, 1, 5), ""}, {span(1, 4, 1, 6), ""}}, ""},
		{"backwards", []Edit{{span(2, 1, 1, 1), ""}}, ""},
		{"beyond a line", []Edit{{span(2, 1, 2, 90), ""}}, ""},
		{"beyond the text", []Edit{{span(9, 1, 9, 1), ""}}, ""},
		{"no place", []Edit{{diag.Location{Path: "t"}, ""}}, ""},
		{"two files", []Edit{{span(1, 1, 1, 1), ""}, {diag.Location{Path: "u", Start: diag.Pos{Line: 1, Column: 1}, End: diag.Pos{Line: 1, Column: 1}}, ""}}, ""},
	} {
		got, err := Apply([]byte(text), c.edits)
		if string(got) != c.want || (err == nil) == (c.want == "") {
			t.Errorf("%s: got %q %v, want %q", c.name, got, err, c.want)
		}
	}
}
