package value

import (
	"fmt"
	"strings"
	"time"
)

// Zone is a fixed offset from UTC, or the zone of this machine. A nil *Zone is none: a naive time.
type Zone struct {
	Name   string // tzname(); may be empty
	Offset Span   // for Local: not used
	Kind   ZoneKind
}

// ZoneKind tells zones apart that Python shows differently.
type ZoneKind uint8

// The kinds of zones: UTC itself, another fixed offset, this machine's.
const (
	UTCZone ZoneKind = iota
	FixedZone
	LocalZone
)

// UTC is the zone of times that name none.
var UTC = &Zone{Name: "UTC", Kind: UTCZone}

// ZoneAt gives the zone of an offset: UTC for zero. Python wants less than a day either way (ValueError).
func ZoneAt(name string, offset Span) (*Zone, error) {
	if offset == (Span{}) && name == "" {
		return UTC, nil
	}
	if offset.Days < -1 || offset.Days > 0 || (offset.Days == -1 && offset.Seconds == 0 && offset.Micros == 0) {
		return nil, Errorf("ValueError", "offset must be a timedelta strictly between -timedelta(hours=24) and timedelta(hours=24).")
	}
	return &Zone{Name: name, Offset: offset, Kind: FixedZone}, nil
}

func (z *Zone) aware() bool { return z != nil }

// Time is Python's datetime: wall-clock microseconds since the start of year 1, and a zone or none.
type Time struct {
	wall int64
	zone *Zone
}

const (
	minYear  = 1
	maxYear  = 9999
	maxWall  = 3_652_059*microsPerDay - 1
	unixDays = 719_162 // from 0001-01-01 to 1970-01-01
)

func daysInMonth(year, month int) int {
	switch {
	case month == 2 && isLeap(year):
		return 29
	case month == 2:
		return 28
	case month == 4 || month == 6 || month == 9 || month == 11:
		return 30
	}
	return 31
}

// DaysInMonth is the length of a month, 1 to 12.
func DaysInMonth(year, month int) int { return daysInMonth(year, month) }

func isLeap(year int) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

func daysBeforeYear(year int) int64 {
	y := int64(year) - 1
	return y*365 + y/4 - y/100 + y/400
}

// Date makes a time of its parts; ValueError for parts out of range.
func Date(year, month, day, hour, minute, second, micro int, zone *Zone) (Time, error) {
	switch {
	case year < minYear || year > maxYear:
		return Time{}, Errorf("ValueError", "year %d is out of range", year)
	case month < 1 || month > 12:
		return Time{}, Errorf("ValueError", "month must be in 1..12")
	case day < 1 || day > daysInMonth(year, month):
		return Time{}, Errorf("ValueError", "day is out of range for month")
	case hour < 0 || hour > 23:
		return Time{}, Errorf("ValueError", "hour must be in 0..23")
	case minute < 0 || minute > 59:
		return Time{}, Errorf("ValueError", "minute must be in 0..59")
	case second < 0 || second > 59:
		return Time{}, Errorf("ValueError", "second must be in 0..59")
	case micro < 0 || micro > 999999:
		return Time{}, Errorf("ValueError", "microsecond must be in 0..999999")
	}
	days := daysBeforeYear(year) + int64(day-1)
	for m := 1; m < month; m++ {
		days += int64(daysInMonth(year, m))
	}
	secs := int64(hour*3600 + minute*60 + second)
	return Time{wall: days*microsPerDay + secs*microsPerSecond + int64(micro), zone: zone}, nil
}

// FromGo gives a moment in a zone.
func FromGo(t time.Time, zone *Zone) (Time, error) {
	micros := (t.Unix()+unixDays*86_400)*microsPerSecond + int64(t.Nanosecond()/1000)
	if zone != nil && zone.Kind == LocalZone {
		_, off := t.In(time.Local).Zone()
		return wallTime(micros+int64(off)*microsPerSecond, zone)
	}
	if zone != nil {
		micros += spanMicros(zone.Offset)
	}
	return wallTime(micros, zone)
}

func wallTime(wall int64, zone *Zone) (Time, error) {
	if wall < 0 || wall > maxWall {
		return Time{}, Errorf("OverflowError", "date value out of range")
	}
	return Time{wall, zone}, nil
}

func spanMicros(s Span) int64 { return s.Days*microsPerDay + s.Seconds*microsPerSecond + s.Micros }

// Zone is the time's zone, nil for a naive time.
func (t Time) Zone() *Zone { return t.zone }

// In replaces the zone and keeps the wall clock.
func (t Time) In(zone *Zone) Time { return Time{t.wall, zone} }

// Offset is utcoffset(); zero for a naive time.
func (t Time) Offset() Span {
	switch {
	case t.zone == nil:
		return Span{}
	case t.zone.Kind == LocalZone:
		y, mo, d, h, mi, s, _ := t.Parts()
		_, off := time.Date(y, time.Month(mo), d, h, mi, s, 0, time.Local).Zone()
		sp, _ := SpanOfFloat(float64(off) * microsPerSecond)
		return sp
	}
	return t.zone.Offset
}

func (t Time) utcMicros() int64 { return t.wall - spanMicros(t.Offset()) }

// Parts gives year, month, day, hour, minute, second and microsecond.
func (t Time) Parts() (year, month, day, hour, minute, second, micro int) {
	days := t.wall / microsPerDay
	rest := t.wall % microsPerDay
	year = int(days*400/146_097) + 1
	for daysBeforeYear(year) > days {
		year--
	}
	for daysBeforeYear(year+1) <= days {
		year++
	}
	d := int(days - daysBeforeYear(year))
	month = 1
	for d >= daysInMonth(year, month) {
		d -= daysInMonth(year, month)
		month++
	}
	secs := int(rest / microsPerSecond)
	return year, month, d + 1, secs / 3600, secs / 60 % 60, secs % 60, int(rest % microsPerSecond)
}

// Weekday is datetime.weekday(): Monday is 0.
func (t Time) Weekday() int { return int(t.wall / microsPerDay % 7) }

// YearDay is the day of the year, from 1.
func (t Time) YearDay() int {
	y, _, _, _, _, _, _ := t.Parts()
	return int(t.wall/microsPerDay-daysBeforeYear(y)) + 1
}

// Midnight is the start of the time's day.
func (t Time) Midnight() Time { return Time{t.wall - t.wall%microsPerDay, t.zone} }

// Add is t + s; OverflowError outside years 1 to 9999.
func (t Time) Add(s Span) (Time, error) {
	if s.Days > maxSpanDays/100 || s.Days < -maxSpanDays/100 {
		return Time{}, Errorf("OverflowError", "date value out of range")
	}
	return wallTime(t.wall+spanMicros(s), t.zone)
}

// Sub is t - u: by the wall clock if both have the same zone, else by the moment.
func (t Time) Sub(u Time) (Span, error) {
	if t.zone.aware() != u.zone.aware() {
		return Span{}, Errorf("TypeError", "can't subtract offset-naive and offset-aware datetimes")
	}
	d := t.utcMicros() - u.utcMicros()
	days := d / microsPerDay
	rest := d % microsPerDay
	if rest < 0 {
		days--
		rest += microsPerDay
	}
	return Span{days, rest / microsPerSecond, rest % microsPerSecond}, nil
}

// ISO is isoformat(sep).
func (t Time) ISO(sep string) string {
	y, mo, d, h, mi, s, us := t.Parts()
	var b strings.Builder
	fmt.Fprintf(&b, "%04d-%02d-%02d%s%02d:%02d:%02d", y, mo, d, sep, h, mi, s)
	if us != 0 {
		fmt.Fprintf(&b, ".%06d", us)
	}
	if t.zone != nil {
		b.WriteString(formatOffset(t.Offset(), ":"))
	}
	return b.String()
}

// formatOffset writes +HH:MM, with seconds and microseconds only where there are any.
func formatOffset(o Span, sep string) string {
	us := spanMicros(o)
	sign := byte('+')
	if us < 0 {
		sign, us = '-', -us
	}
	secs := us / microsPerSecond
	out := fmt.Sprintf("%c%02d%s%02d", sign, secs/3600, sep, secs/60%60)
	if secs%60 != 0 || us%microsPerSecond != 0 {
		out += fmt.Sprintf("%s%02d", sep, secs%60)
	}
	if us%microsPerSecond != 0 {
		out += fmt.Sprintf(".%06d", us%microsPerSecond)
	}
	return out
}

// Repr is repr(datetime), with dateutil's zones.
func (t Time) Repr() string {
	y, mo, d, h, mi, s, us := t.Parts()
	parts := []int{y, mo, d, h, mi, s, us}
	for n := 7; n > 5 && parts[n-1] == 0; n-- {
		parts = parts[:n-1]
	}
	out := strings.ReplaceAll(strings.Trim(fmt.Sprint(parts), "[]"), " ", ", ")
	if t.zone != nil {
		out += ", tzinfo=" + t.zone.repr()
	}
	return "datetime.datetime(" + out + ")"
}

func (z *Zone) repr() string {
	switch z.Kind {
	case UTCZone:
		return "tzutc()"
	case LocalZone:
		return "tzlocal()"
	}
	name := "None"
	if z.Name != "" {
		name = reprText(z.Name)
	}
	secs, _ := FormatInt(z.Offset.Days*86_400 + z.Offset.Seconds)
	return "tzoffset(" + name + ", " + secs + ")"
}
