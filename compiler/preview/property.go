package preview

import (
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/resources/catalog"
)

// property is the value that Heat has for a property: converted, with its default, and null where it is not given.
func property(p *catalog.Property, given *value.Map, name string) any {
	v, ok := given.GetStr(name)
	switch {
	case p == nil && ok:
		return v
	case p == nil:
		return absent{}
	case ok:
		return converted(p, v)
	case p.Default != nil:
		return converted(p, nil)
	}
	return absent{}
}

func converted(p *catalog.Property, v any) any {
	if _, later := v.(*Later); later {
		return v
	}
	if v == nil {
		if v = value.From(p.Default); v == nil {
			v = hot.ZeroProperty(p.Type)
		}
	}
	switch x := v.(type) {
	case *value.Map:
		if p.Type != catalog.Map || p.Schema == nil {
			return v
		}
		out := value.NewMap(len(p.Schema))
		for name, sub := range p.Schema {
			if item := property(sub, x, name); item != (absent{}) {
				out.SetStr(name, item)
			}
		}
		return out
	case []any:
		if p.Type != catalog.List || p.Items == nil {
			return v
		}
		out := make([]any, len(x))
		for i, item := range x {
			out[i] = converted(p.Items, item)
		}
		return out
	}
	if out, ok := hot.ConvertProperty(p.Type, v); ok {
		return out
	}
	return v
}

// translated are the properties with the rewrites of names that Heat makes, for example network_id as network.
func translated(d *definition) *value.Map {
	if d.typ == nil || len(d.typ.Translations) == 0 {
		return d.properties
	}
	m := d.properties
	for _, t := range d.typ.Translations {
		if t.Rule != "Replace" || len(t.Custom) > 0 {
			continue
		}
		from, to := t.Source(), t.Path
		switch {
		case len(from) == 1 && len(to) == 1:
			m = renamed(m, from[0], to[0])
		case len(from) == 2 && len(to) == 2 && from[0] == to[0]:
			if v, ok := m.GetStr(to[0]); ok {
				m = m.Clone()
				m.SetStr(to[0], renamedBelow(v, from[1], to[1]))
			}
		}
	}
	return m
}

func renamedBelow(v any, from, to string) any {
	switch x := v.(type) {
	case *value.Map:
		return renamed(x, from, to)
	case []any:
		out := make([]any, len(x))
		for i, item := range x {
			if m, isMap := item.(*value.Map); isMap {
				item = renamed(m, from, to)
			}
			out[i] = item
		}
		return out
	}
	return v
}

// renamed is a map with the value of one key, unless it is null, under another.
func renamed(m *value.Map, from, to string) *value.Map {
	v, ok := m.GetStr(from)
	if !ok || v == nil {
		return m
	}
	out := value.NewMap(m.Len())
	for key, item := range m.All() {
		if key != from && key != to {
			out.SetStr(value.Str(key), item)
		}
	}
	out.SetStr(to, v)
	return out
}
