package workflow

import (
	"strings"
	"unicode"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
)

// The one-line form `NAME key=value key=value` (mistral/lang/base.py). Only quoted texts, expressions, lists in
// brackets, true, false, null and digits are values; a bare word is none and is skipped over.
var (
	commandName = lazyregexp.New(`^(?:[\pL\pN_.]+[^=(\s\x0b\x1c-\x1f\x{85}\p{Z}"]*|` + yaqlPattern + `|\{\{.*\}\}|\{%.*%\})`)

	commandParam = lazyregexp.New(`([-\pL\pN_]+)=("[^"]*"` + pySpace + `*|'[^']*'` + pySpace + `*|` +
		jinjaPattern + `|` + yaqlPattern + `|\[.*\]` + pySpace + `*|true|false|null|\p{Nd}+)`)
)

// ParseCommand takes a one-line call apart. Without a blank the text is the name as it stands; ok is false where
// no name can be found.
func ParseCommand(line string) (name string, params *value.Map, ok bool) {
	params = value.NewMap(0)
	if !strings.Contains(line, " ") {
		return line, params, true
	}
	name = commandName().FindString(line)
	if name == "" {
		return "", params, false
	}
	for _, m := range commandParam().FindAllStringSubmatch(line, -1) {
		text := strings.TrimFunc(m[2], isPySpace)
		var v any = text
		if text[0] == '"' || text[0] == '\'' {
			v = text[1 : len(text)-1]
		} else if decoded, err := value.ParseJSON(text); err == nil {
			v = decoded
		}
		params.SetStr(m[1], v)
	}
	return name, params, true
}

func isPySpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }
