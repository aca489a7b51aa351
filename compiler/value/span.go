package value

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Span is Python's timedelta in its one form: 0 ≤ Seconds < 86400, 0 ≤ Micros < 1000000, Days of any sign.
type Span struct {
	Days, Seconds, Micros int64
}

const (
	microsPerSecond = 1_000_000
	microsPerDay    = 86_400 * microsPerSecond
	maxSpanDays     = 999_999_999
)

// SpanOf makes a span of so many microseconds; OverflowError beyond 999999999 days.
func SpanOf(micros *big.Int) (Span, error) {
	days, rest := new(big.Int).DivMod(micros, big.NewInt(microsPerDay), new(big.Int))
	if !days.IsInt64() || days.Int64() > math.MaxInt32 || days.Int64() < math.MinInt32 {
		return Span{}, Errorf("OverflowError", "Python int too large to convert to C int")
	}
	if days.Int64() > maxSpanDays || days.Int64() < -maxSpanDays {
		return Span{}, Errorf("OverflowError", "days=%s; must have magnitude <= %d", days, maxSpanDays)
	}
	r := rest.Int64()
	return Span{days.Int64(), r / microsPerSecond, r % microsPerSecond}, nil
}

// SpanOfFloat makes a span of so many microseconds, rounded half to even.
func SpanOfFloat(micros float64) (Span, error) {
	switch {
	case math.IsNaN(micros):
		return Span{}, Errorf("ValueError", "cannot convert float NaN to integer")
	case math.IsInf(micros, 0):
		return Span{}, Errorf("OverflowError", "cannot convert float infinity to integer")
	}
	n, _ := new(big.Float).SetFloat64(math.RoundToEven(micros)).Int(nil)
	return SpanOf(n)
}

// Total is the span in microseconds.
func (s Span) Total() *big.Int {
	n := big.NewInt(s.Days)
	n.Mul(n, big.NewInt(microsPerDay))
	return n.Add(n, big.NewInt(s.Seconds*microsPerSecond+s.Micros))
}

// TotalSeconds is timedelta.total_seconds().
func (s Span) TotalSeconds() float64 {
	f, _ := new(big.Rat).SetFrac(s.Total(), big.NewInt(microsPerSecond)).Float64()
	return f
}

// Add is s + t.
func (s Span) Add(t Span) (Span, error) { return SpanOf(new(big.Int).Add(s.Total(), t.Total())) }

// Sub is s - t.
func (s Span) Sub(t Span) (Span, error) { return SpanOf(new(big.Int).Sub(s.Total(), t.Total())) }

func (s Span) compare(t Span) int {
	if c := cmpOrdered(s.Days, t.Days); c != 0 {
		return c
	}
	return cmpOrdered(s.Seconds*microsPerSecond+s.Micros, t.Seconds*microsPerSecond+t.Micros)
}

// String is str(timedelta): "1 day, 2:03:04.000005".
func (s Span) String() string {
	var b strings.Builder
	if s.Days != 0 {
		b.WriteString(strconv.FormatInt(s.Days, 10) + " day")
		if s.Days != 1 && s.Days != -1 {
			b.WriteByte('s')
		}
		b.WriteString(", ")
	}
	fmt.Fprintf(&b, "%d:%02d:%02d", s.Seconds/3600, s.Seconds/60%60, s.Seconds%60)
	if s.Micros != 0 {
		fmt.Fprintf(&b, ".%06d", s.Micros)
	}
	return b.String()
}

// Repr is repr(timedelta).
func (s Span) Repr() string {
	var parts []string
	for _, p := range []struct {
		name string
		n    int64
	}{{"days", s.Days}, {"seconds", s.Seconds}, {"microseconds", s.Micros}} {
		if p.n != 0 {
			parts = append(parts, p.name+"="+strconv.FormatInt(p.n, 10))
		}
	}
	if parts == nil {
		parts = []string{"0"}
	}
	return "datetime.timedelta(" + strings.Join(parts, ", ") + ")"
}
