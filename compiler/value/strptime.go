package value

import (
	"regexp"
	"strconv"
	"strings"
)

// strptimePatterns are what each directive of strptime matches, in the order Python tries alternatives.
var strptimePatterns = map[byte]string{
	'd': `3[0-1]|[1-2]\d|0[1-9]|[1-9]| [1-9]`,
	'f': `[0-9]{1,6}`,
	'H': `2[0-3]|[0-1]\d|\d`,
	'I': `1[0-2]|0[1-9]|[1-9]`,
	'G': `\d\d\d\d`,
	'j': `36[0-6]|3[0-5]\d|[1-2]\d\d|0[1-9]\d|00[1-9]|[1-9]\d|0[1-9]|[1-9]`,
	'm': `1[0-2]|0[1-9]|[1-9]`,
	'M': `[0-5]\d|\d`,
	'S': `6[0-1]|[0-5]\d|\d`,
	'U': `5[0-3]|[0-4]\d|\d`,
	'W': `5[0-3]|[0-4]\d|\d`,
	'V': `5[0-3]|0[1-9]|[1-4]\d|\d`,
	'w': `[0-6]`,
	'u': `[1-7]`,
	'y': `\d\d`,
	'Y': `\d\d\d\d`,
	'z': `[+-]\d\d:?[0-5]\d(?::?[0-5]\d(?:\.\d{1,6})?)?|Z`,
	'p': `am|pm`,
	'Z': `utc|gmt`,
}

func alternatives(names []string, short bool) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = strings.ToLower(n)
		if short {
			out[i] = out[i][:3]
		}
	}
	return strings.Join(out, "|")
}

// ParseTime is datetime.strptime in the C locale. A time whose format has no zone is naive.
func ParseTime(text, format string) (Time, error) {
	re, order, err := strptimeRegexp(format)
	if err != nil {
		return Time{}, err
	}
	loc := re.FindStringSubmatchIndex(text)
	if loc == nil {
		return Time{}, Errorf("ValueError", "time data %s does not match format %s", reprText(text), reprText(format))
	}
	if loc[1] != len(text) {
		return Time{}, Errorf("ValueError", "unconverted data remains: %s", text[loc[1]:])
	}
	p := strptimeParts{year: -1, weekday: -1, weekOfYear: -1, isoYear: -1, isoWeek: -1, yearDay: -1, month: 1, day: 1}
	for i, letter := range order {
		p.take(letter, strings.ToLower(text[loc[2*i+2]:loc[2*i+3]]))
	}
	return p.time()
}

func strptimeRegexp(format string) (*regexp.Regexp, []byte, error) {
	if len(format) > 4096 {
		return nil, nil, Errorf("ValueError", "date format of more than 4096 bytes")
	}
	format = strings.NewReplacer("%c", "%a %b %d %H:%M:%S %Y", "%x", "%m/%d/%y", "%X", "%H:%M:%S").Replace(format)
	var b strings.Builder
	b.WriteString(`(?is)^(?:`)
	var order []byte
	isBlank := func(i int) bool { return strings.IndexByte(" \t\n\v\f\r", format[i]) >= 0 }
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			if isBlank(i) {
				b.WriteString(`\s+`)
				for i+1 < len(format) && isBlank(i+1) {
					i++
				}
				continue
			}
			j := i + 1
			for j < len(format) && format[j]&0xc0 == 0x80 {
				j++
			}
			b.WriteString(regexp.QuoteMeta(format[i:j]))
			i = j - 1
			continue
		}
		if i++; i == len(format) {
			return nil, nil, Errorf("ValueError", "stray %% in format '%s'", format)
		}
		c := format[i]
		pat, ok := strptimePatterns[c]
		switch c {
		case '%':
			b.WriteByte('%')
			continue
		case 'a', 'A':
			pat, ok = alternatives(dayNames, c == 'a'), true
		case 'b', 'B':
			pat, ok = alternatives(monthNames, c == 'b'), true
		}
		if !ok {
			return nil, nil, Errorf("ValueError", "'%c' is a bad directive in format '%s'", c, format)
		}
		if strings.IndexByte(string(order), c) >= 0 {
			return nil, nil, Errorf("error", "redefinition of group name '%c' in format '%s'", c, format)
		}
		order = append(order, c)
		b.WriteString("(" + pat + ")")
	}
	b.WriteString(")")
	re, err := regexp.Compile(b.String())
	if err != nil {
		return nil, nil, Errorf("ValueError", "bad date format '%s'", format)
	}
	return re, order, nil
}

type strptimeParts struct {
	year, month, day, hour, minute, second, micro int
	weekday, weekOfYear, isoYear, isoWeek         int
	yearDay                                       int
	mondayFirst, pm, halves, hour12               bool
	zone                                          *Zone
	zoneErr                                       error
}

func indexPrefix(names []string, s string) int {
	for i, n := range names {
		if strings.HasPrefix(strings.ToLower(n), s) {
			return i
		}
	}
	return -1
}

func (p *strptimeParts) take(letter byte, s string) {
	n, _ := strconv.Atoi(strings.TrimSpace(s))
	switch letter {
	case 'Y':
		p.year = n
	case 'y':
		p.year = 1900 + n
		if n <= 68 {
			p.year = 2000 + n
		}
	case 'm':
		p.month = n
	case 'b', 'B':
		p.month = indexPrefix(monthNames, s) + 1
	case 'd':
		p.day = n
	case 'H':
		p.hour = n
	case 'I':
		p.hour, p.hour12 = n, true
	case 'p':
		p.pm, p.halves = s == "pm", true
	case 'M':
		p.minute = n
	case 'S':
		p.second = n
	case 'f':
		p.micro, _ = strconv.Atoi((s + "00000")[:6])
	case 'a', 'A':
		p.weekday = indexPrefix(dayNames, s)
	case 'w':
		p.weekday = (n + 6) % 7
	case 'u':
		p.weekday = n - 1
	case 'j':
		p.yearDay = n
	case 'U', 'W':
		p.weekOfYear, p.mondayFirst = n, letter == 'W'
	case 'G':
		p.isoYear = n
	case 'V':
		p.isoWeek = n
	case 'z':
		p.zone, p.zoneErr = parseOffset(s)
	case 'Z':
		if p.zone == nil && p.zoneErr == nil {
			p.zone = nil // a name alone gives no offset: the time stays naive
		}
	}
}

func parseOffset(s string) (*Zone, error) {
	if s == "z" {
		return UTC, nil
	}
	digits, frac, _ := strings.Cut(strings.ReplaceAll(s[1:], ":", ""), ".")
	h, _ := strconv.Atoi(digits[:2])
	m, _ := strconv.Atoi(digits[2:4])
	sec := 0
	if len(digits) > 4 {
		sec, _ = strconv.Atoi(digits[4:6])
	}
	us, _ := strconv.Atoi((frac + "000000")[:6])
	total := float64(h*3600+m*60+sec)*microsPerSecond + float64(us)
	if s[0] == '-' {
		total = -total
	}
	off, err := SpanOfFloat(total)
	if err != nil {
		return nil, err
	}
	return ZoneAt("", off)
}

func (p *strptimeParts) time() (Time, error) {
	if p.zoneErr != nil {
		return Time{}, p.zoneErr
	}
	if p.hour12 {
		p.hour %= 12
		if p.pm {
			p.hour += 12
		}
	}
	if err := p.weeks(); err != nil {
		return Time{}, err
	}
	if p.year < 0 {
		p.year = 1900
		if p.month == 2 && p.day == 29 {
			return Time{}, Errorf("ValueError", "day is out of range for month")
		}
	}
	if p.yearDay > 0 {
		t, err := Date(p.year, 1, 1, 0, 0, 0, 0, nil)
		if err == nil {
			t, err = t.Add(Span{Days: int64(p.yearDay - 1)})
		}
		if err != nil {
			return Time{}, err
		}
		p.year, p.month, p.day, _, _, _, _ = t.Parts()
	}
	return Date(p.year, p.month, p.day, p.hour, p.minute, p.second, p.micro, p.zone)
}

// weeks turns week numbers with a weekday into a day of the year.
func (p *strptimeParts) weeks() error {
	switch {
	case p.isoYear >= 0 && p.yearDay > 0:
		return Errorf("ValueError", "Day of the year directive '%%j' is not compatible with ISO year directive '%%G'. Use '%%Y' instead.")
	case p.isoYear >= 0 && (p.isoWeek < 0 || p.weekday < 0):
		return Errorf("ValueError", "ISO year directive '%%G' must be used with the ISO week directive '%%V' and a weekday directive ('%%A', '%%a', '%%w', or '%%u').")
	case p.isoWeek >= 0 && p.isoYear < 0:
		return Errorf("ValueError", "ISO week directive '%%V' must be used with the ISO year directive '%%G' and a weekday directive ('%%A', '%%a', '%%w', or '%%u').")
	case p.isoWeek >= 0:
		jan4, err := Date(p.isoYear, 1, 4, 0, 0, 0, 0, nil)
		if err != nil {
			return err
		}
		if p.isoWeek == 0 || p.isoWeek > 53 {
			return Errorf("ValueError", "Invalid week: %d", p.isoWeek)
		}
		p.year = p.isoYear
		p.yearDay = 4 - jan4.Weekday() + (p.isoWeek-1)*7 + p.weekday
		if p.yearDay <= 0 {
			p.year--
			p.yearDay += 365
			if isLeap(p.year) {
				p.yearDay++
			}
		}
	case p.weekOfYear >= 0 && p.weekday >= 0 && p.year >= 0 && p.yearDay < 0:
		first, err := Date(p.year, 1, 1, 0, 0, 0, 0, nil)
		if err != nil {
			return err
		}
		start, day := first.Weekday(), p.weekday
		if !p.mondayFirst {
			start, day = (start+1)%7, (day+1)%7
		}
		zero := (7 - start) % 7
		p.yearDay = 1 + zero + (p.weekOfYear-1)*7 + day
		if p.weekOfYear == 0 {
			p.yearDay = 1 + day - start
		}
		if p.yearDay <= 0 {
			p.year--
			p.yearDay += 365
			if isLeap(p.year) {
				p.yearDay++
			}
		}
	}
	return nil
}
