package constraint

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
)

// cronField is one column of a cron expression, as Python's croniter reads it.
type cronField struct {
	name     string
	min, max int
	words    map[string]int
}

var cronFields = [...]cronField{
	{name: "minute", max: 59},
	{name: "hour", max: 23},
	{name: "day of month", min: 1, max: 31, words: map[string]int{"l": 31}},
	{name: "month", min: 1, max: 12, words: map[string]int{
		"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
	}},
	{name: "day of week", max: 7, words: map[string]int{"sun": 0, "mon": 1, "tue": 2, "wed": 3, "thu": 4, "fri": 5, "sat": 6}},
	{name: "second", max: 59},
}

var (
	cronAliases = map[string]bool{
		"@midnight": true, "@hourly": true, "@daily": true, "@weekly": true, "@monthly": true, "@yearly": true, "@annually": true,
	}
	cronRange   = lazyregexp.New(`^([^-]+)-([^-/]+)(?:/(\d+))?$`)
	cronStep    = lazyregexp.New(`^(.+)/(.+)$`)
	cronWeekday = lazyregexp.New(`^(?:(\w+)#(\d+)|l(\d+)$)`)
	cronHashed  = lazyregexp.New(`^[hr](?:\((\d+)-(\d+)\))?(?:/(\d+))?$`)
)

func cron(s string) string {
	s = strings.ToLower(s)
	if cronAliases[s] {
		return ""
	}
	columns := strings.Fields(s)
	if len(columns) != 5 && len(columns) != 6 {
		return fmt.Sprintf("it has %d columns; a cron expression has 5 or 6", len(columns))
	}
	for i, column := range columns {
		for _, part := range strings.Split(column, ",") {
			if problem := cronFields[i].check(i, part); problem != "" {
				return fmt.Sprintf("%s: %s", cronFields[i].name, problem)
			}
		}
	}
	return ""
}

func (f cronField) check(i int, part string) string {
	if cronHashed().MatchString(part) {
		if part[0] == 'h' {
			return fmt.Sprintf("%q asks for a hash, and there is nothing to hash", part)
		}
		return "" // random: croniter picks numbers of the field
	}
	if i == 4 {
		if m := cronWeekday().FindStringSubmatch(part); m != nil {
			if m[2] != "" {
				if n, _ := strconv.Atoi(m[2]); n < 1 || n > 5 {
					return fmt.Sprintf("%q: the week must be 1 to 5", part)
				}
				part = m[1]
			} else {
				part = m[3]
			}
		}
	}
	text := part
	if rest, ok := strings.CutPrefix(text, "*/"); ok {
		text = fmt.Sprintf("%d-%d/%s", f.min, f.max, rest)
	}
	m := cronRange().FindStringSubmatch(text)
	if m == nil {
		text = cronStep().ReplaceAllString(part, fmt.Sprintf("$1-%d/$2", f.max))
		m = cronRange().FindStringSubmatch(text)
	}
	if m != nil {
		return f.checkRange(i, part, m)
	}
	if text == "*" || i == 2 && text == "l" {
		return ""
	}
	n, ok := f.number(text)
	if !ok {
		return fmt.Sprintf("%q means nothing here", part)
	}
	if n < f.min || n > f.max {
		return fmt.Sprintf("%d is not from %d to %d", n, f.min, f.max)
	}
	return ""
}

func (f cronField) checkRange(i int, part string, m []string) string {
	low, okLow := f.number(m[1])
	high, okHigh := f.number(m[2])
	if !okLow || !okHigh {
		return fmt.Sprintf("%q is not a range", part)
	}
	if low > high {
		if i != 4 || high != 0 {
			return fmt.Sprintf("%q runs backwards", part)
		}
		high = 7 // up to Sunday
	}
	if max(low, high) > f.max || low < f.min {
		return fmt.Sprintf("%q leaves %d to %d", part, f.min, f.max)
	}
	if m[3] != "" && strings.Trim(m[3], "0") == "" {
		return fmt.Sprintf("%q has the step 0", part)
	}
	return ""
}

// number is the value of a number or of one of the field's words.
func (f cronField) number(s string) (int, bool) {
	if n, ok := f.words[s]; ok {
		return n, true
	}
	n, err := strconv.ParseUint(s, 10, 31)
	return int(n), err == nil
}
