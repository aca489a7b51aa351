package function

// This file finds what no value of the unknown parts of an argument can mend.

func isUnknown(v any) bool {
	_, unknown := v.(*Unknown)
	return unknown
}

// mayBe reports whether a value may turn out to be a T, a list or a map. What is unknown may where its form is open.
func mayBe[T any](v any) bool {
	if u, unknown := v.(*Unknown); unknown {
		return u.Form == Open
	}
	_, ok := v.(T)
	return ok
}

func mayBeText(v any) bool {
	if u, unknown := v.(*Unknown); unknown {
		return u.Form == Open || u.Form == Text
	}
	_, isText := v.(string)
	return isText
}

// what describes a value that may be unknown.
func what(v any) string {
	if u, unknown := v.(*Unknown); unknown {
		return formNames[u.Form]
	}
	return describe(v)
}

// earlyItems finds items that are neither a T nor null, whatever the others come to.
func earlyItems[T any](want string) func(Call, Value) error {
	return func(c Call, arg Value) error {
		list, _ := arg.([]any)
		for i, item := range list {
			if item != nil && !mayBe[T](item) {
				return c.fail("item %d must be %s, not %s", i+1, want, what(item))
			}
		}
		return nil
	}
}
