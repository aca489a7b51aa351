package value_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/hotloom/hotloom/compiler/value"
)

// pythonCase is one recorded result of CPython; see testdata/generate.py.
type pythonCase struct {
	Op    string `json:"op"`
	Args  []any  `json:"args"`
	Want  any    `json:"want"`
	Error string `json:"error"`
}

// decode reads a value in the notation of the recorded cases.
func decode(t *testing.T, v any) any {
	switch v := v.(type) {
	case []any:
		return decodeAll(t, v)
	case map[string]any:
		for kind, x := range v {
			switch kind {
			case "int":
				n, _ := new(big.Int).SetString(x.(string), 10)
				return value.NormInt(n)
			case "float":
				f, err := value.ParseFloat(x.(string))
				if err != nil {
					t.Fatal(err)
				}
				return f
			case "span":
				n, _ := new(big.Int).SetString(x.(string), 10)
				s, err := value.SpanOf(n)
				if err != nil {
					t.Fatal(err)
				}
				return s
			case "time":
				return decodeTime(t, x.([]any))
			case "tuple":
				return value.Tuple(decodeAll(t, x.([]any)))
			case "set":
				s, err := value.SetOf(nil, false, decodeAll(t, x.([]any)))
				if err != nil {
					t.Fatal(err)
				}
				return s
			case "pairs":
				m := value.NewMap(0)
				for _, p := range x.([]any) {
					kv := decodeAll(t, p.([]any))
					if err := m.Set(kv[0], kv[1]); err != nil {
						t.Fatal(err)
					}
				}
				return m
			}
		}
	}
	return v
}

func decodeAll(t *testing.T, items []any) []any {
	out := make([]any, len(items))
	for i, x := range items {
		out[i] = decode(t, x)
	}
	return out
}

func decodeTime(t *testing.T, parts []any) value.Time {
	var n [7]int
	for i := range n {
		n[i] = int(parts[i].(float64))
	}
	var zone *value.Zone
	if off, ok := parts[7].(float64); ok {
		s, _ := value.SpanOfFloat(off * 1e6)
		zone, _ = value.ZoneAt("", s)
	}
	d, err := value.Date(n[0], n[1], n[2], n[3], n[4], n[5], n[6], zone)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func list(parts []string) any {
	out := make([]any, len(parts))
	for i, p := range parts {
		out[i] = p
	}
	return out
}

func num(v any) int { n, _ := value.Int(v); return n }

// pythonOps are the operations of the recorded cases.
var pythonOps = map[string]func(a []any) (any, error){
	"neg":   func(a []any) (any, error) { return value.Neg(a[0]) },
	"abs":   func(a []any) (any, error) { return value.Abs(a[0]) },
	"str":   func(a []any) (any, error) { return value.Str(a[0]), nil },
	"int":   func(a []any) (any, error) { return value.ToInt(a[0]) },
	"float": func(a []any) (any, error) { return value.ToFloatValue(a[0]) },
	"hash": func(a []any) (any, error) {
		h, err := value.Hash(a[0])
		return int64(h), err
	},
	"add":      func(a []any) (any, error) { return value.Add(a[0], a[1]) },
	"sub":      func(a []any) (any, error) { return value.Sub(a[0], a[1]) },
	"mul":      func(a []any) (any, error) { return value.Mul(a[0], a[1]) },
	"floordiv": func(a []any) (any, error) { return value.FloorDiv(a[0], a[1]) },
	"mod":      func(a []any) (any, error) { return value.Mod(a[0], a[1]) },
	"truediv":  func(a []any) (any, error) { return value.TrueDiv(a[0], a[1]) },
	"eq":       func(a []any) (any, error) { return value.Equal(a[0], a[1]), nil },
	"lt": func(a []any) (any, error) {
		c, ordered, err := value.Compare(a[0], a[1])
		return ordered && c < 0, err
	},
	"pow": func(a []any) (any, error) {
		if len(a) > 2 {
			return value.Pow(a[0], a[1], a[2])
		}
		return value.Pow(a[0], a[1], nil)
	},
	"round": func(a []any) (any, error) { return value.Round(a[0], a[1]) },
	"upper": func(a []any) (any, error) { return value.Upper(a[0].(string)), nil },
	"lower": func(a []any) (any, error) { return value.Lower(a[0].(string)), nil },
	"repr":  func(a []any) (any, error) { return value.Repr(a[0]), nil },
	"ascii": func(a []any) (any, error) { return value.ASCII(a[0]), nil },
	"len":   func(a []any) (any, error) { return int64(value.RuneLen(a[0].(string))), nil },
	"strip": func(a []any) (any, error) { return value.Strip(a[0].(string)), nil },
	"split": func(a []any) (any, error) { return list(value.SplitBlanks(a[0].(string), -1, false)), nil },
	"splitn": func(a []any) (any, error) {
		return list(value.SplitBlanks(a[0].(string), num(a[1]), false)), nil
	},
	"rsplitn": func(a []any) (any, error) {
		return list(value.SplitBlanks(a[0].(string), num(a[1]), true)), nil
	},
	"splitsep": func(a []any) (any, error) {
		p, err := value.Split(a[0].(string), a[1].(string), num(a[2]), false)
		return list(p), err
	},
	"rsplitsep": func(a []any) (any, error) {
		p, err := value.Split(a[0].(string), a[1].(string), num(a[2]), true)
		return list(p), err
	},
	"find": func(a []any) (any, error) {
		return int64(value.Find(a[0].(string), a[1].(string), num(a[2]), num(a[3]), false)), nil
	},
	"rfind": func(a []any) (any, error) {
		return int64(value.Find(a[0].(string), a[1].(string), num(a[2]), num(a[3]), true)), nil
	},
	"replace": func(a []any) (any, error) {
		s := value.Replace(a[0].(string), a[1].(string), a[2].(string), num(a[3]))
		if n := value.ReplacedLen(a[0].(string), a[1].(string), a[2].(string), num(a[3])); n != len(s) {
			return nil, errors.New("ReplacedLen is wrong")
		}
		return s, nil
	},
	"slice":  func(a []any) (any, error) { return value.Slice(a[0].(string), num(a[1]), num(a[2])), nil },
	"format": func(a []any) (any, error) { return (*value.Meter)(nil).FormatValue(a[0], a[1].(string)) },
	"strformat": func(a []any) (any, error) {
		return value.Format(a[0].(string), value.FormatArgs{Items: a[1].([]any)})
	},
	"strftime":     func(a []any) (any, error) { return a[0].(value.Time).Format(a[1].(string)) },
	"iso":          func(a []any) (any, error) { return a[0].(value.Time).ISO("T"), nil },
	"strptime":     func(a []any) (any, error) { return value.ParseTime(a[0].(string), a[1].(string)) },
	"seconds":      func(a []any) (any, error) { return a[0].(value.Span).TotalSeconds(), nil },
	"set":          setOp(nil, func(a, _ *value.Set) (*value.Set, error) { return a, nil }),
	"union":        setOp([]any{int64(1), int64(50), int64(2)}, func(a, b *value.Set) (*value.Set, error) { return a.Union(nil, b) }),
	"difference":   setOp([]any{int64(1), int64(3)}, func(a, b *value.Set) (*value.Set, error) { return a.Difference(nil, b) }),
	"symmetric":    setOp([]any{int64(1), int64(3), int64(99)}, func(a, b *value.Set) (*value.Set, error) { return a.SymmetricDifference(nil, b) }),
	"intersection": setOp([]any{int64(1), int64(2), int64(3), int64(17), int64(9)}, func(a, b *value.Set) (*value.Set, error) { return a.Intersection(nil, b) }),
	"json":         func(a []any) (any, error) { return value.JSON(a[0], value.JSONOptions{}) },
	"jsonindent":   func(a []any) (any, error) { return value.JSON(a[0], value.JSONOptions{Indent: 4}) },
	"jsonsorted":   func(a []any) (any, error) { return value.JSON(a[0], value.JSONOptions{SortKeys: true}) },
	"jsonparse":    func(a []any) (any, error) { return value.ParseJSON(a[0].(string)) },
}

func setOp(other []any, op func(a, b *value.Set) (*value.Set, error)) func(a []any) (any, error) {
	return func(a []any) (any, error) {
		x, err := value.SetOf(nil, true, a[0].([]any))
		if err != nil {
			return nil, err
		}
		y, err := value.SetOf(nil, true, other)
		if err != nil {
			return nil, err
		}
		s, err := op(x, y)
		if err != nil {
			return nil, err
		}
		return s.Items(), nil
	}
}

// same is equality that tells 1 from 1.0 and true, and 0.0 from -0.0.
func same(a, b any) bool {
	x, xf := a.(float64)
	y, yf := b.(float64)
	if xf && yf {
		return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
	}
	return value.Repr(a) == value.Repr(b) && value.TypeName(a) == value.TypeName(b)
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
		got, err := pythonOps[c.Op](decodeAll(t, c.Args))
		var pe *value.Error
		switch {
		case c.Error != "" && err == nil:
			t.Errorf("%s: got %s, want error %s", sc.Text(), value.Repr(got), c.Error)
		case c.Error != "":
			if !errors.As(err, &pe) || pe.Class != strings.SplitN(c.Error, ":", 2)[0] {
				t.Errorf("%s: got error %v", sc.Text(), err)
			} else if pe.Class+": "+pe.Msg != c.Error {
				t.Errorf("%s: got text %q", sc.Text(), pe.Msg)
			}
		case err != nil:
			t.Errorf("%s: got error %v", sc.Text(), err)
		case !same(got, decode(t, c.Want)):
			t.Errorf("%s: got %s", sc.Text(), value.Repr(got))
		}
	}
	if n < 1000 {
		t.Fatalf("only %d cases", n)
	}
}
