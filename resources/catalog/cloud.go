package catalog

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Cloud is what a captured profile tells of a cloud beside its types. What was not captured is nil or empty: nothing is
// known of it.
type Cloud struct {
	Version  int       `json:"version"` // of the file's form: 1
	Captured time.Time `json:"captured,omitzero"`
	Endpoint string    `json:"endpoint,omitempty"` // of Keystone
	Region   string    `json:"region,omitempty"`
	Build    string    `json:"build,omitempty"` // Heat's build_info

	TemplateVersions []TemplateVersion `json:"template_versions,omitempty"`
	Plugins          []string          `json:"plugins,omitempty"` // types that no Heat release has
	Limits           *Limits           `json:"limits,omitempty"`
	Names            *Names            `json:"names,omitempty"`
	// Incomplete says what could not be captured, and why.
	Incomplete []string `json:"incomplete,omitempty"`
}

// TemplateVersion is a version of templates that a cloud takes, such as heat_template_version.2021-04-16.
type TemplateVersion struct {
	Name               string   `json:"name"`
	Aliases            []string `json:"aliases,omitempty"`
	Functions          []string `json:"functions,omitempty"`
	ConditionFunctions []string `json:"condition_functions,omitempty"`
}

// Limits are a project's quotas and what is used of them. Nil is without limit, or not known.
type Limits struct {
	Instances *Quota `json:"instances,omitempty"`
	Cores     *Quota `json:"cores,omitempty"`
	RAM       *Quota `json:"ram_mib,omitempty"`
}

// Quota is one limit.
type Quota struct {
	Max  int64 `json:"max"`
	Used int64 `json:"used"`
}

// Names are the flavors, images and networks that a project may use. A nil list was not captured.
type Names struct {
	Flavors  []Flavor `json:"flavors,omitempty"`
	Images   []Named  `json:"images,omitempty"`
	Networks []Named  `json:"networks,omitempty"`
}

// Named is a thing with a name, which need not be the only one of that name.
type Named struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Flavor is a size of servers.
type Flavor struct {
	Named
	Cores int64 `json:"vcpus"`
	RAM   int64 `json:"ram_mib"`
	Disk  int64 `json:"disk_gib"`
}

// Has reports whether a thing is known by a name or id. Known is false where the kind (flavor, image, network) was not captured.
func (n *Names) Has(kind, nameOrID string) (has, known bool) {
	if n == nil {
		return false, false
	}
	all := n.all(kind)
	return slices.ContainsFunc(all, func(x Named) bool { return x.ID == nameOrID || x.Name == nameOrID }), all != nil
}

// All lists the names of a kind.
func (n *Names) All(kind string) []string {
	var out []string
	for _, x := range n.all(kind) {
		out = append(out, x.Name)
	}
	return out
}

func (n *Names) all(kind string) []Named {
	switch {
	case n == nil:
	case kind == "flavor":
		var out []Named
		for _, f := range n.Flavors {
			out = append(out, f.Named)
		}
		return out
	case kind == "image":
		return n.Images
	case kind == "network":
		return n.Networks
	}
	return nil
}

// Flavor finds a flavor, or nil.
func (n *Names) Flavor(nameOrID string) *Flavor {
	if n == nil {
		return nil
	}
	for i, f := range n.Flavors {
		if f.ID == nameOrID || f.Name == nameOrID {
			return &n.Flavors[i]
		}
	}
	return nil
}

// Takes reports whether the cloud knows a template version by its key and name. Known is false where versions were not
// captured.
func (c *Cloud) Takes(key, name string) (takes, known bool) {
	if c == nil || len(c.TemplateVersions) == 0 {
		return false, false
	}
	for _, v := range c.TemplateVersions {
		if v.Name == key+"."+name || slices.Contains(v.Aliases, key+"."+name) {
			return true, true
		}
	}
	return false, true
}

// VersionNames are the names of the versions that a cloud takes, without the key.
func (c *Cloud) VersionNames(key string) []string {
	var out []string
	for _, v := range c.TemplateVersions {
		if name, ok := strings.CutPrefix(v.Name, key+"."); ok {
			out = append(out, name)
		}
	}
	return out
}

// Profile is a whole profile as a file has it.
type Profile struct {
	Cloud
	// Types are Heat's own answers to resource-type-show by name.
	Types map[string]json.RawMessage `json:"types"`
}

// Encode writes the file.
func (p *Profile) Encode() ([]byte, error) {
	text, err := json.MarshalIndent(p, "", " ")
	return append(text, '\n'), err
}

// parseCloud reads what a profile has beside its types; answers of Heat's alone have none of it.
func parseCloud(text []byte) (*Cloud, error) {
	c := &Cloud{}
	if trimmed := strings.TrimSpace(string(text)); !strings.HasPrefix(trimmed, "{") {
		return c, nil
	}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, fmt.Errorf("not a profile: %w", err)
	}
	if c.Version > 1 {
		return nil, fmt.Errorf("the profile is of version %d, and this hotloom reads version 1: take a newer one, or capture again", c.Version)
	}
	return c, nil
}
