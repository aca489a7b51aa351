package yaql

import "github.com/hotloom/hotloom/compiler/value"

var setFunctions = []def{
	{"set", fn, "*args:any", func(c *call) (any, error) {
		return c.method("toSet", c.spliced())
	}},
	{"toSet", method, "collection:coll", func(c *call) (any, error) {
		if s, ok := c.args[0].(*value.Set); ok && s.Frozen() {
			return s, nil
		}
		s := value.NewSet(true)
		err := c.ev.each(c.args[0], func(x any) (bool, error) {
			if err := c.ev.alloc(64); err != nil {
				return false, err
			}
			return false, s.Add(c.meter(), x)
		})
		return s, err
	}},
	{"union", method, "left:set, right:set", setMethod("union", (*call).union)},
	{"intersect", method, "left:set, right:set", setMethod("intersection", func(c *call, a, b *value.Set) (any, error) {
		return a.Intersection(c.meter(), b)
	})},
	{"difference", method, "left:set, right:set", setMethod("difference", (*call).difference)},
	{"#operator_-", fn, "left:set, right:set", setMethod("difference", (*call).difference)},
	{"symmetricDifference", method, "left:set, right:set", setMethod("symmetric_difference", func(c *call, a, b *value.Set) (any, error) {
		return a.SymmetricDifference(c.meter(), b)
	})},
	{"add", method, "set:set, *values:any", func(c *call) (any, error) { return c.withStar("union", (*call).union) }},
	{"remove", method, "set:set, *values:any", func(c *call) (any, error) { return c.withStar("difference", (*call).difference) }},
}

func (c *call) union(a, b *value.Set) (any, error) { return a.Union(c.meter(), b) }

func (c *call) difference(a, b *value.Set) (any, error) { return a.Difference(c.meter(), b) }

// left gives the set on which a method works; views of dicts have none of these methods.
func (c *call) left(name string) (*value.Set, error) {
	s, ok := c.args[0].(*value.Set)
	if !ok {
		return nil, fail("AttributeError", "'%s' object has no attribute '%s'", value.TypeName(c.args[0]), name)
	}
	return s, c.ev.alloc(16 * s.TableSize())
}

func setMethod(name string, f func(c *call, a, b *value.Set) (any, error)) func(c *call) (any, error) {
	return func(c *call) (any, error) {
		a, err := c.left(name)
		if err != nil {
			return nil, err
		}
		b, _, err := value.AsSet(c.meter(), c.args[1])
		if err != nil {
			return nil, err
		}
		if err := c.ev.alloc(16 * b.TableSize()); err != nil {
			return nil, err
		}
		return f(c, a, b)
	}
}

// withStar applies a set method to the set of the star arguments.
func (c *call) withStar(name string, f func(c *call, a, b *value.Set) (any, error)) (any, error) {
	a, err := c.left(name)
	if err != nil {
		return nil, err
	}
	b, err := value.SetOf(c.meter(), true, c.star)
	if err != nil {
		return nil, err
	}
	return f(c, a, b)
}
