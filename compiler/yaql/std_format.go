package yaql

import (
	"math/big"
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
)

var formatFunctions = []def{
	{"format", both, "_FormatString:str, *args:any, **kwargs:any", formatText},
	{"hex", fn, "num:num?", func(c *call) (any, error) {
		n := value.Big(c.args[0])
		if n == nil {
			return nil, fail("TypeError", "'%s' object cannot be interpreted as an integer", value.TypeName(c.args[0]))
		}
		sign := ""
		if n.Sign() < 0 {
			sign = "-"
		}
		return sign + "0x" + new(big.Int).Abs(n).Text(16), c.ev.text(n.BitLen() / 4)
	}},
	{
		"characters", fn, "digits:bool?=false, hexdigits:bool?=false, asciiLowercase:bool?=false, asciiUppercase:bool?=false, " +
			"asciiLetters:bool?=false, letters:bool?=false, octdigits:bool?=false, punctuation:bool?=false, printable:bool?=false, " +
			"lowercase:bool?=false, uppercase:bool?=false, whitespace:bool?=false", characters,
	},
}

const (
	digitChars  = "0123456789"
	lowerChars  = "abcdefghijklmnopqrstuvwxyz"
	upperChars  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	punctChars  = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
	blankChars  = " \t\n\r\x0b\x0c"
	missingChar = "" // classes that Python 3 no longer has
)

// characterClasses are the sets of characters by the position of their argument.
var characterClasses = []struct{ name, chars string }{
	{"digits", digitChars},
	{"hexdigits", digitChars + "abcdefABCDEF"},
	{"ascii_lowercase", lowerChars},
	{"ascii_uppercase", upperChars},
	{"ascii_letters", lowerChars + upperChars},
	{"letters", missingChar},
	{"octdigits", "01234567"},
	{"punctuation", punctChars},
	{"printable", digitChars + lowerChars + upperChars + punctChars + blankChars},
	{"lowercase", missingChar},
	{"uppercase", missingChar},
	{"whitespace", blankChars},
}

// characters gives each character of the chosen classes once; the original's order is by chance.
func characters(c *call) (any, error) {
	out := value.Tuple{}
	seen := map[rune]bool{}
	for i, class := range characterClasses {
		if !c.truth(i) {
			continue
		}
		if class.chars == missingChar {
			return nil, fail("AttributeError", "module 'string' has no attribute '%s'", class.name)
		}
		for _, r := range class.chars {
			if !seen[r] {
				seen[r] = true
				out = append(out, string(r))
			}
		}
	}
	return out, nil
}

func formatText(c *call) (any, error) {
	left := int(min(c.ev.bytes, int64(1<<30)))
	s, err := value.Format(c.str(0), value.FormatArgs{
		Items: c.star,
		Named: func(name string) (any, bool) {
			for _, k := range c.named {
				if k.name == name {
					return k.arg.val, true
				}
			}
			return nil, false
		},
		Meter: c.meter(),
		Limit: left,
	})
	if err != nil {
		return nil, err
	}
	return strings.Clone(s), c.ev.text(len(s))
}
