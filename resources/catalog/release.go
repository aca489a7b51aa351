package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Release is a Heat release, or Any. The catalog has recorded two; those between are derived from the versions that
// the newer one gives for each type and property.
type Release struct {
	major int // of the version number; 0 is Any
}

// The releases that were recorded, and the union of the two.
var (
	Any    = Release{}
	Oldest = Release{19} // Zed
	Newest = Release{27} // the development line at the time of recording
)

var codenames = [...]string{"zed", "antelope", "bobcat", "caracal", "dalmatian", "epoxy", "flamingo", "gazpacho"}

// ParseRelease reads a release as users name it: a version number (19.0.0, 22), a code name (zed), newest or any.
func ParseRelease(s string) (Release, error) {
	switch word := strings.ToLower(strings.TrimSpace(s)); word {
	case "any", "":
		return Any, nil
	case "newest", "latest", "master":
		return Newest, nil
	default:
		if i := slices.Index(codenames[:], word); i >= 0 {
			return Release{Oldest.major + i}, nil
		}
		first, _, _ := strings.Cut(word, ".")
		if n, err := strconv.Atoi(first); err == nil && n >= Oldest.major && n <= Newest.major {
			return Release{n}, nil
		}
	}
	return Release{}, fmt.Errorf("unknown Heat release %q: want %d.0.0 to %d.0.0, one of %s, newest or any",
		s, Oldest.major, Newest.major, strings.Join(codenames[:], ", "))
}

// Number is the major version number; Any counts as the oldest release.
func (r Release) Number() int {
	if r == Any {
		return Oldest.major
	}
	return r.major
}

func (r Release) String() string {
	switch r {
	case Any:
		return "any"
	case Newest:
		return "newest"
	}
	return fmt.Sprintf("%d.0.0", r.major)
}

// number is the major number of a version such as 21.0.0; the dated ones of 2015 and before count as 0.
func number(version string) int {
	first, _, _ := strings.Cut(strings.TrimSpace(version), ".")
	n, _ := strconv.Atoi(first)
	if n > 2000 {
		return 0
	}
	return n
}

// choose is the definition of a recorded type in the release, nil where it has none.
func (r Release) choose(rec record) *Type {
	switch {
	case r == Any:
		return union(rec)
	case r.major <= Oldest.major:
		if rec.Added {
			return nil
		}
		if rec.Old != nil {
			return rec.Old
		}
		return rec.New
	case rec.Added && number(rec.New.Support.Version) > r.major:
		return nil
	case rec.Old != nil && rec.New.Placeholder && placeholderSince(rec) > r.major:
		return rec.Old
	}
	for name, p := range rec.New.Properties {
		if number(p.Since) > r.major {
			delete(rec.New.Properties, name)
		}
	}
	return rec.New
}

// placeholderSince is the major version that made a type a placeholder; where the newer release does not tell, its own.
func placeholderSince(rec record) int {
	if n := number(rec.New.Support.Version); n > Oldest.major {
		return n
	}
	return Newest.major
}

// union is a type that accepts what either recorded release accepts. Of a type that became a placeholder, the
// working definition is kept: a template that only the placeholder accepts does nothing.
func union(rec record) *Type {
	switch {
	case rec.Old == nil:
		return rec.New
	case rec.New.Placeholder:
		rec.Old.PlaceholderSince = "a later release"
		if since := placeholderSince(rec); since < Newest.major {
			rec.Old.PlaceholderSince = Release{since}.String()
		}
		rec.Old.Support = rec.New.Support
		return rec.Old
	}
	rec.New.Properties = unionProperties(rec.Old.Properties, rec.New.Properties)
	for name, a := range rec.Old.Attributes {
		if rec.New.Attributes[name] == nil {
			rec.New.Attributes[name] = a
		}
	}
	return rec.New
}

func unionProperties(older, newer map[string]*Property) map[string]*Property {
	out := make(map[string]*Property, len(newer))
	for name, n := range newer {
		o := older[name]
		if o == nil {
			n.Only = cmp.Or(n.Since, Newest.String())
			n.Required = false
			out[name] = n
			continue
		}
		out[name] = unionProperty(o, n)
	}
	for name, o := range older {
		if newer[name] == nil {
			o.Only, o.Required = Oldest.String(), false
			out[name] = o
		}
	}
	return out
}

func unionProperty(o, n *Property) *Property {
	n.Required = n.Required && o.Required
	n.Constraints = unionConstraints(o.Constraints, n.Constraints)
	if n.Schema != nil && o.Schema != nil {
		n.Schema = unionProperties(o.Schema, n.Schema)
	} else {
		n.Schema = nil // one of the two accepts any map
	}
	if n.Items != nil && o.Items != nil {
		n.Items = unionProperty(o.Items, n.Items)
	} else {
		n.Items = nil
	}
	return n
}

// unionConstraints keeps what both releases demand: an allowed value of either is allowed.
func unionConstraints(o, n []Constraint) []Constraint {
	var out []Constraint
	for _, c := range n {
		for _, d := range o {
			switch {
			case c.AllowedValues != nil && d.AllowedValues != nil:
				for _, v := range d.AllowedValues {
					if !slices.Contains(c.AllowedValues, v) {
						c.AllowedValues = append(c.AllowedValues, v)
					}
				}
				out = append(out, c)
			case c.same(d):
				out = append(out, c)
			}
		}
	}
	return out
}

func (c Constraint) same(d Constraint) bool {
	equal := func(a, b *Bounds) bool {
		same := func(x, y *float64) bool { return x == nil && y == nil || x != nil && y != nil && *x == *y }
		return a == nil && b == nil || a != nil && b != nil && same(a.Min, b.Min) && same(a.Max, b.Max)
	}
	return c.AllowedValues == nil && d.AllowedValues == nil && c.Custom == d.Custom &&
		equal(c.Range, d.Range) && equal(c.Length, d.Length) &&
		(c.AllowedPattern == nil) == (d.AllowedPattern == nil) &&
		(c.AllowedPattern == nil || *c.AllowedPattern == *d.AllowedPattern)
}
