package source

import (
	"math"
	"math/big"
	"strings"
	"testing"
)

// scalarCases are plain and tagged scalars with what Heat's loader makes of them. The values were taken from PyYAML 6;
// TestPyYAMLAgrees asks it again where there is one.
var scalarCases = []struct {
	text string
	want any // nil, bool, int, *big.Int, float64, string, or []byte
}{
	// Booleans: three spellings of six words.
	{"yes", true},
	{"Yes", true},
	{"YES", true},
	{"no", false},
	{"No", false},
	{"NO", false},
	{"true", true},
	{"True", true},
	{"TRUE", true},
	{"false", false},
	{"False", false},
	{"FALSE", false},
	{"on", true},
	{"On", true},
	{"ON", true},
	{"off", false},
	{"Off", false},
	{"OFF", false},
	{"yEs", "yEs"},
	{"tRUE", "tRUE"},
	{"oN", "oN"},
	{"y", "y"},
	{"n", "n"},
	{"Y", "Y"},
	{"N", "N"},
	{"truee", "truee"},
	// Null.
	{"~", nil},
	{"null", nil},
	{"Null", nil},
	{"NULL", nil},
	{"nULL", "nULL"},
	{"none", "none"},
	{"~x", "~x"},
	// Integers.
	{"0", 0},
	{"-0", 0},
	{"+0", 0},
	{"12", 12},
	{"-12", -12},
	{"+12", 12},
	{"1_000", 1000},
	{"1_", 1},
	{"_1", "_1"},
	{"010", 8},
	{"0777", 511},
	{"0_7", 7},
	{"00", 0},
	{"0_", 0},
	{"-010", -8},
	{"08", "08"},
	{"019", "019"},
	{"0o10", "0o10"},
	{"0x1F", 31},
	{"-0x1f", -31},
	{"0x_f", 15},
	{"0X1F", "0X1F"},
	{"0xg", "0xg"},
	{"0b11", 3},
	{"0b1_1", 3},
	{"0b2", "0b2"},
	{"0b", "0b"},
	{"1:30", 90},
	{"12:30:45", 45045},
	{"-1:30", -90},
	{"1:60", "1:60"},
	{"01:30", "01:30"},
	{"1:5", 65},
	{"1:005", "1:005"},
	{"1_0:30", 630},
	{"9223372036854775807", math.MaxInt64},
	{"-9223372036854775808", math.MinInt64},
	{"9223372036854775808", new(big.Int).Lsh(big.NewInt(1), 63)},
	{"0xffffffffffffffff", new(big.Int).SetUint64(math.MaxUint64)},
	{"10.0.0.1", "10.0.0.1"},
	{"10.0.0.0/24", "10.0.0.0/24"},
	{"1 2", "1 2"},
	{"+", "+"},
	{"1-2", "1-2"},
	// Floats: a point is needed, and a sign in the exponent.
	{"1.5", 1.5},
	{"1.", 1.0},
	{"-1.5", -1.5},
	{"+1.5", 1.5},
	{".5", .5},
	{"-.5", "-.5"},
	{"1_0.5", 10.5},
	{"010.5", 10.5},
	{"._5", "._5"},
	{"1.0e+3", 1000.0},
	{"1.0E-3", 0.001},
	{"1e3", "1e3"},
	{"1.5e3", "1.5e3"},
	{"1e+3", "1e+3"},
	{".5e+1", 5.0},
	{"1.e+1", 10.0},
	{"190:20:30.15", 685230.15},
	{"01:30.", 90.0},
	{"1:30._", 90.0},
	{"1:60.5", "1:60.5"},
	{".inf", math.Inf(1)},
	{".Inf", math.Inf(1)},
	{".INF", math.Inf(1)},
	{"-.inf", math.Inf(-1)},
	{"+.inf", math.Inf(1)},
	{".nan", math.NaN()},
	{".NaN", math.NaN()},
	{".NAN", math.NaN()},
	{"-.nan", "-.nan"},
	{"inf", "inf"},
	{"NaN", "NaN"},
	{".iNf", ".iNf"},
	{"1.0e+999", math.Inf(1)},
	{".", "."},
	{"..", ".."},
	{"1.2.3", "1.2.3"},
	// Times stay text.
	{"2013-05-23", "2013-05-23"},
	{"2001-12-14t21:59:43.10-05:00", "2001-12-14t21:59:43.10-05:00"},
	// Text.
	{"a", "a"},
	{"a b", "a b"},
	{"a:b", "a:b"},
	{"http://x", "http://x"},
	{"-a", "-a"},
	{"?a", "?a"},
	{":a", ":a"},
	{"a#b", "a#b"},
	{"<", "<"},
	{"<<<", "<<<"},
	{"==", "=="},
	{`"1"`, "1"},
	{"'yes'", "yes"},
	{`""`, ""},
	{`"\x41\u00e9\n"`, "Aé\n"},
	{"'it''s'", "it's"},
	// Tags.
	{"!!str 12", "12"},
	{"!!str", ""},
	{`!!int "12"`, 12},
	{`!!int " 5 "`, 5},
	{"!!int 0o17", 15},
	{`!!float "1e3"`, 1000.0},
	{"!!float 3", 3.0},
	{"!!bool YeS", true},
	{"!!null x", nil},
	{"!!timestamp x", "x"},
	{"!!binary aGk=", []byte("hi")},
	{"!!binary a G\tk=\n", []byte("hi")},
	{"!!binary =", []byte("")},
	{"! 12", 12},
	{`! "12"`, 12},
	{"!<tag:yaml.org,2002:int> '3'", 3},
	{"!!str {=: x}", "x"},
	{"!!int {=: {=: 4}}", 4},
}

func TestScalarsAreTypedAsPyYAMLTypesThem(t *testing.T) {
	t.Parallel()
	for _, c := range scalarCases {
		n, findings := Parse("t.yaml", []byte("k: "+c.text+"\n"))
		if len(findings) != 0 {
			t.Errorf("%s: %v", c.text, findings)
			continue
		}
		if v := n.Get("k"); !Equal(v, nodeOf(c.want)) {
			t.Errorf("%s: got %v %v %q, want %v", c.text, v.Kind, v.Scalar, v.Text, c.want)
		}
	}
}

func nodeOf(v any) *Node {
	switch v := v.(type) {
	case bool:
		return NewBool(nil, v)
	case int:
		return NewInt(nil, int64(v))
	case *big.Int:
		return &Node{Kind: Int, Scalar: v}
	case float64:
		return &Node{Kind: Float, Scalar: v}
	case string:
		return NewString(nil, v)
	case []byte:
		return &Node{Kind: Bytes, Text: string(v)}
	}
	return NewNull(nil)
}

func TestScalarsThatHeatRefuses(t *testing.T) {
	t.Parallel()
	for text, rule := range map[string]string{
		"=": "yaml-value", "<<": "yaml-value", "[<<]": "yaml-value", "0b_": "yaml-value", "0x_": "yaml-value", "+_": "",
		`!!int ""`: "yaml-value", "!!int x": "yaml-value", "!!int 1:x": "yaml-value", "!!float x": "yaml-value", "!!float 0x1p3": "yaml-value", "!!bool y": "yaml-value",
		"!!binary a": "yaml-value", "!!binary é": "yaml-value", strings.Repeat("9", 4301): "yaml-value",
		"!Ref x": "yaml-tag", "!!python/tuple [1]": "yaml-tag", "!!str [x]": "yaml-tag", "!!int {a: b}": "yaml-tag", "!!map [x]": "yaml-tag",
		"!!seq {a: b}": "yaml-tag", "!!set [x]": "yaml-tag", "!!map x": "yaml-tag", "!!omap {a: b}": "yaml-tag", "!!pairs [x]": "yaml-tag", "!Sub [a]": "yaml-tag",
		"{[a]: b}": "yaml-key", "{{ name }}": "yaml-key", "{!!set {a}: b}": "yaml-key",
		"{<<: x}": "yaml-value", "{<<: [x]}": "yaml-value", "*a": "yaml-alias", "&a [*a]": "yaml-alias", "[&a x, &a y]": "yaml-alias",
	} {
		_, findings := Parse("t.yaml", []byte("k: "+text+"\n"))
		switch {
		case rule == "" && findings.HasErrors():
			t.Errorf("%s: %v", text, findings)
		case rule == "":
		case len(findings) == 0 || findings[0].Rule != rule || !findings.HasErrors():
			t.Errorf("%s: got %v, want an error of rule %s", text, findings, rule)
		case findings[0].Start.Line != 1 || findings[0].Start.Column < 4:
			t.Errorf("%s: at %v", text, findings[0].Location)
		}
	}
}

func TestCollectionsOfYAML11(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, same string }{
		{"a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}\n", "{a: {b: 1, c: 2}, d: {b: 1, c: 3}}"},
		{"a: {<<: [{b: 1}, {b: 2, c: 3}]}\n", "{a: {b: 1, c: 3}}"},
		{"a: {b: 0, <<: {b: 1}, <<: {c: 2}}\n", "{a: {b: 0, c: 2}}"},
		{"a: &x {<<: *x, b: 1}\n", "{a: {b: 1}}"},
		{"a: {'<<': 1, =: 2}\n", "{a: {'<<': 1, '=': 2}}"},
		{"a: !!omap [b: 1, c: 2]\n", "{a: [[b, 1], [c, 2]]}"},
		{"a: !!pairs [b: 1, b: 2]\n", "{a: [[b, 1], [b, 2]]}"},
		{"a: !!set {b: 1, c}\n", "{a: !!set {b, c}}"},
		{"? a\n: b\n", "{a: b}"},
		{"a:\n- b\n- - c\n", "{a: [b, [c]]}"},
		{"1: a\n~: b\n1.5: c\n", "{1: a, ~: b, 1.5: c}"},
		{"%YAML 1.2\n---\na: {b: x?y, c: http://h/?q=1, d: e ?f}\n", "{a: {b: 'x?y', c: 'http://h/?q=1', d: 'e ?f'}}"},
		{"", "{}"},
		{"# nothing\n", "{}"},
		{"---\n...\n", "{}"},
		{"~\n", "{}"},
	} {
		got, findings := Parse("t.yaml", []byte(c.text))
		want, _ := ParseFile(&File{Text: []byte(c.same)}, Options{Reader: YAML})
		if findings.HasErrors() || !Equal(got, want) {
			t.Errorf("%q: got %s, want %s %v", c.text, Encode(got), c.same, findings)
		}
	}
}
