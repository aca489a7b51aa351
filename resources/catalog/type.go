package catalog

import "encoding/json"

// Type is the definition of one resource type.
type Type struct {
	Name         string                `json:"-"`
	Description  string                `json:"description,omitempty"`
	Properties   map[string]*Property  `json:"properties,omitempty"`
	Attributes   map[string]*Attribute `json:"attributes,omitempty"`
	UpdatePolicy map[string]*Property  `json:"update_policy,omitempty"`
	Support      Support               `json:"support,omitzero"`
	// Handles are the lifecycle steps that the type has code for: create, update, delete, check, suspend, resume,
	// signal, snapshot, snapshot_delete and so on. Nil where unknown.
	Handles []string `json:"handles,omitempty"`
	// Snapshot: the deletion policy Snapshot is accepted.
	Snapshot bool `json:"snapshot,omitempty"`
	// Ref says what get_resource gives: "" the physical id or name, "name" the resource's name, "id", "special".
	Ref string `json:"ref,omitempty"`
	// DynamicAttributes: any attribute name passes Heat's validation.
	DynamicAttributes bool `json:"dynamic_attributes,omitempty"`
	// OwnValidate: the type's class makes checks that the schema does not express.
	OwnValidate bool `json:"own_validate,omitempty"`
	// Placeholder: the type accepts any property and does nothing.
	Placeholder bool `json:"placeholder,omitempty"`
	// PlaceholderSince is the release that made the type a placeholder, where another known release still has it.
	PlaceholderSince string        `json:"placeholder_since,omitempty"`
	Translations     []Translation `json:"translations,omitempty"`
	Service          string        `json:"service,omitempty"`    // client, for example neutron
	Extension        string        `json:"extension,omitempty"`  // service extension that must be there
	NameLimit        int           `json:"name_limit,omitempty"` // characters in a physical name, 0: 255
	// Loose: the properties are a nested template's parameters, which take more forms (text for a list).
	Loose bool `json:"loose,omitempty"`
	// Captured: from a profile, which does not tell hidden properties, own checks or dynamic attributes.
	Captured bool `json:"-"`
}

// Kind is the type of a property's value, by Heat's name for it.
type Kind string

// The kinds. An empty Kind of an attribute is unknown.
const (
	String   Kind = "string"
	Integer  Kind = "integer"
	Number   Kind = "number"
	Boolean  Kind = "boolean"
	List     Kind = "list"
	Map      Kind = "map"
	Anything Kind = "any"
)

// Property is the schema of one property or of a part of one.
type Property struct {
	Type          Kind                 `json:"type"`
	Description   string               `json:"description,omitempty"`
	Secret        bool                 `json:"secret,omitempty"` // its value must not be shown
	Required      bool                 `json:"required,omitempty"`
	Update        bool                 `json:"update,omitempty"`        // may change without replacing the resource
	Immutable     bool                 `json:"immutable,omitempty"`     // may not change at all
	Unimplemented bool                 `json:"unimplemented,omitempty"` // accepted, does nothing
	Default       any                  `json:"default,omitempty"`
	Constraints   []Constraint         `json:"constraints,omitempty"`
	Schema        map[string]*Property `json:"schema,omitempty"` // of a map's entries
	Items         *Property            `json:"items,omitempty"`  // of a list's items
	Since         string               `json:"since,omitempty"`  // release that brought it
	Support       Support              `json:"support,omitzero"`
	Only          string               `json:"only,omitempty"` // the one known release that has it
}

// Attribute is one attribute.
type Attribute struct {
	Type        Kind    `json:"type,omitempty"`
	Description string  `json:"description,omitempty"`
	Secret      bool    `json:"secret,omitempty"`   // its value must not be shown
	NoCache     bool    `json:"no_cache,omitempty"` // changes by itself: ask each time
	Since       string  `json:"since,omitempty"`
	Support     Support `json:"support,omitzero"`
}

// Status is how far Heat stands behind a type or property.
type Status string

// The statuses. The zero Status is Supported.
const (
	Supported   Status = "SUPPORTED"
	Deprecated  Status = "DEPRECATED"
	Hidden      Status = "HIDDEN"
	Unsupported Status = "UNSUPPORTED"
)

// Support is a support status.
type Support struct {
	Status      Status   `json:"status,omitempty"`
	Version     string   `json:"version,omitempty"` // release of this status
	Message     string   `json:"message,omitempty"` // what to do instead
	Replacement []string `json:"replacement,omitempty"`
}

// Old reports whether new templates should avoid the thing.
func (s Support) Old() bool { return s.Status == Deprecated || s.Status == Hidden }

// Constraint is one condition on a value; exactly one of its kinds is set.
type Constraint struct {
	AllowedValues  []any   `json:"allowed_values,omitempty"`
	AllowedPattern *string `json:"allowed_pattern,omitempty"`
	Range          *Bounds `json:"range,omitempty"`
	Length         *Bounds `json:"length,omitempty"`
	Modulo         *Modulo `json:"modulo,omitempty"`
	Custom         string  `json:"custom_constraint,omitempty"`
	Description    string  `json:"description,omitempty"`
}

// Bounds are inclusive; nil is no bound.
type Bounds struct {
	Min *float64 `json:"min,omitempty"`
	Max *float64 `json:"max,omitempty"`
}

// Modulo is value % step == offset.
type Modulo struct {
	Step   float64 `json:"step"`
	Offset float64 `json:"offset"`
}

// Translation is a rewrite that Heat makes before it checks properties, for example network_id → network.
type Translation struct {
	Rule string `json:"rule"` // Replace, Add, Delete, Resolve
	// Path leads to the property that gets the value.
	Path []string `json:"path"`
	// ValuePath leads to the property that is replaced; where only ValueName is set, it stands beside Path's end.
	ValuePath []string `json:"value_path,omitempty"`
	ValueName string   `json:"value_name,omitempty"`
	// Custom is the path below Path's parent's sibling ValueName.
	Custom []string `json:"custom_value_path,omitempty"`
	Finder string   `json:"finder,omitempty"`
}

// Source is the full path of the property whose value is taken over.
func (t Translation) Source() []string {
	if t.ValueName != "" {
		path := append([]string(nil), t.Path[:len(t.Path)-1]...)
		return append(path, t.ValueName)
	}
	return t.ValuePath
}

// HasHandle reports whether the type has code for a lifecycle step; true where that is unknown.
func (t *Type) HasHandle(step string) bool {
	if t.Handles == nil {
		return true
	}
	for _, h := range t.Handles {
		if h == step {
			return true
		}
	}
	return false
}

// Property walks the schema along map keys and "*" for list items; nil where the way ends.
func (t *Type) Property(path ...string) *Property {
	if len(path) == 0 {
		return nil
	}
	p := t.Properties[path[0]]
	for _, step := range path[1:] {
		if p == nil {
			return nil
		}
		if step == "*" {
			p = p.Items
		} else {
			p = p.Schema[step]
		}
	}
	return p
}

var _ json.Marshaler = Support{}

// MarshalJSON leaves the status out where it is the usual one.
func (s Support) MarshalJSON() ([]byte, error) {
	type plain Support
	if s.Status == Supported {
		s.Status = ""
	}
	return json.Marshal(plain(s))
}

// IsZero reports whether there is nothing to tell.
func (s Support) IsZero() bool {
	return (s.Status == "" || s.Status == Supported) && s.Version == "" && s.Message == "" && len(s.Replacement) == 0
}
