package hot

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/resources/catalog"
)

// ConvertProperty gives what a text, number or boolean comes to as the value of a property of a kind, as Heat's properties
// convert it. ok is false for what does not fit. For kinds of other values v stays as it is.
func ConvertProperty(kind catalog.Kind, v any) (out any, ok bool) {
	text, isText := v.(string)
	switch kind {
	case catalog.String:
		if isText {
			return v, true
		}
		return value.Str(v), true
	case catalog.Integer:
		n, err := value.ToInt(v)
		return n, err == nil
	case catalog.Number:
		if !isText {
			return v, true
		}
		if n, err := value.ParseInt(text); err == nil {
			return n, true
		}
		n, err := value.ParseFloat(text)
		return n, err == nil
	case catalog.Boolean:
		if !isText {
			return v, true
		}
		switch strings.ToLower(text) {
		case "true":
			return true, true
		case "false":
			return false, true
		}
		return nil, false
	}
	return v, true
}

// ZeroProperty is what null stands for where a property of a kind has no default.
func ZeroProperty(kind catalog.Kind) any {
	switch kind {
	case catalog.String:
		return ""
	case catalog.Integer, catalog.Number:
		return int64(0)
	case catalog.Boolean:
		return false
	case catalog.List:
		return []any{}
	case catalog.Map:
		return value.NewMap(0)
	}
	return nil
}
