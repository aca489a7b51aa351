package lsp

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// marked takes the | out of a text that says where the cursor is.
func marked(t testing.TB, text string) (string, int) {
	t.Helper()
	at := strings.IndexByte(text, '|')
	if at < 0 {
		t.Fatalf("no | in %q", text)
	}
	return text[:at] + text[at+1:], at
}

func TestScanFindsThePlace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       string // path, what it can be, token, other keys
	}{
		{"first line", "|", "/ k  "},
		{"section begun", "res|", "/ k res "},
		{"section among others", "a: 1\nre|\nb: 2\n", "/ k re a,b"},
		{"a key that stands", "a: 1\nres|ult: 1\n", "/ k: result a"},
		{"value", "a:\n  type: OS::|\n", "/a/type v OS:: "},
		{"value, empty", "a:\n  type: |\n  b: 1\n", "/a/type v  "},
		{"value, no blank", "a:\n  type:|\n", "/a/type v  "},
		{"below a key", "a:\n  properties:\n    |\n", "/a/properties kv  "},
		{"below a key, letters", "a:\n  properties:\n    fl|\n", "/a/properties kv fl "},
		{"below a key, among others", "a:\n  properties:\n    |\n    x: 1\n    y: 2\n  z: 3\n", "/a/properties kv  x,y"},
		{"behind others", "a:\n  p:\n    x: 1\n    |\n  z: 3\n", "/a/p k  x"},
		{"out again", "a:\n  p:\n    x: 1\n  |\nb: 1\n", "/a k  p"},
		{"out to the top", "a:\n  p:\n    x: 1\n|\nb: 1\n", "/ k  a,b"},
		{"item", "a:\n  - |\n", "/a/[0] kv  "},
		{"second item", "a:\n  - x\n  - y|\n", "/a/[1] kv y "},
		{"item at the key's column", "a:\n- x\n- |\nb: 1\n", "/a/[1] kv  "},
		{"key behind items at its column", "a:\n- x\n|\n", "/ k  a"},
		{"map in an item", "a:\n  - b: 1\n    |\n  - c: 2\n", "/a/[0] k  b"},
		{"map in an item, value", "a:\n  - b: 1\n    c: |\n", "/a/[0]/c v  "},
		{"list in a list", "a:\n  - - x\n    - |\n", "/a/[0]/[1] kv  "},
		{"brackets", "a: {get_param: |}\n", "/a/get_param v  "},
		{"brackets, name", "a: {get_param: na|me}\n", "/a/get_param v name "},
		{"brackets, key", "a: {x: 1, |, y: 2}\n", "/a k  x,y"},
		{"brackets, key that stands", "a: {x: 1, ke|y: 3, y: 2}\n", "/a k: key x,y"},
		{"brackets, not closed", "a: {get_attr: [web, |\nb: 1\n", "/a/get_attr/[1] v  "},
		{"behind brackets that are not closed", "a: {get_attr: [web, \nb:\n  c: |\n", "/b/c v  "},
		{"list in brackets", "a: {get_attr: [web, |]}\n", "/a/get_attr/[1] v  "},
		{"quotes", "a: {get_param: \"na|me\"}\n", "/a/get_param v name "},
		{"single quotes", "a: 'it''s|'\n", "/a v it's "},
		{"quotes, not closed", "a: \"na|\nb: 1\n", "/a v na "},
		{"behind quotes that are not closed", "a: \"na\nb: x|\n", "/b v x "},
		{"quotes over lines", "a: \"one\n  tw|o\"\nb: 1\n", "/a v one\n  two "},
		{"behind quotes in brackets that are not closed", "a: {b: \"na\n  c: d,\ne: x|\n", "/e v x "},
		{"between things", "a:  |  1\n\n\nb: 1\n", "none"},
		{"comment", "a: 1 # he|re\n", "comment"},
		{"comment alone", "a:\n  # he|re\n", "comment"},
		{"text over lines", "a: >\n  te|xt\n", "none"},
		{"behind a text", "a:\n  t: >\n    text\n    type: x\n  b: |\n", "/a/b v  "},
		{"more documents", "a: 1\n---\nb: |\n", "/b v  "},
		{"JSON", "{\"a\": {\"type\": \"OS|\"}}", "/a/type v OS "},
		{"JSON key", "{\"a\": {\"ty|\": 1}}", "/a k: ty "},
		{"runes", "ä:\n  ö: ü|\n", "/ä/ö v ü "},
		{"windows", "a:\r\n  b: |\r\n  c: 1\r\n", "/a/b v  "},
		{"a text that goes on", "a: one\n  two|\n", "none"},
		{"between items", "a:\n  - x\n  |\n", "none"},
		{"a tag", "a: !!str te|xt\n", "/a v text "},
		{"a URL", "a: {url: http://x/|}\n", "/a/url v http://x/ "},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text, at := marked(t, c.text)
			got := scan([]byte(text), at)
			if diff := cmp.Diff(c.want, got.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func (c cursor) String() string {
	kind := ""
	if c.key {
		kind += "k"
	}
	if c.value {
		kind += "v"
	}
	if c.colon {
		kind += ":"
	}
	switch {
	case c.comment:
		return "comment"
	case kind == "":
		return "none"
	}
	return "/" + strings.Join(c.path, "/") + " " + kind + " " + c.token + " " + strings.Join(c.keys, ",")
}

// TestScanTakesTimeInProportion: nothing that somebody types costs more than its length.
func TestScanTakesTimeInProportion(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"- ", "{", "[a, ", "a: {b: ", "  x\n", "\"\n  ", "'", "a: |\n  ", " ", "\n", "a:\n ", "#", "? ", "{a: \"\n  "} {
		text := []byte("a: \"" + strings.Repeat(part, 1<<18/len(part)))
		for _, from := range []int{0, 4} {
			start := time.Now()
			scan(text[from:], len(text)-from)
			if spent := time.Since(start); spent > 10*time.Second {
				t.Errorf("%q: %v", part, spent)
			}
		}
	}
}

func FuzzScan(f *testing.F) {
	f.Add("a:\n  - b: {c: [d, 'e']}\n    f: |\n      g\n", 12)
	f.Add("{\"a\": [1, {\"b\": \"c\"}]}", 9)
	f.Fuzz(func(t *testing.T, text string, at int) {
		c := scan([]byte(text), at)
		if c.start < 0 || c.end < c.start || c.end > len(text) {
			t.Errorf("the token is at %d to %d of %d", c.start, c.end, len(text))
		}
	})
}
