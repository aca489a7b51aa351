package value_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/value"
)

func TestMapKeepsOrderAndPythonsKeys(t *testing.T) {
	t.Parallel()
	m := value.NewMap(0)
	for i := range 100 {
		m.SetStr(fmt.Sprint("k", i), int64(i))
	}
	for _, k := range []any{int64(1), nil, value.Tuple{int64(1), "a"}, 2.5} {
		if err := m.Set(k, "v"); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Set(true, "again"); err != nil || m.Len() != 104 { // true is 1
		t.Fatalf("%d keys, %v", m.Len(), err)
	}
	if v, ok := m.Get(1.0); !ok || v != "again" {
		t.Errorf("1.0 gives %v, %v", v, ok)
	}
	if k, _ := m.At(100); k != int64(1) {
		t.Errorf("the first key is kept, not %v", k)
	}
	if v, ok := m.GetStr("k57"); !ok || v != int64(57) {
		t.Errorf("k57 gives %v, %v", v, ok)
	}
	var e *value.Error
	if err := m.Set([]any{}, 1); !errors.As(err, &e) || e.Error() != "unhashable type: 'list'" {
		t.Errorf("a list as key gives %v", err)
	}
	less, err := m.Without(nil, []any{"k0", true, "nothing"})
	if err != nil || less.Len() != 102 {
		t.Errorf("Without left %d, %v", less.Len(), err)
	}
}

func TestViewConvertsAndIsTheSameDict(t *testing.T) {
	t.Parallel()
	m := value.MapOf("a", []any{int64(1)})
	v := m.View(func(x any) any { return value.Tuple(x.([]any)) })
	if got, _ := v.GetStr("a"); value.TypeName(got) != "tuple" {
		t.Errorf("read as %s", value.TypeName(got))
	}
	if !v.Frozen() || m.Frozen() || v.Identity() != m.Identity() {
		t.Error("a view is frozen, shares identity and leaves the map alone")
	}
	if value.Equal(m, v) {
		t.Error("a list equals no tuple")
	}
}

func TestMeterEndsWalks(t *testing.T) {
	t.Parallel()
	var v any = value.Tuple{int64(1)}
	for range 60 {
		v = value.Tuple{v, v}
	}
	for name, walk := range map[string]func(m *value.Meter) error{
		"equal": func(m *value.Meter) error { _, err := m.Equal(v, value.Tuple{v, v}[0].(value.Tuple)); return err },
		"hash":  func(m *value.Meter) error { _, err := m.Hash(v); return err },
		"repr":  func(m *value.Meter) error { _, err := m.Repr(v); return err },
		"json":  func(m *value.Meter) error { _, err := value.JSON(v, value.JSONOptions{Meter: m}); return err },
	} {
		if err := walk(&value.Meter{Left: 10_000}); !errors.Is(err, value.ErrBudget) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDeepValuesAreRefused(t *testing.T) {
	t.Parallel()
	var v any = int64(1)
	for range 5000 {
		v = []any{v}
	}
	var e *value.Error
	if _, err := (*value.Meter)(nil).Repr(v); !errors.As(err, &e) || e.Class != "RecursionError" {
		t.Errorf("repr: %v", err)
	}
}

func TestFrom(t *testing.T) {
	t.Parallel()
	type word string
	got := value.From(map[string]any{"b": []int{1, 2}, "a": uint64(1 << 63), "c": word("x"), "d": map[word]bool{"y": true}, "e": nil})
	want := "{'a': 9223372036854775808, 'b': [1, 2], 'c': 'x', 'd': {'y': True}, 'e': None}"
	if diff := cmp.Diff(want, value.Repr(got)); diff != "" {
		t.Error(diff)
	}
}

func TestLimitsOnNumbers(t *testing.T) {
	t.Parallel()
	if _, err := value.Pow(int64(10), int64(1_000_000_000), nil); err == nil {
		t.Error("a power of a billion digits")
	}
	if _, err := value.Shift(int64(1), int64(1<<40), false); err == nil {
		t.Error("a shift by 2^40")
	}
	if v, err := value.Pow(int64(-1), int64(1_000_000_001), nil); err != nil || v != int64(-1) {
		t.Errorf("(-1)^1000000001 = %v, %v", v, err)
	}
}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a": [1, 2.5, null, "x\u00e9"]}`, "[", `"\ud83d"`, "1e999", "NaN", "{\"a\":1,\"a\":2}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := value.ParseJSON(s)
		if err != nil {
			return
		}
		out, err := value.JSON(v, value.JSONOptions{})
		if err != nil {
			return
		}
		w, err := value.ParseJSON(out)
		if err != nil {
			t.Fatalf("%s is not read back: %v", out, err)
		}
		if value.Repr(v) != value.Repr(w) {
			t.Fatalf("%s became %s", value.Repr(v), value.Repr(w))
		}
	})
}

func FuzzFormat(f *testing.F) {
	for _, s := range []string{"{}", "{0:>{1}}", "{a[0].b!r:^10}", "{:,.2f}", "{", "{0[}"} {
		f.Add(s, "x")
	}
	f.Fuzz(func(t *testing.T, format, text string) {
		s, err := value.Format(format, value.FormatArgs{Items: []any{text, int64(12), 2.5, []any{text}}, Limit: 1 << 20})
		if err == nil && len(s) > 2<<20 {
			t.Fatalf("%d bytes", len(s))
		}
	})
}
