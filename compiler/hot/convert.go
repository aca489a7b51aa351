package hot

import (
	"errors"
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
)

// strToNum reads a number as Heat does: numbers and booleans are taken as they are, text as int() and then float()
// read it.
func strToNum(v any) (any, error) {
	switch v := v.(type) {
	case bool: // a number to Python
		return v, nil
	case string:
		n, err := value.ParseInt(v)
		if err == nil {
			return n, nil
		}
		f, err := value.ParseFloat(v)
		return f, err
	}
	if n, err := value.ToFloatValue(v); err != nil || n == nil {
		return nil, err
	}
	return v, nil
}

// strToBool reads a boolean as oslo's strict reading does.
func strToBool(v any) (bool, error) {
	if b, ok := v.(bool); ok {
		return b, nil
	}
	switch strings.ToLower(value.Strip(value.Str(v))) {
	case "1", "t", "true", "on", "y", "yes":
		return true, nil
	case "0", "f", "false", "off", "n", "no":
		return false, nil
	}
	return false, errors.New("is not a boolean: true or false, yes or no, on or off, t or f, y or n, 1 or 0")
}

// Convert gives a parameter of type t its value from what a user, an environment or a default gave, as Heat converts
// it. The error completes the sentence "the value …".
func Convert(t ParameterType, v any) (any, error) {
	switch t {
	case Number:
		n, err := strToNum(v)
		if err != nil {
			return nil, errors.New("is not a number")
		}
		return n, nil
	case Boolean:
		b, err := strToBool(v)
		return b, err
	case CommaDelimitedList:
		switch v := v.(type) {
		case []any:
			list := make([]any, len(v))
			for i, item := range v {
				list[i] = value.Str(item)
			}
			return list, nil
		case string:
			return splitList(v), nil
		}
		return nil, errors.New("is neither a list nor a text of items separated by commas")
	case JSON:
		s, ok := v.(string)
		if !ok || s == "" {
			return v, nil
		}
		parsed, err := value.ParseJSON(s)
		if err != nil {
			return nil, errors.New("is not valid JSON: " + err.Error())
		}
		return parsed, nil
	}
	return value.Str(v), nil
}

// splitList splits at commas without trimming. Empty text is no item.
func splitList(s string) []any {
	list := []any{}
	if s == "" {
		return list
	}
	for _, item := range strings.Split(s, ",") {
		list = append(list, item)
	}
	return list
}
