package hot

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/hotloom/hotloom/compiler/value/regex"
)

// Pattern is the pattern of an allowed_pattern constraint. One that Python takes but package regex does not support has
// no re; what it matches is not known.
type Pattern struct{ re *regex.Regexp }

var errUnknownMatch = errors.New("the pattern is not supported, so that it is not known what it matches")

// CompilePattern compiles a pattern as Python does. Its errors say what Python finds wrong with the pattern.
func CompilePattern(pattern string) (*Pattern, error) {
	re, err := regex.Compile(pattern, 0)
	if err != nil && strings.HasPrefix(err.Error(), "pattern not supported") {
		return &Pattern{}, nil
	}
	if err != nil {
		return nil, err
	}
	return &Pattern{re: re}, nil
}

// Whole reports whether the match that begins at the start of s ends at its end. This is not a full match: the first
// alternative that matches counts, so "ab|abc" does not take "abc". An error says that it cannot be known.
func (p *Pattern) Whole(s string) (bool, error) {
	if p.re == nil {
		return false, errUnknownMatch
	}
	m, err := p.re.Prefix(s)
	if err != nil || m == nil {
		return false, err
	}
	_, end := m.Span(0)
	return end == utf8.RuneCountInString(s), nil
}
