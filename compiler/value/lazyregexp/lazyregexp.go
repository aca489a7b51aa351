// Package lazyregexp compiles regular expressions when they are first used. Those in package variables are otherwise
// compiled whenever the command starts, needed or not; together that costs more than the check of a template.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New gives the regular expression when called for. One that is malformed panics then: each needs a test that uses it.
func New(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
