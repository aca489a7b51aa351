package resources

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// Decode reads a JSON value as the plain kinds of Values: whole numbers that int64 holds become int64, others float64.
func Decode(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	if d.More() {
		return nil, fmt.Errorf("not JSON: more than one value")
	}
	return plainNumbers(v)
}

// DecodeValues reads a JSON object; empty text and null give nil.
func DecodeValues(text []byte) (Values, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	v, err := Decode(text)
	if err != nil || v == nil {
		return nil, err
	}
	m, ok := v.(Values)
	if !ok {
		return nil, fmt.Errorf("not a JSON object but %T", v)
	}
	return m, nil
}

// Plain turns any Go value that JSON can say into the plain kinds of Values.
func Plain(v any) (any, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return Decode(text)
}

func plainNumbers(v any) (any, error) {
	var err error
	switch x := v.(type) {
	case json.Number:
		if !strings.ContainsAny(x.String(), ".eE") {
			if i, err := x.Int64(); err == nil {
				return i, nil
			}
		}
		f, err := x.Float64()
		if err != nil || math.IsInf(f, 0) {
			return nil, fmt.Errorf("number %s is too large", x)
		}
		return f, nil
	case []any:
		for i := range x {
			if x[i], err = plainNumbers(x[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for k := range x {
			if x[k], err = plainNumbers(x[k]); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}
