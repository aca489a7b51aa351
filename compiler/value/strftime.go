package value

import (
	"fmt"
	"strconv"
	"strings"
)

// English names, as in the C locale that services run in.
var (
	dayNames   = []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
	monthNames = []string{
		"January", "February", "March", "April", "May", "June", "July",
		"August", "September", "October", "November", "December",
	}
)

// directive is one % sequence of a format: flags, width and letter as in glibc.
type directive struct {
	flag   byte // 0, '-', '_', '0'
	upper  bool
	swap   bool
	width  int
	letter byte
}

// Format is datetime.strftime as on Linux: Python's %f, %z and %Z, and glibc's for the rest, flags and widths
// included. Unknown sequences stay as they are.
func (t Time) Format(format string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			b.WriteByte(format[i])
			continue
		}
		d, end := parseDirective(format, i+1)
		if end >= len(format) {
			b.WriteString(format[i:])
			break
		}
		if d.width > 1024 {
			return "", Errorf("ValueError", "width of %d in a date format", d.width)
		}
		text, ok := t.directive(d)
		if !ok {
			text = format[i : end+1]
		}
		b.WriteString(text)
		i = end
	}
	return b.String(), nil
}

func parseDirective(f string, i int) (directive, int) {
	var d directive
	for ; i < len(f); i++ {
		switch f[i] {
		case '-', '_', '0':
			d.flag = f[i]
			continue
		case '^':
			d.upper = true
			continue
		case '#':
			d.swap = true
			continue
		}
		break
	}
	for ; i < len(f) && f[i] >= '0' && f[i] <= '9'; i++ {
		d.width = min(d.width*10+int(f[i]-'0'), 1<<20)
	}
	for i < len(f) && (f[i] == 'E' || f[i] == 'O') {
		i++
	}
	if i < len(f) {
		d.letter = f[i]
	}
	return d, i
}

// num writes a number padded to size by pad, unless flag and width say otherwise.
func (d directive) num(n, size int, pad byte) string {
	s := strconv.Itoa(n)
	switch d.flag {
	case '-':
		return s
	case '_':
		pad = ' '
	case '0':
		pad = '0'
	}
	size = max(size, d.width)
	if len(s) < size {
		s = strings.Repeat(string(pad), size-len(s)) + s
	}
	return s
}

func (d directive) text(s string) string {
	switch {
	case d.upper:
		s = strings.ToUpper(s)
	case d.swap && (d.letter == 'p' || d.letter == 'Z'):
		s = strings.ToLower(s)
	case d.swap:
		s = strings.ToUpper(s)
	}
	if len(s) < d.width {
		pad := " "
		if d.flag == '0' {
			pad = "0"
		}
		s = strings.Repeat(pad, d.width-len(s)) + s
	}
	return s
}

func (t Time) directive(d directive) (string, bool) {
	if s, ok := t.clockDirective(d); ok {
		return s, true
	}
	y, mo, day, _, _, _, _ := t.Parts()
	wd, yd := t.Weekday(), t.YearDay()
	switch d.letter {
	case 'a':
		return d.text(dayNames[wd][:3]), true
	case 'A':
		return d.text(dayNames[wd]), true
	case 'b', 'h':
		return d.text(monthNames[mo-1][:3]), true
	case 'B':
		return d.text(monthNames[mo-1]), true
	case 'C':
		return d.num(y/100, 1, '0'), true
	case 'd':
		return d.num(day, 2, '0'), true
	case 'e':
		return d.num(day, 2, ' '), true
	case 'g', 'G', 'V':
		iy, iw := t.isoWeek()
		switch d.letter {
		case 'g':
			return d.num(iy%100, 2, '0'), true
		case 'G':
			return d.num(iy, 1, '0'), true
		}
		return d.num(iw, 2, '0'), true
	case 'j':
		return d.num(yd, 3, '0'), true
	case 'm':
		return d.num(mo, 2, '0'), true
	case 'u':
		return d.num(wd+1, 1, '0'), true
	case 'w':
		return d.num((wd+1)%7, 1, '0'), true
	case 'U':
		return d.num((yd+6-(wd+1)%7)/7, 2, '0'), true
	case 'W':
		return d.num((yd+6-wd)/7, 2, '0'), true
	case 'y':
		return d.num(y%100, 2, '0'), true
	case 'Y':
		return d.num(y, 1, '0'), true
	case 'c':
		return t.compound(d, "%a %b %e %H:%M:%S %Y"), true
	case 'D', 'x':
		return t.compound(d, "%m/%d/%y"), true
	case 'F':
		return t.compound(d, "%Y-%m-%d"), true
	}
	return "", false
}

func (t Time) clockDirective(d directive) (string, bool) {
	_, _, _, h, mi, s, us := t.Parts()
	half := []string{"AM", "PM"}[h/12]
	switch d.letter {
	case 'f':
		return fmt.Sprintf("%06d", us), true
	case 'H':
		return d.num(h, 2, '0'), true
	case 'I':
		return d.num((h+11)%12+1, 2, '0'), true
	case 'k':
		return d.num(h, 2, ' '), true
	case 'l':
		return d.num((h+11)%12+1, 2, ' '), true
	case 'M':
		return d.num(mi, 2, '0'), true
	case 'S':
		return d.num(s, 2, '0'), true
	case 's':
		return d.num(int((t.wall-unixDays*microsPerDay)/microsPerSecond), 1, '0'), true
	case 'p':
		return d.text(half), true
	case 'P':
		return d.text(strings.ToLower(half)), true
	case 'r':
		return t.compound(d, "%I:%M:%S %p"), true
	case 'R':
		return t.compound(d, "%H:%M"), true
	case 'T', 'X':
		return t.compound(d, "%H:%M:%S"), true
	case 'z':
		if t.zone == nil {
			return "", true
		}
		return formatOffset(t.Offset(), ""), true
	case 'Z':
		if t.zone == nil {
			return "", true
		}
		return d.text(t.zone.Name), true
	case 'n':
		return "\n", true
	case 't':
		return "\t", true
	case '%':
		return "%", true
	}
	return "", false
}

func (t Time) compound(d directive, format string) string {
	s, _ := t.Format(format)
	return d.text(s)
}

// isoWeek is isocalendar()'s year and week.
func (t Time) isoWeek() (year, week int) {
	y, _, _, _, _, _, _ := t.Parts()
	day := t.wall/microsPerDay - int64(t.Weekday()) + 3 // the week's Thursday decides
	for daysBeforeYear(y+1) <= day {
		y++
	}
	for daysBeforeYear(y) > day {
		y--
	}
	return y, int(day-daysBeforeYear(y))/7 + 1
}
