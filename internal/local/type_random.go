package local

import (
	"context"
	"crypto/rand"
	"math/big"
	"strings"

	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/value"
)

// randomString is OS::Heat::RandomString.
type randomString struct{}

const (
	lowercase = "abcdefghijklmnopqrstuvwxyz"
	uppercase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits    = "0123456789"
)

var characterClasses = map[string]string{
	"lettersdigits": lowercase + uppercase + digits,
	"letters":       lowercase + uppercase,
	"lowercase":     lowercase,
	"uppercase":     uppercase,
	"digits":        digits,
	"hexdigits":     digits + "ABCDEF",
	"octdigits":     "01234567",
}

// randomPart is a number from 0 to below 1.
func randomPart() float64 { return float64(randomBelow(1<<53)) / (1 << 53) }

func randomBelow(n int64) int64 {
	i, err := rand.Int(rand.Reader, big.NewInt(n))
	if err != nil {
		panic(err) // the system has no randomness: nothing can go on
	}
	return i.Int64()
}

func pick(from []rune) rune { return from[randomBelow(int64(len(from)))] }

func (randomString) Make(_ context.Context, i *Instance) error {
	length, err := i.number("length", 32)
	if err != nil {
		return err
	}
	classes := i.list("character_classes")
	if sequence := i.text("sequence", ""); sequence != "" {
		classes = append(classes, value.MapOf("class", sequence, "min", int64(1)))
	} else if classes == nil && i.get("character_sequences", nil) == nil {
		classes = []any{value.MapOf("class", "lettersdigits", "min", int64(1))}
	}
	var chosen, all []rune
	add := func(property string, characters []rune, least any) error {
		if least == nil {
			least = int64(1)
		}
		n, err := value.ToFloat(least)
		if err != nil || n < 0 || n > 512 {
			return i.wrong(property, "has a min that is no number from 1 to 512")
		}
		if len(characters) == 0 {
			return i.wrong(property, "has an entry without characters")
		}
		for range int(n) {
			chosen = append(chosen, pick(characters))
		}
		for _, c := range characters {
			if !strings.ContainsRune(string(all), c) {
				all = append(all, c)
			}
		}
		return nil
	}
	for _, c := range classes {
		m, _ := c.(*value.Map)
		if m == nil {
			return i.wrong("character_classes", "is no list of maps")
		}
		name, _ := m.GetStr("class")
		if name == nil {
			name = "lettersdigits"
		}
		least, _ := m.GetStr("min")
		if err := add("character_classes", []rune(characterClasses[value.Str(name)]), least); err != nil {
			return err
		}
	}
	for _, c := range i.list("character_sequences") {
		m, _ := c.(*value.Map)
		if m == nil {
			return i.wrong("character_sequences", "is no list of maps")
		}
		sequence, _ := m.GetStr("sequence")
		least, _ := m.GetStr("min")
		if err := add("character_sequences", []rune(value.Str(sequence)), least); err != nil {
			return err
		}
	}
	if length < 1 || length > 512 || float64(len(chosen)) > length {
		return i.wrong("length", "is no number from 1 to 512, or smaller than the minimums of the characters together")
	}
	for float64(len(chosen)) < length {
		chosen = append(chosen, pick(all))
	}
	for j := len(chosen) - 1; j > 0; j-- {
		k := randomBelow(int64(j + 1))
		chosen[j], chosen[k] = chosen[k], chosen[j]
	}
	text := string(chosen)
	i.Record.ID, i.Record.Ref = newUUID(), text
	i.Record.Attributes, i.Record.Secret = newValues("value", text), []string{"value"}
	return nil
}

// convertValue gives OS::Heat::Value's value the type that it asks for.
func convertValue(typ string, v any) (any, error) { return hot.Convert(hot.ParameterType(typ), v) }
