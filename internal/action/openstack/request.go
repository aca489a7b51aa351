package openstack

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
)

// hole is a place in a path: {input}, {input/}, {a|b}, {input:text}, {!input:text}.
var hole = lazyregexp.New(`\{(!?)([\w.|]+)(/?)(?::([^}]*))?\}`)

// request makes the HTTP call of a line of the table.
func (c *call) request(in *inputs) (request, error) {
	r := request{method: c.method}
	var err error
	if r.path, err = fill(c.path, in); err != nil {
		return r, err
	}
	used := pathInputs(c.path)
	for _, t := range append(append([]term{}, c.query...), c.body.terms...) {
		if t.input != "" {
			used = append(used, t.input)
		}
	}
	r.query = url.Values{}
	for _, t := range c.query {
		addQuery(r.query, t, in, used)
	}
	switch c.body.kind {
	case whole:
		r.body = in.get(c.body.text)
	case plain:
		r.body = in.text(c.body.text)
	case fixed:
		r.body, err = value.ParseJSON(c.body.text)
	case fields:
		m := value.NewMap(0)
		for _, t := range c.body.terms {
			addField(m, t, in, used)
		}
		r.body = m
		if c.body.key != "" {
			r.body = value.MapOf(c.body.key, m)
		}
	}
	return r, err
}

// fill puts inputs into a path. One that is empty, or that would lead elsewhere, is refused.
func fill(path string, in *inputs) (string, error) {
	var failure error
	out := hole().ReplaceAllStringFunc(path, func(text string) string {
		m := hole().FindStringSubmatch(text)
		not, names, slash, literal := m[1] != "", strings.Split(m[2], "|"), m[3] != "", m[4]
		if strings.Contains(text, ":") {
			if in.on(names[0]) != not {
				return literal
			}
			return ""
		}
		for _, name := range names {
			v := in.get(name)
			if v == nil || value.Str(v) == "" {
				continue
			}
			part := value.Str(v)
			if dots(part, slash) {
				failure = fmt.Errorf("%s may not be %q", name, part)
			}
			if !slash {
				return url.PathEscape(part)
			}
			pieces := strings.Split(part, "/")
			for i := range pieces {
				pieces[i] = url.PathEscape(pieces[i])
			}
			return strings.Join(pieces, "/")
		}
		// A hole that has a twin with text is left empty where the twin is.
		if !strings.Contains(path, "{"+names[0]+":") {
			failure = fmt.Errorf("%s is empty", strings.Join(names, " or "))
		}
		return ""
	})
	return out, failure
}

// dots reports whether a part of a path stands for another folder.
func dots(part string, slash bool) bool {
	pieces := []string{part}
	if slash {
		pieces = strings.Split(part, "/")
	}
	for _, p := range pieces {
		if p == "." || p == ".." {
			return true
		}
	}
	return false
}

func pathInputs(path string) []string {
	var out []string
	for _, m := range hole().FindAllStringSubmatch(path, -1) {
		out = append(out, strings.Split(m[2], "|")...)
	}
	return out
}

func addQuery(q url.Values, t term, in *inputs, used []string) {
	switch {
	case t.rest:
		for k, v := range in.rest(used...).All() {
			setQuery(q, value.Str(k), v)
		}
	case t.spread:
		if m, ok := in.get(t.input).(*value.Map); ok {
			for k, v := range m.All() {
				setQuery(q, value.Str(k), v)
			}
		}
	default:
		v := in.get(t.input)
		if t.always && v != nil {
			q.Set(t.as, value.Str(v))
			return
		}
		if in.declared(t.input) && value.Equal(v, in.standard(t.input)) {
			return
		}
		// Ironic counts from one; 0 stands for all.
		if t.input == "limit" && value.Equal(v, int64(0)) {
			return
		}
		setQuery(q, t.as, v)
	}
}

// setQuery writes a value as the Python clients do. Of a list, fields are joined and others repeated.
func setQuery(q url.Values, name string, v any) {
	if v == nil || v == "" {
		return
	}
	list, ok := v.([]any)
	if !ok {
		q.Set(name, value.Str(v))
		return
	}
	var parts []string
	for _, x := range list {
		parts = append(parts, value.Str(x))
	}
	if name == "fields" {
		q.Set(name, strings.Join(parts, ","))
		return
	}
	for _, p := range parts {
		q.Add(name, p)
	}
}

func addField(m *value.Map, t term, in *inputs, used []string) {
	switch {
	case t.rest && t.as == "":
		for k, v := range in.rest(used...).All() {
			m.SetStr(value.Str(k), v)
		}
	case t.rest:
		if rest := in.rest(used...); rest.Len() > 0 {
			m.SetStr(t.as, rest)
		}
	default:
		if v := in.get(t.input); t.always || v != nil && v != "" {
			m.SetStr(t.as, v)
		}
	}
}
