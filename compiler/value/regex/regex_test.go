package regex_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/value/regex"
)

// pythonCase is one recorded result of CPython's re; see testdata/generate.py.
type pythonCase struct {
	P, T  string
	F     regex.Flags
	R     string
	Err   string `json:"err"`
	Found any
	Sub   any
	Split any
}

// replay does the same with this package.
func (c pythonCase) replay(t *testing.T) pythonCase {
	re, err := regex.Compile(c.P, c.F)
	if err != nil {
		c.Err, c.Found, c.Sub, c.Split = err.Error(), nil, nil, nil
		return c
	}
	c.Err = ""
	found := []any{}
	it := re.All(c.T)
	for {
		m, err := it.Next()
		if err != nil {
			t.Fatal(err)
		}
		if m == nil {
			break
		}
		var groups []any
		for i := 0; i <= re.Groups(); i++ {
			s, e := m.Span(i)
			groups = append(groups, []any{float64(s), float64(e)})
		}
		found = append(found, groups)
	}
	c.Found = found
	tmpl, err := re.Template(c.R)
	if err == nil {
		c.Sub, err = re.Sub(c.T, 0, func(m *regex.Match) (string, error) { return tmpl.Expand(m), nil }, nil)
	}
	if err != nil {
		c.Sub = "ERR " + err.Error()
	}
	if c.Split, err = re.Split(c.T, 0); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestPython(t *testing.T) {
	t.Parallel()
	f, err := os.Open("testdata/python.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	n := 0
	for sc.Scan() {
		var c pythonCase
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		n++
		if diff := cmp.Diff(c, c.replay(t)); diff != "" {
			t.Errorf("%s on %q: %s", c.P, c.T, diff)
		}
	}
	if n < 1000 {
		t.Fatalf("only %d cases", n)
	}
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	re, err := regex.Compile("^(a+)+$", 0)
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	if _, err = re.Search(strings.Repeat("a", 60) + "b"); !errors.Is(err, regex.ErrTimeout) {
		t.Fatalf("got %v", err)
	}
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestNamesAndPrefix(t *testing.T) {
	t.Parallel()
	re, err := regex.Compile("(?P<first>a)(b)(?P<last>c)?", 0)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"first", "last"}, re.Names()); diff != "" {
		t.Error(diff)
	}
	m, err := re.Prefix("abx")
	if err != nil || m == nil || m.Named("last") != 3 {
		t.Fatalf("match %v, %v", m, err)
	}
	if _, ok := m.Group(3); ok {
		t.Error("a group that took no part matched")
	}
	if m, _ := re.Prefix("xab"); m != nil {
		t.Error("a match that does not start the text")
	}
	if got := value.Repr(re); got != "re.compile('(?P<first>a)(b)(?P<last>c)?')" {
		t.Error(got)
	}
	if got := regex.Escape("a.b é-"); got != `a\.b\ é\-` {
		t.Error(got)
	}
}

func TestHostilePatterns(t *testing.T) {
	t.Parallel()
	for _, p := range []string{strings.Repeat("(", 5000), strings.Repeat("(", 300) + strings.Repeat(")", 300), strings.Repeat("a", 20_000)} {
		if _, err := regex.Compile(p, 0); err == nil {
			t.Errorf("%.20s… compiles", p)
		}
	}
}
