package yaql

import (
	"math/big"
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
)

// number takes the number at the current place, and what belongs to it after it.
func (p *dateParser) number() error {
	t := p.tokens[p.i]
	val, ok := decimal(t)
	if !ok {
		return errNoDate
	}
	n := value.RuneLen(t)
	next := p.at(p.i + 1)
	_, unitNext := lookup(dateUnits, next)
	d := &p.d
	switch {
	case len(d.ymd.vals) == 3 && (n == 2 || n == 4) && d.hour == none && (p.i+1 >= len(p.tokens) || (next != ":" && !unitNext)):
		// 19990101T23[59]
		var err error
		if d.hour, err = atoi(value.Slice(t, 0, 2)); err == nil && n == 4 {
			d.minute, err = atoi(value.Slice(t, 2, 4))
		}
		return err
	case n == 6 || (n > 6 && strings.Index(t, ".") == 6):
		return p.six(t)
	case n == 8 || n == 12 || n == 14:
		return p.long(t, n)
	}
	if at := p.unitAt(); at >= 0 {
		return p.unit(t, val, at)
	}
	switch {
	case p.i+2 < len(p.tokens) && next == ":":
		return p.clock(val)
	case p.i+1 < len(p.tokens) && (next == "-" || next == "/" || next == "."):
		return p.separated(t, next)
	}
	half, isHalf := lookup(dateHalves, p.at(p.i+2))
	_, jump := lookup(dateJumps, next)
	switch {
	case p.i+1 >= len(p.tokens) || jump:
		if p.i+2 < len(p.tokens) && isHalf {
			d.hour = adjustHalf(truncated(val), half)
			p.i++
		} else if err := p.addNumber(val); err != nil {
			return err
		}
		p.i++
		return nil
	}
	if half, isHalf = lookup(dateHalves, next); isHalf && val.Sign() >= 0 && val.Cmp(big.NewRat(24, 1)) < 0 {
		d.hour = adjustHalf(truncated(val), half)
		p.i++
		return nil
	}
	if d.ymd.couldBeDay(val) {
		return p.addNumber(val)
	}
	return errNoDate
}

// decimal reads a token as an exact number.
func decimal(t string) (*big.Rat, bool) {
	f, err := value.ParseFloat(t)
	if err != nil || f-f != 0 {
		return nil, false
	}
	digits := []rune(t)
	for i, r := range digits {
		if v := value.DigitValue(r); v >= 0 {
			digits[i] = rune('0' + v)
		}
	}
	return new(big.Rat).SetString(string(digits))
}

func truncated(r *big.Rat) int {
	n, _ := value.Int(value.NormInt(new(big.Int).Quo(r.Num(), r.Denom())))
	return n
}

func (p *dateParser) addNumber(val *big.Rat) error {
	return p.d.ymd.add(truncated(val), val.Cmp(big.NewRat(100, 1)) > 0, 0)
}

// six is YYMMDD, or HHMMSS[.ss] once there is a date.
func (p *dateParser) six(t string) error {
	d := &p.d
	if len(d.ymd.vals) == 0 && !strings.Contains(t, ".") {
		for i := 0; i < 6; i += 2 {
			if err := d.ymd.addText(value.Slice(t, i, i+2), 0); err != nil {
				return err
			}
		}
		return nil
	}
	var err error
	if d.hour, err = atoi(value.Slice(t, 0, 2)); err == nil {
		d.minute, err = atoi(value.Slice(t, 2, 4))
	}
	if err == nil {
		d.second, d.micro, err = seconds(value.Slice(t, 4, whole))
	}
	return err
}

// long is YYYYMMDD[hhmm[ss]].
func (p *dateParser) long(t string, n int) error {
	d := &p.d
	err := d.ymd.addText(value.Slice(t, 0, 4), 'Y')
	for i := 4; i < 8 && err == nil; i += 2 {
		err = d.ymd.addText(value.Slice(t, i, i+2), 0)
	}
	if n > 8 && err == nil {
		if d.hour, err = atoi(value.Slice(t, 8, 10)); err == nil {
			d.minute, err = atoi(value.Slice(t, 10, 12))
		}
		if n > 12 && err == nil {
			d.second, err = atoi(value.Slice(t, 12, whole))
		}
	}
	return err
}

// unitAt finds the word h, m or s (or longer) that belongs to the current number: after it, or before it.
func (p *dateParser) unitAt() int {
	is := func(i int) bool {
		if i < 0 || i >= len(p.tokens) {
			return false
		}
		_, ok := lookup(dateUnits, p.tokens[i])
		return ok
	}
	i := p.i
	switch {
	case is(i + 1):
		return i + 1
	case p.at(i+1) == " " && is(i+2):
		return i + 2
	case is(i - 1):
		return i - 1
	case i > 1 && i == len(p.tokens)-1 && p.at(i-1) == " " && is(i-2):
		return i - 2
	}
	return -1
}

// unit takes a number of hours, minutes or seconds. A unit before the number means the next smaller one.
func (p *dateParser) unit(t string, val *big.Rat, at int) error {
	u, _ := lookup(dateUnits, p.tokens[at])
	if at > p.i {
		p.i = at
	} else {
		u++
	}
	d := &p.d
	switch u {
	case 0:
		d.hour = truncated(val)
		if !val.IsInt() {
			d.minute = truncated(new(big.Rat).Mul(fraction(val), big.NewRat(60, 1)))
		}
	case 1:
		d.minute, d.second = minuteSecond(val)
	case 2:
		var err error
		d.second, d.micro, err = seconds(t)
		return err
	}
	return nil
}

func fraction(r *big.Rat) *big.Rat {
	return new(big.Rat).Sub(r, new(big.Rat).SetInt(new(big.Int).Quo(r.Num(), r.Denom())))
}

func minuteSecond(val *big.Rat) (minute, second int) {
	second = none
	if !val.IsInt() {
		second = truncated(new(big.Rat).Mul(fraction(val), big.NewRat(60, 1)))
	}
	return truncated(val), second
}

// seconds reads whole seconds and a fraction of up to six digits.
func seconds(t string) (secs, micros int, err error) {
	s, frac, dot := strings.Cut(t, ".")
	if secs, err = atoi(s); err != nil || !dot {
		return secs, 0, err
	}
	if strings.Contains(frac, ".") {
		return 0, 0, errNoDate
	}
	micros, err = atoi(value.Slice(frac+"000000", 0, 6))
	return secs, micros, err
}

// clock is HH:MM[:SS[.ss]].
func (p *dateParser) clock(val *big.Rat) error {
	d := &p.d
	d.hour = truncated(val)
	m, ok := decimal(p.at(p.i + 2))
	if !ok {
		return errNoDate
	}
	d.minute, d.second = minuteSecond(m)
	if p.i+4 < len(p.tokens) && p.at(p.i+3) == ":" {
		var err error
		if d.second, d.micro, err = seconds(p.at(p.i + 4)); err != nil {
			return err
		}
		p.i += 2
	}
	p.i += 2
	return nil
}

// separated is a date with -, / or . between its parts; the month may be a name.
func (p *dateParser) separated(t, sep string) error {
	d := &p.d
	if err := d.ymd.addText(t, 0); err != nil {
		return err
	}
	second := p.at(p.i + 2)
	if _, jump := lookup(dateJumps, second); p.i+2 < len(p.tokens) && !jump {
		if err := p.datePart(second, true); err != nil {
			return err
		}
		if p.i+3 < len(p.tokens) && p.at(p.i+3) == sep {
			third, err := p.tok(p.i + 4)
			if err == nil {
				err = p.datePart(third, false)
			}
			if err != nil {
				return err
			}
			p.i += 2
		}
		p.i++
	}
	p.i++
	return nil
}

func (p *dateParser) datePart(t string, mustBeDigits bool) error {
	if m, ok := lookup(dateMonths, t); ok {
		return p.d.ymd.add(m, false, 'M')
	}
	if mustBeDigits && !allDigits(t) {
		return errNoDate
	}
	return p.d.ymd.addText(t, 0)
}
