package function

import (
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/value"
)

// fnFindInMap looks a value up in the section Mappings.
var fnFindInMap = Function{
	Name:  "Fn::FindInMap",
	In:    InValue | InCondition,
	Usage: "{Fn::FindInMap: [MAPPING, KEY, NAME]}",
	Shape: func(k *checker, c Call) {
		if !k.unpacks(c.Arg, 3) {
			k.add(argumentKind(c, "a list of a mapping, a key and a name"))
		}
	},
	Eval: func(s *Scope, c Call, arg Value) (Value, error) {
		found := hot.ValueOf(s.Template.Mappings)
		for _, key := range unpacked(arg) {
			m, ok := found.(*value.Map)
			if !ok {
				return nil, c.fail("there is no map in which to look for %s", value.Repr(key))
			}
			if found, ok = m.Get(key); !ok {
				return nil, c.fail("Mappings have no %s there", value.Repr(key))
			}
		}
		return found, nil
	},
}
