package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
)

// maxProfile is the largest profile file in bytes that is read: some 50 times what a real cloud gives.
const maxProfile = 64 << 20

// shown is one answer of Heat's `GET /resource_types/{type}`.
type shown struct {
	ResourceType string                     `json:"resource_type"`
	Properties   map[string]*shownProperty  `json:"properties"`
	Attributes   map[string]*shownAttribute `json:"attributes"`
	Support      struct {
		Status  Status `json:"status"`
		Version string `json:"version"`
	} `json:"support_status"`
}

type shownProperty struct {
	Type        Kind                      `json:"type"`
	Required    bool                      `json:"required"`
	Update      bool                      `json:"update_allowed"`
	Immutable   bool                      `json:"immutable"`
	Default     any                       `json:"default"`
	Constraints []Constraint              `json:"constraints"`
	Schema      map[string]*shownProperty `json:"schema"` // a list's items under "*"
}

type shownAttribute struct {
	Type Kind `json:"type"`
}

// LoadProfile reads the types of a real cloud from a file.
//
// The file is JSON: one answer of Heat's resource-type-show, a list of them, or an object whose `types` is such a
// list or a map from name to answer. Types of the file replace the catalog's; where the answer cannot tell a thing
// (hidden properties and attributes, whether attributes are dynamic, lifecycle steps), what the catalog knows of a type of that
// name stays. Types that are not in the file do not exist, except those that Heat hides.
func LoadProfile(path string) (*Catalog, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("profile: %w", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > maxProfile {
		return nil, fmt.Errorf("profile %s: %d bytes, the limit is %d", path, info.Size(), maxProfile)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("profile: %w", err)
	}
	c, err := ParseProfile(text)
	if err != nil {
		return nil, fmt.Errorf("profile %s: %w", path, err)
	}
	return c, nil
}

// ParseProfile is LoadProfile of a text.
func ParseProfile(text []byte) (*Catalog, error) {
	answers, err := parseAnswers(text)
	if err != nil {
		return nil, err
	}
	cloud, err := parseCloud(text)
	if err != nil {
		return nil, err
	}
	base := For(Any)
	c := &Catalog{cloud: cloud, release: Any, index: base.index, lines: map[string][]byte{}, types: map[string]*Type{}}
	for _, a := range answers {
		if a == nil || a.ResourceType == "" {
			return nil, errors.New("an entry has no resource_type")
		}
		c.types[a.ResourceType] = a.typeOf(base.Type(a.ResourceType))
	}
	for _, name := range base.names {
		if t := base.Type(name); c.types[name] == nil && (t.Support.Status == Hidden || t.Loose) {
			c.types[name] = t // Heat lists neither hidden types nor aliases, yet has them
		}
	}
	for name := range c.types {
		c.names = append(c.names, name)
	}
	slices.Sort(c.names)
	return c, nil
}

func parseAnswers(text []byte) ([]*shown, error) {
	var list []*shown
	if json.Unmarshal(text, &list) == nil {
		return list, nil
	}
	var file struct {
		shown
		Types json.RawMessage `json:"types"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("not JSON as resource-type-show gives it: %w", err)
	}
	if file.Types == nil {
		return []*shown{&file.shown}, nil
	}
	if json.Unmarshal(file.Types, &list) == nil {
		return list, nil
	}
	var byName map[string]*shown
	if err := json.Unmarshal(file.Types, &byName); err != nil {
		return nil, fmt.Errorf("types: %w", err)
	}
	for name, a := range byName {
		if a == nil {
			return nil, fmt.Errorf("types: %s is null", name)
		}
		a.ResourceType = name
		list = append(list, a)
	}
	return list, nil
}

// typeOf makes a type of the answer; known is the catalog's own definition, or nil.
func (a *shown) typeOf(known *Type) *Type {
	t := &Type{
		Name: a.ResourceType, Captured: true, Properties: shownProperties(a.Properties),
		Attributes: make(map[string]*Attribute, len(a.Attributes)),
		Support:    Support{Status: a.Support.Status, Version: a.Support.Version},
	}
	for name, attr := range a.Attributes {
		t.Attributes[name] = &Attribute{}
		if attr != nil {
			t.Attributes[name].Type = attr.Type
		}
	}
	if known == nil {
		t.DynamicAttributes, t.Snapshot = true, true // a plug-in of the cloud's own: its class cannot be seen
		return t
	}
	for name, p := range known.Properties {
		if t.Properties[name] == nil && p.Support.Status == Hidden {
			t.Properties[name] = p
		} else if q := t.Properties[name]; q != nil {
			q.Support = p.Support
		}
	}
	for name, a := range known.Attributes {
		if t.Attributes[name] == nil && a.Support.Status == Hidden {
			t.Attributes[name] = a
		}
	}
	t.UpdatePolicy, t.Handles, t.Ref, t.Translations = known.UpdatePolicy, known.Handles, known.Ref, known.Translations
	t.DynamicAttributes, t.OwnValidate, t.Placeholder = known.DynamicAttributes, known.OwnValidate, known.Placeholder
	t.Service, t.Extension, t.NameLimit, t.Snapshot = known.Service, known.Extension, known.NameLimit, known.Snapshot
	t.Support.Replacement = known.Support.Replacement
	return t
}

func shownProperties(in map[string]*shownProperty) map[string]*Property {
	if in == nil {
		return nil
	}
	out := make(map[string]*Property, len(in))
	for name, p := range in {
		if p == nil {
			p = &shownProperty{Type: Anything}
		}
		out[name] = p.property()
	}
	return out
}

func (p *shownProperty) property() *Property {
	q := &Property{
		Type: p.Type, Required: p.Required, Update: p.Update, Immutable: p.Immutable, Default: p.Default,
		Constraints: p.Constraints,
	}
	if items := p.Schema["*"]; items != nil && len(p.Schema) == 1 {
		q.Items = items.property()
	} else if len(p.Schema) > 0 {
		q.Schema = shownProperties(p.Schema)
	}
	return q
}
