package typed

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
)

// Describer completes the schema that was made of the tags: what tags cannot say (nested update policies, support
// statuses, attributes with dynamic names) is set here.
type Describer interface{ Describe(t *catalog.Type) }

// field is one tagged field of a struct.
type field struct {
	index    []int
	property string // "" where it is none
	attr     string
}

// layout is how a struct's fields and a schema belong together.
type layout struct {
	fields     []field
	properties map[string]*catalog.Property
	attributes map[string]*catalog.Attribute
}

// layoutOf reads the tags of a struct:
//
//	hot:"NAME,required,update,immutable,secret,unimplemented"   a property; the words are optional
//	attr:"NAME,secret,nocache"                                  an attribute
//	doc:"…" default:"JSON or text" allowed:"a,b" pattern:"…" range:"1..10" length:"1..255" modulo:"STEP,OFFSET"
//	custom:"nova.flavor" status:"DEPRECATED" since:"2.0" instead:"what to use"
//
// A range or length may leave out either bound. On a list, range, pattern and custom are of the items, allowed of
// either; length is of the list. Embedded structs count as if their fields stood here.
func layoutOf(t reflect.Type) (*layout, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("%s is no struct", t)
	}
	l := &layout{properties: map[string]*catalog.Property{}, attributes: map[string]*catalog.Attribute{}}
	return l, l.add(t, nil, map[reflect.Type]bool{t: true})
}

func (l *layout) add(t reflect.Type, index []int, open map[reflect.Type]bool) error {
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(slices.Clone(index), i)
		hot, isProperty := f.Tag.Lookup("hot")
		attr, isAttribute := f.Tag.Lookup("attr")
		switch {
		case f.Anonymous && f.Type.Kind() == reflect.Struct && !isProperty && !isAttribute:
			if err := l.add(f.Type, at, open); err != nil {
				return err
			}
			continue
		case !isProperty && !isAttribute:
			continue
		case !f.IsExported():
			return fmt.Errorf("field %s has a tag but is not exported", f.Name)
		}
		fl := field{index: at}
		if isProperty {
			p, name, err := propertyOf(f, hot, open)
			if err == nil && l.properties[name] != nil {
				err = fmt.Errorf("property %s is there twice", name)
			}
			if err != nil {
				return fmt.Errorf("field %s: %w", f.Name, err)
			}
			l.properties[name], fl.property = p, name
		}
		if isAttribute {
			name, words := splitTag(attr)
			a := &catalog.Attribute{Type: attributeKind(f.Type), Description: f.Tag.Get("doc"), Support: supportOf(f.Tag)}
			for _, w := range words {
				switch w {
				case "secret":
					a.Secret = true
				case "nocache":
					a.NoCache = true
				default:
					return fmt.Errorf("field %s: attr has no word %q; there are secret and nocache", f.Name, w)
				}
			}
			if name == "" || l.attributes[name] != nil {
				return fmt.Errorf("field %s: attribute name %q is empty or there twice", f.Name, name)
			}
			l.attributes[name], fl.attr = a, name
		}
		l.fields = append(l.fields, fl)
	}
	return nil
}

func splitTag(tag string) (string, []string) {
	parts := strings.Split(tag, ",")
	return strings.TrimSpace(parts[0]), parts[1:]
}

func propertyOf(f reflect.StructField, tag string, open map[reflect.Type]bool) (*catalog.Property, string, error) {
	name, words := splitTag(tag)
	if name == "" {
		return nil, "", fmt.Errorf("the property has no name")
	}
	p, err := schemaOf(f.Type, open)
	if err != nil {
		return nil, "", err
	}
	for _, w := range words {
		switch w {
		case "required":
			p.Required = true
		case "update":
			p.Update = true
		case "immutable":
			p.Immutable = true
		case "secret":
			p.Secret = true
		case "unimplemented":
			p.Unimplemented = true
		default:
			return nil, "", fmt.Errorf("hot has no word %q; there are required, update, immutable, secret and unimplemented", w)
		}
	}
	if p.Update && p.Immutable {
		return nil, "", fmt.Errorf("a property cannot be both update and immutable")
	}
	p.Description, p.Support = f.Tag.Get("doc"), supportOf(f.Tag)
	if err := constrain(p, f.Tag); err != nil {
		return nil, "", err
	}
	if text, ok := f.Tag.Lookup("default"); ok {
		if err := setDefault(p, text); err != nil {
			return nil, "", err
		}
	}
	return p, name, nil
}

// schemaOf is the schema that a Go type amounts to.
func schemaOf(t reflect.Type, open map[reflect.Type]bool) (*catalog.Property, error) {
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem(), open)
	case reflect.String:
		return &catalog.Property{Type: catalog.String}, nil
	case reflect.Bool:
		return &catalog.Property{Type: catalog.Boolean}, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return &catalog.Property{Type: catalog.Integer}, nil
	case reflect.Float32, reflect.Float64:
		return &catalog.Property{Type: catalog.Number}, nil
	case reflect.Interface:
		return &catalog.Property{Type: catalog.Anything}, nil
	case reflect.Slice:
		items, err := schemaOf(t.Elem(), open)
		if items != nil && items.Type == catalog.Anything {
			items = nil // a list of whatever: Heat's list without a schema
		}
		return &catalog.Property{Type: catalog.List, Items: items}, err
	case reflect.Map:
		if t.Key().Kind() != reflect.String {
			return nil, fmt.Errorf("%s: the keys of a map must be strings", t)
		}
		return &catalog.Property{Type: catalog.Map}, nil
	case reflect.Struct:
		if open[t] {
			return nil, fmt.Errorf("%s contains itself", t)
		}
		open[t] = true
		defer delete(open, t)
		l := &layout{properties: map[string]*catalog.Property{}, attributes: map[string]*catalog.Attribute{}}
		err := l.add(t, nil, open)
		return &catalog.Property{Type: catalog.Map, Schema: l.properties}, err
	}
	return nil, fmt.Errorf("%s cannot be a property", t)
}

func attributeKind(t reflect.Type) catalog.Kind {
	p, err := schemaOf(t, map[reflect.Type]bool{})
	if err != nil || p.Type == catalog.Anything {
		return "" // unknown
	}
	return p.Type
}

func supportOf(tag reflect.StructTag) catalog.Support {
	return catalog.Support{
		Status: catalog.Status(tag.Get("status")), Version: tag.Get("since"), Message: tag.Get("instead"),
	}
}

// constrain adds what the tags say of values.
func constrain(p *catalog.Property, tag reflect.StructTag) error {
	inner := p
	if p.Items != nil {
		inner = p.Items
	}
	if text, ok := tag.Lookup("range"); ok {
		b, err := boundsOf(text)
		if err != nil {
			return err
		}
		inner.Constraints = append(inner.Constraints, catalog.Constraint{Range: b})
	}
	if text, ok := tag.Lookup("length"); ok {
		b, err := boundsOf(text)
		if err != nil {
			return err
		}
		p.Constraints = append(p.Constraints, catalog.Constraint{Length: b})
	}
	if text, ok := tag.Lookup("allowed"); ok {
		var values []any
		for _, word := range strings.Split(text, ",") {
			v, err := valueOf(inner.Type, strings.TrimSpace(word))
			if err != nil {
				return fmt.Errorf("allowed: %w", err)
			}
			values = append(values, v)
		}
		inner.Constraints = append(inner.Constraints, catalog.Constraint{AllowedValues: values})
	}
	if text, ok := tag.Lookup("pattern"); ok {
		inner.Constraints = append(inner.Constraints, catalog.Constraint{AllowedPattern: &text})
	}
	if text, ok := tag.Lookup("modulo"); ok {
		step, offset, _ := strings.Cut(text, ",")
		m := &catalog.Modulo{}
		var err error
		if m.Step, err = strconv.ParseFloat(strings.TrimSpace(step), 64); err != nil || m.Step == 0 {
			return fmt.Errorf("modulo %q is not STEP,OFFSET", text)
		}
		if offset != "" {
			if m.Offset, err = strconv.ParseFloat(strings.TrimSpace(offset), 64); err != nil {
				return fmt.Errorf("modulo %q is not STEP,OFFSET", text)
			}
		}
		inner.Constraints = append(inner.Constraints, catalog.Constraint{Modulo: m})
	}
	if text, ok := tag.Lookup("custom"); ok {
		inner.Constraints = append(inner.Constraints, catalog.Constraint{Custom: text})
	}
	return nil
}

func boundsOf(text string) (*catalog.Bounds, error) {
	low, high, ok := strings.Cut(text, "..")
	if !ok || low == "" && high == "" {
		return nil, fmt.Errorf("%q is not MIN..MAX", text)
	}
	b := &catalog.Bounds{}
	for _, side := range []struct {
		text string
		into **float64
	}{{low, &b.Min}, {high, &b.Max}} {
		if side.text == "" {
			continue
		}
		f, err := strconv.ParseFloat(side.text, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not MIN..MAX", text)
		}
		*side.into = &f
	}
	return b, nil
}

func setDefault(p *catalog.Property, text string) error {
	if p.Required {
		return fmt.Errorf("a required property has no use for a default")
	}
	v, err := valueOf(p.Type, text)
	if err != nil {
		return fmt.Errorf("default: %w", err)
	}
	if _, faults := resources.CheckValues(map[string]*catalog.Property{"default": p}, resources.Values{"default": v}); faults != nil {
		return fmt.Errorf("%s", faults[0])
	}
	p.Default = v
	return nil
}

// valueOf reads a tag's text as a value: of strings the text itself, JSON of all else.
func valueOf(k catalog.Kind, text string) (any, error) {
	if k == catalog.String {
		return text, nil
	}
	return resources.Decode([]byte(text))
}
