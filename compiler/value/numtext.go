package value

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
)

// maxIntDigits is Python's limit on digits when integers are read or written as text.
const maxIntDigits = 4300

func errDigits(what string) error {
	return Errorf("ValueError", "Exceeds the limit (%d digits) for integer string conversion%s", maxIntDigits, what)
}

// asciiDigits replaces all decimal digits of other scripts by ASCII ones.
func asciiDigits(s string) string {
	if isASCII(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if d := DigitValue(r); d >= 0 {
			return rune('0' + d)
		}
		return r
	}, s)
}

// DigitValue is the value of a decimal digit of any script (category Nd), else -1.
func DigitValue(r rune) int {
	switch {
	case r >= '0' && r <= '9':
		return int(r - '0')
	case r < 0x80 || !unicode.Is(unicode.Nd, r):
		return -1
	}
	d := 0 // runs of Nd are whole sets of ten, zero first
	for d < 9 && unicode.Is(unicode.Nd, r-rune(d)-1) {
		d++
	}
	if lo := r - rune(d); d == 9 && unicode.Is(unicode.Nd, lo-1) { // several sets side by side
		for unicode.Is(unicode.Nd, lo-10) && unicode.Is(unicode.Nd, lo-1) {
			lo -= 10
		}
		return int(r-lo) % 10
	}
	return d
}

// dropUnderscores removes single underscores between digits; ok is false if one stands elsewhere.
func dropUnderscores(s string) (string, bool) {
	if !strings.Contains(s, "_") {
		return s, true
	}
	digit := func(i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }
	for i := range len(s) {
		if s[i] == '_' && (!digit(i-1) || !digit(i+1)) {
			return s, false
		}
	}
	return strings.ReplaceAll(s, "_", ""), true
}

// ParseInt is Python's int(text): blanks around, a sign, decimal digits of any script with single underscores.
func ParseInt(text string) (any, error) {
	s, ok := dropUnderscores(asciiDigits(Strip(text)))
	digits := strings.TrimLeft(s, "+-")
	if !ok || digits == "" || len(s)-len(digits) > 1 || strings.Trim(digits, "0123456789") != "" {
		return nil, Errorf("ValueError", "invalid literal for int() with base 10: %s", reprText(text))
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, nil
	}
	if len(digits) > maxIntDigits {
		return nil, errDigits(": value has " + strconv.Itoa(len(digits)) + " digits; use sys.set_int_max_str_digits() to increase the limit")
	}
	n, _ := new(big.Int).SetString(s, 10)
	return NormInt(n), nil
}

// ParseFloat is Python's float(text).
func ParseFloat(text string) (float64, error) {
	s, ok := dropUnderscores(asciiDigits(Strip(text)))
	low := strings.ToLower(strings.TrimLeft(s, "+-"))
	word := low == "inf" || low == "infinity" || low == "nan"
	if ok && (word || (low != "" && strings.Trim(low, "0123456789.e+-") == "")) {
		f, err := strconv.ParseFloat(s, 64)
		if err == nil || math.IsInf(f, 0) {
			return f, nil
		}
		if low == "nan" && len(s) == 4 {
			return math.NaN(), nil
		}
	}
	return 0, Errorf("ValueError", "could not convert string to float: %s", reprText(text))
}

// ToInt is Python's int(v).
func ToInt(v any) (any, error) {
	switch v := unBool(v).(type) {
	case int64, *big.Int:
		return v, nil
	case float64:
		switch {
		case math.IsNaN(v):
			return nil, Errorf("ValueError", "cannot convert float NaN to integer")
		case math.IsInf(v, 0):
			return nil, Errorf("OverflowError", "cannot convert float infinity to integer")
		}
		n, _ := new(big.Float).SetFloat64(v).Int(nil)
		return NormInt(n), nil
	case string:
		return ParseInt(v)
	}
	return nil, Errorf("TypeError", "int() argument must be a string, a bytes-like object or a real number, not '%s'", TypeName(v))
}

// ToFloatValue is Python's float(v).
func ToFloatValue(v any) (any, error) {
	if s, ok := v.(string); ok {
		return ParseFloat(s)
	}
	if !isNumber(v) {
		return nil, Errorf("TypeError", "float() argument must be a string or a real number, not '%s'", TypeName(v))
	}
	return ToFloat(v)
}

// FormatFloat is Python's repr of a float.
func FormatFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	if a := math.Abs(f); f != 0 && (a >= 1e16 || a < 1e-4) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// FormatInt writes an integer in decimal; ValueError above Python's limit of digits.
func FormatInt(v any) (string, error) {
	switch v := unBool(v).(type) {
	case int64:
		return strconv.FormatInt(v, 10), nil
	case *big.Int:
		if v.BitLen() > maxIntDigits*10/3+4 {
			return "", errDigits("; use sys.set_int_max_str_digits() to increase the limit")
		}
		s := v.String()
		if len(strings.TrimPrefix(s, "-")) > maxIntDigits {
			return "", errDigits("; use sys.set_int_max_str_digits() to increase the limit")
		}
		return s, nil
	}
	return "", Errorf("TypeError", "'%s' object cannot be interpreted as an integer", TypeName(v))
}
