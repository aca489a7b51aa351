package yaql

import (
	"math/big"
	"strings"
	"time"
	"unicode"

	"github.com/hotloom/hotloom/compiler/value"
)

// parseDate reads a date and time in any of many spellings, with the guesses of Python's dateutil: what a number
// means follows from its length, its neighbours and what has been found before. Parts that the text does not name are
// today's.
func parseDate(text string, now time.Time) (value.Time, error) {
	if len(text) > 10_000 {
		return value.Time{}, errDate("Unknown string format: ", text[:100])
	}
	p := &dateParser{tokens: dateTokens(text), now: now}
	p.d = dateParts{year: none, month: none, day: none, hour: none, minute: none, second: none, micro: none, weekday: none}
	p.d.ymd = ymd{year: -1, month: -1, day: -1}
	if err := p.run(); err != nil {
		return value.Time{}, errDate("Unknown string format: ", text)
	}
	if p.d.empty() {
		return value.Time{}, errDate("String does not contain a date: ", text)
	}
	t, err := p.d.build(now)
	if err != nil {
		return t, errDate(err.Error()+": ", text)
	}
	return p.d.zoned(t)
}

func errDate(msg, text string) error { return fail("ParserError", "%s%s", msg, text) }

// errNoDate says that a text does not parse; which part of it does not matter to anyone.
var errNoDate = fail("ValueError", "")

const none = -1 << 31

// dateTokens cuts a text into words, numbers and single other characters. Dots inside numbers may be decimal points
// or separators; a run with more than one, or with letters, is cut at them.
func dateTokens(text string) []string {
	var out []string
	rs := []rune(strings.ReplaceAll(text, "\x00", ""))
	for i := 0; i < len(rs); {
		c := rs[i]
		switch {
		case value.IsSpace(c):
			out = append(out, " ")
			i++
		case unicode.IsLetter(c) || isDigitRune(c):
			tok, next := dateRun(rs, i)
			out = append(out, tok...)
			i = next
		default:
			out = append(out, string(c))
			i++
		}
	}
	return out
}

// isDigitRune is Python's str.isdigit: decimal digits, and superscripts and the like.
func isDigitRune(r rune) bool {
	return isDecimal(r) || (r >= 0x80 && unicode.Is(unicode.No, r) && strings.ContainsRune("²³¹⁰⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", r))
}

// dateRun reads one word or number; within it a dot may turn letters to digits and back.
func dateRun(rs []rune, i int) ([]string, int) {
	letters := unicode.IsLetter(rs[i])
	seenLetters, dotted := false, false
	tok := []rune{rs[i]}
	for i++; i < len(rs); i++ {
		c := rs[i]
		last := tok[len(tok)-1]
		seenLetters = seenLetters || letters
		ok := false
		switch {
		case letters && !dotted:
			ok = unicode.IsLetter(c) || c == '.'
			dotted = c == '.'
		case !letters && !dotted:
			ok = isDigitRune(c) || c == '.' || (c == ',' && len(tok) >= 2)
			dotted = c == '.' || (ok && c == ',')
		case letters:
			ok = c == '.' || unicode.IsLetter(c)
			if !ok && isDigitRune(c) && last == '.' {
				ok, letters = true, false
			}
		default:
			ok = c == '.' || isDigitRune(c)
			if !ok && unicode.IsLetter(c) && last == '.' {
				ok, letters = true, true
			}
		}
		if !ok {
			break
		}
		tok = append(tok, c)
	}
	s := string(tok)
	last := tok[len(tok)-1]
	var out []string
	if dotted && (seenLetters || strings.Count(s, ".") > 1 || last == '.' || last == ',') {
		for s != "" {
			at := strings.IndexAny(s, ".,")
			if at < 0 {
				out = append(out, s)
				break
			}
			if at > 0 || len(out) == 0 {
				out = append(out, s[:at])
			}
			out = append(out, s[at:at+1])
			s = s[at+1:]
		}
	} else {
		out = []string{s}
	}
	if dotted && !letters && !strings.Contains(out[0], ".") {
		out[0] = strings.ReplaceAll(out[0], ",", ".")
	}
	return out, i
}

var dateMonths = map[string]int{
	"jan": 1, "january": 1, "feb": 2, "february": 2, "mar": 3, "march": 3, "apr": 4, "april": 4, "may": 5, "jun": 6, "june": 6,
	"jul": 7, "july": 7, "aug": 8, "august": 8, "sep": 9, "sept": 9, "september": 9, "oct": 10, "october": 10,
	"nov": 11, "november": 11, "dec": 12, "december": 12,
}

var dateWeekdays = map[string]int{
	"mon": 0, "monday": 0, "tue": 1, "tuesday": 1, "wed": 2, "wednesday": 2, "thu": 3, "thursday": 3, "fri": 4, "friday": 4,
	"sat": 5, "saturday": 5, "sun": 6, "sunday": 6,
}

var dateUnits = map[string]int{
	"h": 0, "hour": 0, "hours": 0, "m": 1, "minute": 1, "minutes": 1, "s": 2, "second": 2, "seconds": 2,
}

var dateHalves = map[string]int{"am": 0, "a": 0, "pm": 1, "p": 1}

var dateJumps = map[string]bool{
	" ": true, ".": true, ",": true, ";": true, "-": true, "/": true, "'": true, "at": true, "on": true, "and": true, "ad": true,
	"m": true, "t": true, "of": true, "st": true, "nd": true, "rd": true, "th": true,
}

var utcNames = map[string]bool{"utc": true, "gmt": true, "z": true}

func lookup[T any](m map[string]T, word string) (T, bool) {
	v, ok := m[value.Lower(word)]
	return v, ok
}

func allDigits(s string) bool {
	for _, r := range s {
		if !isDigitRune(r) {
			return false
		}
	}
	return s != ""
}

// atoi is Python's int() of a piece of text.
func atoi(s string) (int, error) {
	v, err := value.ParseInt(s)
	if err != nil {
		return 0, errNoDate
	}
	n, _ := value.Int(v)
	return n, nil
}

// ymd gathers the numbers that may be year, month and day, and which of them are known.
type ymd struct {
	vals             []int
	year, month, day int // indexes into vals, -1 unknown
	century          bool
}

// add notes a number; label is 'Y', 'M', 'D' or 0. wide says that it is written with more than two digits.
func (y *ymd) add(val int, wide bool, label byte) error {
	if wide {
		y.century = true
		if label != 0 && label != 'Y' {
			return errNoDate
		}
		label = 'Y'
	}
	y.vals = append(y.vals, val)
	at := map[byte]*int{'Y': &y.year, 'M': &y.month, 'D': &y.day}[label]
	if at == nil {
		return nil
	}
	if *at >= 0 {
		return errNoDate
	}
	*at = len(y.vals) - 1
	return nil
}

func (y *ymd) addText(s string, label byte) error {
	n, err := atoi(s)
	if err != nil {
		return err
	}
	return y.add(n, allDigits(s) && value.RuneLen(s) > 2, label)
}

// couldBeDay says whether a number fits as the day beside what is known.
func (y *ymd) couldBeDay(n *big.Rat) bool {
	most := 31
	switch {
	case y.day >= 0:
		return false
	case y.month >= 0:
		year := 2000
		if y.year >= 0 {
			year = y.vals[y.year]
		}
		m := y.vals[y.month]
		if m < 1 || m > 12 {
			return false
		}
		most = value.DaysInMonth(year, m)
	}
	return n.Cmp(big.NewRat(1, 1)) >= 0 && n.Cmp(big.NewRat(int64(most), 1)) <= 0
}

// resolve decides which number is what.
func (y *ymd) resolve() (year, month, day int, err error) {
	year, month, day = none, none, none
	known := map[byte]int{}
	for label, at := range map[byte]int{'y': y.year, 'm': y.month, 'd': y.day} {
		if at >= 0 {
			known[label] = at
		}
	}
	v := y.vals
	n := len(v)
	if n == len(known) && n > 0 || n == 3 && len(known) == 2 {
		return y.byLabel(known)
	}
	switch {
	case n > 3:
		return none, none, none, errNoDate
	case n == 1 || (y.month >= 0 && n == 2):
		other := v[0]
		if y.month >= 0 {
			month = v[y.month]
			other = v[(y.month+n-1)%n]
		}
		if n > 1 || y.month < 0 {
			if other > 31 {
				year = other
			} else {
				day = other
			}
		}
	case n == 2:
		switch {
		case v[0] > 31:
			year, month = v[0], v[1]
		case v[1] > 31:
			month, year = v[0], v[1]
		default:
			month, day = v[0], v[1]
		}
	case n == 3:
		year, month, day = y.three()
	}
	return year, month, day, nil
}

func (y *ymd) byLabel(known map[byte]int) (year, month, day int, err error) {
	if len(y.vals) == 3 && len(known) == 2 {
		left := 3
		for _, at := range known {
			left -= at
		}
		for _, label := range []byte("ymd") {
			if _, ok := known[label]; !ok {
				known[label] = left
			}
		}
	}
	get := func(label byte) int {
		if at, ok := known[label]; ok {
			return y.vals[at]
		}
		return none
	}
	return get('y'), get('m'), get('d'), nil
}

func (y *ymd) three() (year, month, day int) {
	a, b, c := y.vals[0], y.vals[1], y.vals[2]
	switch y.month {
	case 0:
		if b > 31 {
			return b, a, c
		}
		return c, a, b
	case 1:
		if a > 31 {
			return a, b, c
		}
		return c, b, a
	case 2:
		if b > 31 {
			return b, c, a
		}
		return a, c, b
	}
	switch {
	case a > 31 || y.year == 0:
		return a, b, c
	case a > 12:
		return c, b, a
	}
	return c, a, b
}

// dateParts is what has been found.
type dateParts struct {
	ymd                                           ymd
	year, month, day, hour, minute, second, micro int
	weekday                                       int
	zoneName                                      string
	offset                                        *int // seconds
}

func (d *dateParts) empty() bool {
	for _, v := range []int{d.year, d.month, d.day, d.weekday, d.hour, d.minute, d.second, d.micro} {
		if v != none {
			return false
		}
	}
	return d.zoneName == "" && d.offset == nil
}

func (d *dateParts) finish(now time.Time) {
	if d.year != none && d.year < 100 && !d.ymd.century {
		this := now.Year()
		d.year += this / 100 * 100
		if d.year >= this+50 {
			d.year -= 100
		} else if d.year < this-50 {
			d.year += 100
		}
	}
	zero := 0
	if d.offset != nil && *d.offset == 0 && d.zoneName == "" || d.zoneName == "Z" || d.zoneName == "z" {
		d.zoneName, d.offset = "UTC", &zero
	} else if d.zoneName != "" && utcNames[strings.ToLower(d.zoneName)] {
		d.offset = &zero
	}
}

func (d *dateParts) build(now time.Time) (value.Time, error) {
	pick := func(v, def int) int {
		if v == none {
			return def
		}
		return v
	}
	now = now.In(time.Local)
	year, month := pick(d.year, now.Year()), pick(d.month, int(now.Month()))
	day := d.day
	if day == none {
		day = now.Day()
		if month >= 1 && month <= 12 {
			day = min(day, value.DaysInMonth(year, month))
		} else {
			return value.Time{}, fail("ValueError", "bad month number %d; must be 1-12", month)
		}
	}
	t, err := value.Date(year, month, day, pick(d.hour, 0), pick(d.minute, 0), pick(d.second, 0), pick(d.micro, 0), nil)
	if err != nil {
		return t, err
	}
	if d.weekday != none && (d.day == none || d.day == 0) {
		t, err = t.Add(value.Span{Days: int64((d.weekday - t.Weekday() + 7) % 7)})
	}
	return t, err
}

func (d *dateParts) zoned(t value.Time) (value.Time, error) {
	local, _ := time.Now().In(time.Local).Zone()
	switch {
	case d.zoneName != "" && d.zoneName == local && d.zoneName != "UTC":
		return t.In(&value.Zone{Name: local, Kind: value.LocalZone}), nil
	case d.offset != nil && *d.offset == 0:
		return t.In(value.UTC), nil
	case d.offset != nil:
		off, err := value.SpanOf(big.NewInt(int64(*d.offset) * 1_000_000))
		if err != nil {
			return t, err
		}
		zone, err := value.ZoneAt(d.zoneName, off)
		return t.In(zone), err
	}
	return t, nil
}

type dateParser struct {
	tokens []string
	i      int
	now    time.Time
	d      dateParts
}

// tok gives a token; beyond the end the text does not parse.
func (p *dateParser) tok(i int) (string, error) {
	if i < 0 || i >= len(p.tokens) {
		return "", errNoDate
	}
	return p.tokens[i], nil
}

// at gives a token, or "" beyond the end.
func (p *dateParser) at(i int) string {
	s, _ := p.tok(i)
	return s
}

func (p *dateParser) run() error {
	for p.i = 0; p.i < len(p.tokens); p.i++ {
		if err := p.token(); err != nil {
			return err
		}
	}
	var err error
	if p.d.year, p.d.month, p.d.day, err = p.d.ymd.resolve(); err != nil {
		return err
	}
	p.d.finish(p.now)
	return nil
}

func (p *dateParser) token() error {
	t := p.tokens[p.i]
	if _, err := value.ParseFloat(t); err == nil {
		return p.number()
	}
	if w, ok := lookup(dateWeekdays, t); ok {
		p.d.weekday = w
		return nil
	}
	if m, ok := lookup(dateMonths, t); ok {
		return p.month(m)
	}
	if h, ok := lookup(dateHalves, t); ok {
		if p.d.hour == none || p.d.hour < 0 || p.d.hour > 12 {
			return errNoDate
		}
		p.d.hour = adjustHalf(p.d.hour, h)
		return nil
	}
	if p.couldBeZone(t, p.d.offset) {
		return p.zoneName(t)
	}
	if p.d.hour != none && (t == "+" || t == "-") {
		return p.zoneOffset(t)
	}
	if _, ok := lookup(dateJumps, t); !ok {
		return errNoDate
	}
	return nil
}

func adjustHalf(hour, half int) int {
	switch {
	case hour < 12 && half == 1:
		return hour + 12
	case hour == 12 && half == 0:
		return 0
	}
	return hour
}

func (p *dateParser) month(m int) error {
	if err := p.d.ymd.add(m, false, 'M'); err != nil {
		return err
	}
	next := p.at(p.i + 1)
	switch {
	case next == "-" || next == "/":
		v, err := p.tok(p.i + 2)
		if err == nil {
			err = p.d.ymd.addText(v, 0)
		}
		if err != nil {
			return err
		}
		if p.at(p.i+3) == next {
			v, err := p.tok(p.i + 4)
			if err == nil {
				err = p.d.ymd.addText(v, 0)
			}
			if err != nil {
				return err
			}
			p.i += 2
		}
		p.i += 2
	case p.i+4 < len(p.tokens) && next == " " && p.at(p.i+3) == " " && strings.EqualFold(p.at(p.i+2), "of"):
		if year := p.at(p.i + 4); allDigits(year) {
			n, err := atoi(year)
			if err != nil {
				return err
			}
			d := dateParts{year: n}
			d.finish(p.now)
			if err := p.d.ymd.add(d.year, d.year > 99, 'Y'); err != nil {
				return err
			}
		}
		p.i += 4
	}
	return nil
}

// couldBeZone says whether a word may name a zone: after a time, at most five capitals.
func (p *dateParser) couldBeZone(t string, offset *int) bool {
	if p.d.hour == none || p.d.zoneName != "" || offset != nil || value.RuneLen(t) > 5 {
		return false
	}
	return strings.Trim(t, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" || t == "z"
}

func (p *dateParser) zoneName(t string) error {
	p.d.zoneName = t
	if utcNames[t] { // lower case only, as the original looks it up
		zero := 0
		p.d.offset = &zero
	}
	if next := p.at(p.i + 1); next == "+" || next == "-" {
		p.tokens[p.i+1] = map[string]string{"+": "-", "-": "+"}[next] // "GMT+3" means three hours behind
		p.d.offset = nil
		if utcNames[strings.ToLower(t)] {
			p.d.zoneName = ""
		}
	}
	return nil
}

func (p *dateParser) zoneOffset(sign string) error {
	v, err := p.tok(p.i + 1)
	if err != nil {
		return err
	}
	n := value.RuneLen(v)
	var hours, minutes int
	switch {
	case n == 4:
		if hours, err = atoi(value.Slice(v, 0, 2)); err == nil {
			minutes, err = atoi(value.Slice(v, 2, 4))
		}
	case p.at(p.i+2) == ":":
		if hours, err = atoi(v); err == nil {
			if v, err = p.tok(p.i + 3); err == nil {
				minutes, err = atoi(v)
			}
		}
		p.i += 2
	case n <= 2:
		hours, err = atoi(v)
	default:
		err = errNoDate
	}
	if err != nil {
		return err
	}
	off := hours*3600 + minutes*60
	if sign == "-" {
		off = -off
	}
	p.d.offset = &off
	if _, jump := lookup(dateJumps, p.at(p.i+2)); jump && p.at(p.i+3) == "(" && p.at(p.i+5) == ")" && len(p.at(p.i+4)) >= 3 &&
		p.couldBeZone(p.at(p.i+4), nil) {
		p.d.zoneName = p.at(p.i + 4)
		p.i += 4
	}
	p.i++
	return nil
}
