package lint

import (
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/resources/catalog"
)

// acceptance says what a property of some type takes, as Heat's Property.get_value does.
type acceptance struct {
	name  string // for messages, with article
	kinds kinds  // null stands for the default
	// convert gives the value that constraints see; ok is false where a value of an accepted kind does not fit.
	convert func(v any) (out any, ok bool)
}

var acceptances = map[catalog.Kind]acceptance{
	catalog.String: {
		name: "a string", kinds: kindsOf(source.Null, source.String, source.Bool, source.Int), convert: toText,
	},
	catalog.Integer: {
		name: "an integer", kinds: kindsOf(source.Null, source.Int, source.Float, source.Bool, source.String), convert: toInteger,
	},
	catalog.Number: {
		name: "a number", kinds: kindsOf(source.Null, source.Int, source.Float, source.Bool, source.String), convert: toNumber,
	},
	catalog.Boolean:  {name: "a boolean", kinds: kindsOf(source.Null, source.Bool, source.String), convert: toBoolean},
	catalog.List:     {name: "a list", kinds: kindsOf(source.Null, source.List)},
	catalog.Map:      {name: "a map", kinds: kindsOf(source.Null, source.Map)},
	catalog.Anything: {name: "anything", kinds: anyKind},
}

// looseKinds is what the properties of a nested template take in addition.
var looseKinds = map[catalog.Kind]kinds{
	catalog.List: kindsOf(source.String),
	catalog.Map:  kindsOf(source.String, source.List),
}

// accepts is the acceptance of a property's type; unknown types take anything.
func accepts(p *catalog.Property, loose bool) acceptance {
	a, ok := acceptances[p.Type]
	if !ok {
		a = acceptances[catalog.Anything]
	}
	if loose {
		a.kinds |= looseKinds[p.Type]
	}
	return a
}

func toText(v any) (any, bool)    { return hot.ConvertProperty(catalog.String, v) }
func toInteger(v any) (any, bool) { return hot.ConvertProperty(catalog.Integer, v) }
func toNumber(v any) (any, bool)  { return hot.ConvertProperty(catalog.Number, v) }
func toBoolean(v any) (any, bool) { return hot.ConvertProperty(catalog.Boolean, v) }
