package yaql

import (
	"math"
	"math/big"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
)

var timeFunctions = []def{
	{"datetime", fn, "year:int, month:int, day:int, hour:int=0, minute:int=0, second:int=0, microsecond:int=0, offset:span=0s", func(c *call) (any, error) {
		zone, err := value.ZoneAt("", c.span(7))
		if err != nil {
			return nil, err
		}
		return timeOrError(value.Date(c.int(0), c.int(1), c.int(2), c.int(3), c.int(4), c.int(5), c.int(6), zone))
	}},
	{"datetime", fn, "timestamp:num, offset:span=0s", fromTimestamp},
	{"datetime", fn, "string:str, format:str?=null", func(c *call) (any, error) {
		var t value.Time
		var err error
		if err := c.ev.step(len(c.str(0))); err != nil {
			return nil, err
		}
		if format := c.str(1); format != "" {
			t, err = value.ParseTime(c.str(0), format)
		} else {
			t, err = parseDate(c.str(0), c.ev.opts.Now())
		}
		if err != nil {
			return nil, err
		}
		return withZone(t), nil
	}},
	{"timespan", fn, "days:int=0, hours:int=0, minutes:int=0, seconds:integer=0, milliseconds:integer=0, microseconds:integer=0", func(c *call) (any, error) {
		total := new(big.Int)
		for i, micros := range []int64{86_400_000_000, 3_600_000_000, 60_000_000, 1_000_000, 1000, 1} {
			n := value.Big(c.args[i])
			total.Add(total, n.Mul(n, big.NewInt(micros)))
		}
		return spanOrError(value.SpanOf(total))
	}},
	{"now", fn, "offset:span?=0s", func(c *call) (any, error) {
		if c.args[0] == nil {
			t, err := value.FromGo(c.ev.opts.Now(), &value.Zone{Kind: value.LocalZone})
			return t.In(nil), err
		}
		zone, err := value.ZoneAt("", c.span(0))
		if err != nil {
			return nil, err
		}
		return timeOrError(value.FromGo(c.ev.opts.Now(), zone))
	}},
	{"localtz", fn, "", func(c *call) (any, error) { return localOffset(c.ev.opts.Now()), nil }},
	{"utctz", fn, "", func(*call) (any, error) { return value.Span{}, nil }},
	{"replace", method, "dt:time, year:int?=null, month:int?=null, day:int?=null, hour:int?=null, minute:int?=null, second:int?=null, " +
		"microsecond:int?=null, offset:span?=null", replaceTime},
	{"format", method, "dt:time, format:str", func(c *call) (any, error) {
		s, err := c.time(0).Format(c.str(1))
		if err != nil {
			return nil, err
		}
		return s, c.ev.text(len(s))
	}},
	{"isDatetime", fn, "value:any", func(c *call) (any, error) { return isType[value.Time](c.args[0]), nil }},
	{"isTimespan", fn, "value:any", func(c *call) (any, error) { return isType[value.Span](c.args[0]), nil }},

	{"#property#year", fn, "obj:time", timePart(0)},
	{"#property#month", fn, "obj:time", timePart(1)},
	{"#property#day", fn, "obj:time", timePart(2)},
	{"#property#hour", fn, "obj:time", timePart(3)},
	{"#property#minute", fn, "obj:time", timePart(4)},
	{"#property#second", fn, "obj:time", timePart(5)},
	{"#property#microsecond", fn, "obj:time", timePart(6)},
	{"#property#weekday", fn, "obj:time", func(c *call) (any, error) { return int64(c.time(0).Weekday()), nil }},
	{"#property#offset", fn, "obj:time", func(c *call) (any, error) { return c.time(0).Offset(), nil }},
	{"#property#date", fn, "obj:time", func(c *call) (any, error) { return c.time(0).Midnight(), nil }},
	{"#property#time", fn, "obj:time", func(c *call) (any, error) {
		return spanOrError(c.time(0).Sub(c.time(0).Midnight()))
	}},
	{"#property#utc", fn, "obj:time", func(c *call) (any, error) { return timeOrError(utc(c.time(0))) }},
	{"#property#timestamp", fn, "obj:time", func(c *call) (any, error) {
		// the original takes the offset off twice: once by the clock, once as a moment
		t, err := utc(c.time(0))
		if err != nil {
			return nil, err
		}
		epoch, _ := value.Date(1970, 1, 1, 0, 0, 0, 0, value.UTC)
		s, err := t.Sub(epoch)
		return s.TotalSeconds(), err
	}},

	{"#property#microseconds", fn, "obj:span", func(c *call) (any, error) { return value.NormInt(c.span(0).Total()), nil }},
	{"#property#milliseconds", fn, "obj:span", spanIn(1e3)},
	{"#property#seconds", fn, "obj:span", spanIn(1e6)},
	{"#property#minutes", fn, "obj:span", spanIn(6e7)},
	{"#property#hours", fn, "obj:span", spanIn(3.6e9)},
	{"#property#days", fn, "obj:span", spanIn(8.64e10)},
}

var timeOperators = []def{
	{"#operator_+", fn, "dt:time, ts:span", func(c *call) (any, error) { return timeOrError(c.time(0).Add(c.span(1))) }},
	{"#operator_+", fn, "ts:span, dt:time", func(c *call) (any, error) { return timeOrError(c.time(1).Add(c.span(0))) }},
	{"#operator_-", fn, "dt:time, ts:span", func(c *call) (any, error) { return timeOrError(takeSpan(c.time(0), c.span(1))) }},
	{"#operator_-", fn, "dt1:time, dt2:time", func(c *call) (any, error) { return spanOrError(c.time(0).Sub(c.time(1))) }},
	{"#operator_+", fn, "ts1:span, ts2:span", func(c *call) (any, error) { return spanOrError(c.span(0).Add(c.span(1))) }},
	{"#operator_-", fn, "ts1:span, ts2:span", func(c *call) (any, error) { return spanOrError(c.span(0).Sub(c.span(1))) }},
	{"#operator_*", fn, "ts:span, n:num", func(c *call) (any, error) { return scaleSpan(c.span(0), c.args[1]) }},
	{"#operator_*", fn, "n:num, ts:span", func(c *call) (any, error) { return scaleSpan(c.span(1), c.args[0]) }},
	{"#operator_/", fn, "ts1:span, ts2:span", func(c *call) (any, error) {
		x, err := value.ToFloat(value.NormInt(c.span(0).Total()))
		if err != nil {
			return nil, err
		}
		return floatOrError(value.TrueDiv(x, value.NormInt(c.span(1).Total())))
	}},
	{"#operator_/", fn, "ts:span, n:num", func(c *call) (any, error) {
		f, err := value.TrueDiv(value.NormInt(c.span(0).Total()), c.args[1])
		if err != nil {
			return nil, err
		}
		return spanOrError(value.SpanOfFloat(f))
	}},
	{"#unary_operator_-", fn, "ts:span", func(c *call) (any, error) { return spanOrError(value.Span{}.Sub(c.span(0))) }},
	{"#unary_operator_+", fn, "ts:span", func(c *call) (any, error) { return c.span(0), nil }},
}

func timeOrError(t value.Time, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return t, nil
}

func spanOrError(s value.Span, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}

func floatOrError(f float64, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

// takeSpan is t - s.
func takeSpan(t value.Time, s value.Span) (value.Time, error) {
	neg, err := value.Span{}.Sub(s)
	if err != nil {
		return t, err
	}
	return t.Add(neg)
}

// utc is the original's property: the wall clock less the offset, with the zone kept.
func utc(t value.Time) (value.Time, error) { return takeSpan(t, t.Offset()) }

func timePart(i int) func(c *call) (any, error) {
	return func(c *call) (any, error) {
		y, mo, d, h, mi, s, us := c.time(0).Parts()
		return int64([]int{y, mo, d, h, mi, s, us}[i]), nil
	}
}

func spanIn(unit float64) func(c *call) (any, error) {
	return func(c *call) (any, error) { return floatOrError(value.TrueDiv(value.NormInt(c.span(0).Total()), unit)) }
}

func scaleSpan(s value.Span, n any) (any, error) {
	if f, ok := n.(float64); ok {
		x, err := value.ToFloat(value.NormInt(s.Total()))
		if err != nil {
			return nil, err
		}
		return spanOrError(value.SpanOfFloat(x * f))
	}
	total := s.Total()
	return spanOrError(value.SpanOf(total.Mul(total, value.Big(n))))
}

// fromTimestamp is datetime.fromtimestamp with a zone: seconds since 1970, rounded half to even to microseconds.
func fromTimestamp(c *call) (any, error) {
	zone, err := value.ZoneAt("", c.span(1))
	if err != nil {
		return nil, err
	}
	epoch, _ := value.Date(1970, 1, 1, 0, 0, 0, 0, zone)
	var since value.Span
	if f, ok := c.args[0].(float64); ok {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, fail("ValueError", "cannot convert float %s to integer", map[bool]string{true: "NaN", false: "infinity"}[math.IsNaN(f)])
		}
		secs, frac := math.Modf(f)
		n, _ := new(big.Float).SetFloat64(secs).Int(nil)
		n.Mul(n, big.NewInt(1_000_000))
		since, err = value.SpanOf(n.Add(n, big.NewInt(int64(math.RoundToEven(frac*1e6)))))
	} else {
		n := value.Big(c.args[0])
		since, err = value.SpanOf(n.Mul(n, big.NewInt(1_000_000)))
	}
	if err == nil {
		epoch, err = epoch.Add(since)
	}
	if err == nil {
		epoch, err = epoch.Add(epoch.Offset())
	}
	if err != nil {
		return nil, fail("ValueError", "timestamp is out of range")
	}
	return epoch, nil
}

func replaceTime(c *call) (any, error) {
	t := c.time(0)
	y, mo, d, h, mi, s, us := t.Parts()
	parts := []int{y, mo, d, h, mi, s, us}
	for i := range parts {
		if c.args[i+1] != nil {
			parts[i] = c.int(i + 1)
		}
	}
	zone := t.Zone()
	if c.args[8] != nil {
		var err error
		if zone, err = value.ZoneAt("", c.span(8)); err != nil {
			return nil, err
		}
	}
	return timeOrError(value.Date(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], parts[6], zone))
}

// localOffset is this machine's offset from UTC, in summer time if it has one, whatever the season.
func localOffset(now time.Time) value.Span {
	_, winter := time.Date(now.Year(), 1, 1, 12, 0, 0, 0, time.Local).Zone()
	_, summer := time.Date(now.Year(), 7, 1, 12, 0, 0, 0, time.Local).Zone()
	s, _ := value.SpanOf(big.NewInt(int64(max(winter, summer)) * 1_000_000))
	return s
}
