package typed

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/hotloom/hotloom/resources"
)

// fill sets the fields of a struct that stand for properties. Values were checked against the schema before, so a value
// that does not fit is left out rather than an error: it comes from an older version of the type.
func (l *layout) fill(into reflect.Value, values resources.Values) {
	for _, f := range l.fields {
		if v, ok := values[f.property]; ok && f.property != "" && v != nil {
			set(into.FieldByIndex(f.index), v)
		}
	}
}

// restore sets the fields that stand for attributes.
func (l *layout) restore(into reflect.Value, values resources.Values) {
	for _, f := range l.fields {
		if v, ok := values[f.attr]; ok && f.attr != "" && v != nil && f.property == "" {
			set(into.FieldByIndex(f.index), v)
		}
	}
}

// collect gives the attributes of a struct.
func (l *layout) collect(from reflect.Value) (resources.Values, error) {
	if len(l.attributes) == 0 {
		return nil, nil
	}
	out := resources.Values{}
	for _, f := range l.fields {
		if f.attr == "" {
			continue
		}
		v, err := get(from.FieldByIndex(f.index))
		if err != nil {
			return nil, fmt.Errorf("attribute %s: %w", f.attr, err)
		}
		out[f.attr] = v
	}
	return out, nil
}

func set(into reflect.Value, v any) {
	switch into.Kind() {
	case reflect.Pointer:
		fresh := reflect.New(into.Type().Elem())
		set(fresh.Elem(), v)
		into.Set(fresh)
	case reflect.Interface:
		if v != nil && reflect.TypeOf(v).Implements(into.Type()) {
			into.Set(reflect.ValueOf(v))
		}
	case reflect.String:
		if s, ok := v.(string); ok {
			into.SetString(s)
		}
	case reflect.Bool:
		if b, ok := v.(bool); ok {
			into.SetBool(b)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if n, ok := whole(v); ok && !into.OverflowInt(n) {
			into.SetInt(n)
		}
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		if n, ok := whole(v); ok && n >= 0 && !into.OverflowUint(uint64(n)) {
			into.SetUint(uint64(n))
		}
	case reflect.Float32, reflect.Float64:
		switch n := v.(type) {
		case float64:
			into.SetFloat(n)
		case int64:
			into.SetFloat(float64(n))
		}
	case reflect.Slice:
		items, ok := v.([]any)
		if !ok {
			return
		}
		out := reflect.MakeSlice(into.Type(), len(items), len(items))
		for i, item := range items {
			if item != nil {
				set(out.Index(i), item)
			}
		}
		into.Set(out)
	case reflect.Map:
		m, ok := v.(map[string]any)
		if !ok {
			return
		}
		out := reflect.MakeMapWithSize(into.Type(), len(m))
		for key, item := range m {
			e := reflect.New(into.Type().Elem()).Elem()
			if item != nil {
				set(e, item)
			}
			out.SetMapIndex(reflect.ValueOf(key).Convert(into.Type().Key()), e)
		}
		into.Set(out)
	case reflect.Struct:
		if m, ok := v.(map[string]any); ok {
			fillStruct(into, m)
		}
	}
}

func whole(v any) (int64, bool) {
	switch n := v.(type) {
	case int64:
		return n, true
	case float64:
		return int64(n), n == float64(int64(n))
	}
	return 0, false
}

// fillStruct fills a nested struct by its tags.
func fillStruct(into reflect.Value, m resources.Values) {
	t := into.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			fillStruct(into.Field(i), m)
			continue
		}
		tag := f.Tag.Get("hot")
		if tag == "" {
			tag = f.Tag.Get("attr")
		}
		name, _, _ := strings.Cut(tag, ",")
		if v, ok := m[name]; ok && name != "" && v != nil {
			set(into.Field(i), v)
		}
	}
}

// get turns a field into a plain value: nested structs by their tags, all else as JSON has it.
func get(v reflect.Value) (any, error) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil, nil
		}
		return get(v.Elem())
	case reflect.Struct:
		out := resources.Values{}
		t := v.Type()
		tagged := false
		for i := range t.NumField() {
			tag := t.Field(i).Tag
			name, _, _ := strings.Cut(tag.Get("attr")+tag.Get("hot"), ",")
			if name == "" {
				continue
			}
			tagged = true
			item, err := get(v.Field(i))
			if err != nil {
				return nil, err
			}
			out[name] = item
		}
		if tagged {
			return out, nil
		}
	case reflect.Slice:
		if v.IsNil() {
			return nil, nil
		}
		out := make([]any, v.Len())
		for i := range out {
			item, err := get(v.Index(i))
			if err != nil {
				return nil, err
			}
			out[i] = item
		}
		return out, nil
	case reflect.Map:
		if v.IsNil() {
			return nil, nil
		}
		out := make(resources.Values, v.Len())
		for _, key := range v.MapKeys() {
			item, err := get(v.MapIndex(key))
			if err != nil {
				return nil, err
			}
			out[key.String()] = item
		}
		return out, nil
	}
	return resources.Plain(v.Interface())
}
