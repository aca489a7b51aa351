package hot

import "slices"

// Format is the dialect of a template.
type Format uint8

// The formats.
const (
	HOT Format = iota // heat_template_version
	CFN               // AWSTemplateFormatVersion and HeatTemplateFormatVersion
)

// Version is what one template version knows, as the class of Heat's that is registered for it. Versions are
// immutable and compared by identity.
type Version struct {
	Key     string   // the version key in the template
	Name    string   // its value, e.g. "2018-08-31"
	Aliases []string // other values for the same, e.g. "rocky"
	Format  Format
	Since   int // ordinal among HOT versions, 0 for the oldest and for CFN

	Sections      []string
	ResourceKeys  []string
	OutputKeys    []string
	ParameterKeys []string
	Constraints   []string // constraint keys of a parameter, in the order in which Heat looks for them

	Functions          []string // live in values
	ConditionFunctions []string // live in conditions; nil: the version has no conditions
	Removed            []string // names that are refused: functions of older versions

	functions, conditionFunctions, removed map[string]bool
}

// HasFunction reports whether name is a live function in values.
func (v *Version) HasFunction(name string) bool { return v.functions[name] }

// HasConditionFunction reports whether name is a live function in conditions.
func (v *Version) HasConditionFunction(name string) bool { return v.conditionFunctions[name] }

// HasRemoved reports whether using name as a function is refused because older versions had it.
func (v *Version) HasRemoved(name string) bool { return v.removed[name] }

// HasConditions reports whether the version knows conditions.
func (v *Version) HasConditions() bool { return v.ConditionFunctions != nil }

// AtLeast reports whether v is a HOT version not older than the named one.
func (v *Version) AtLeast(name string) bool {
	w := LookupVersion(HOTKey, name)
	return v.Format == HOT && w != nil && v.Since >= w.Since
}

// The version keys.
const (
	HOTKey  = "heat_template_version"
	AWSKey  = "AWSTemplateFormatVersion"
	HeatKey = "HeatTemplateFormatVersion"
)

// Versions is the registry of template versions: HOT oldest first, then CFN.
var Versions = buildVersions()

// Newest is the newest HOT version; documents of unknown version are read as if they were of it.
var Newest = LookupVersion(HOTKey, "2021-04-16")

// LookupVersion finds a version by its key and its value or alias, or nil.
func LookupVersion(key, value string) *Version {
	for _, v := range Versions {
		if v.Key == key && (v.Name == value || slices.Contains(v.Aliases, value)) {
			return v
		}
	}
	return nil
}

// VersionOf is the template's version, or the newest where it is unknown.
func (t *Template) VersionOf() *Version {
	if t == nil || t.Version == nil {
		return Newest
	}
	return t.Version
}

// step says what a version adds to the one before it.
type step struct {
	name, alias                        string
	sections, resource, output, params []string
	constraints                        []string // replaces
	functions, conditions, removed     []string
}

var hotSteps = []step{
	{
		name:     "2013-05-23",
		sections: []string{HOTKey, "description", "parameter_groups", "parameters", "resources", "outputs"},
		resource: []string{"type", "properties", "metadata", "depends_on", "deletion_policy", "update_policy", "description"},
		output:   []string{"description", "value"},
		params: []string{
			"type", "label", "description", "default", "hidden", "constraints", "immutable", "schema",
		},
		constraints: []string{"range", "length", "allowed_values", "allowed_pattern", "custom_constraint"},
		functions: []string{
			"get_param", "get_resource", "get_attr", "get_file", "list_join", "str_replace", "resource_facade",
			"Ref", "Fn::GetAZs", "Fn::Select", "Fn::Join", "Fn::Split", "Fn::Replace", "Fn::Base64",
			"Fn::MemberListToMap", "Fn::ResourceFacade",
		},
	},
	{
		name: "2014-10-16",
		removed: []string{
			"Ref", "Fn::GetAZs", "Fn::Join", "Fn::Split", "Fn::Replace", "Fn::Base64", "Fn::MemberListToMap",
			"Fn::ResourceFacade",
		},
	},
	{name: "2015-04-30", functions: []string{"digest", "repeat"}},
	{name: "2015-10-15", functions: []string{"str_split"}, removed: []string{"Fn::Select"}},
	{name: "2016-04-08", functions: []string{"map_merge"}},
	{
		name: "2016-10-14", alias: "newton",
		sections:   []string{"conditions"},
		resource:   []string{"external_id", "condition"},
		output:     []string{"condition"},
		functions:  []string{"yaql", "map_replace", "if"},
		conditions: []string{"get_param", "equals", "not", "and", "or"},
	},
	{
		name: "2017-02-24", alias: "ocata",
		constraints: []string{"modulo", "range", "length", "allowed_values", "allowed_pattern", "custom_constraint"},
		functions:   []string{"filter", "str_replace_strict"},
	},
	{
		name: "2017-09-01", alias: "pike",
		functions:  []string{"make_url", "list_concat", "list_concat_unique", "str_replace_vstrict", "contains"},
		conditions: []string{"yaql", "contains"},
	},
	{name: "2018-03-02", alias: "queens", params: []string{"tags"}},
	{name: "2018-08-31", alias: "rocky"},
	{name: "2021-04-16", alias: "wallaby"},
}

func buildVersions() []*Version {
	var out []*Version
	cur := Version{Key: HOTKey, Format: HOT}
	for i, s := range hotSteps {
		v := cur
		v.Name, v.Since = s.name, i
		v.Aliases = nil
		if s.alias != "" {
			v.Aliases = []string{s.alias}
		}
		v.Sections = extend(v.Sections, s.sections)
		v.ResourceKeys = extend(v.ResourceKeys, s.resource)
		v.OutputKeys = extend(v.OutputKeys, s.output)
		v.ParameterKeys = extend(v.ParameterKeys, s.params)
		if s.constraints != nil {
			v.Constraints = s.constraints
		}
		v.Functions = slices.DeleteFunc(append(slices.Clone(v.Functions), s.functions...), func(f string) bool {
			return slices.Contains(s.removed, f)
		})
		v.ConditionFunctions = extend(v.ConditionFunctions, s.conditions)
		v.Removed = extend(v.Removed, s.removed)
		cur = v
		out = append(out, v.indexed())
	}
	return append(out, cfnVersions()...)
}

func cfnVersions() []*Version {
	heat := Version{
		Key: HeatKey, Name: "2012-12-12", Format: CFN,
		Sections:     []string{HeatKey, "Description", "Mappings", "Parameters", "Resources", "Outputs"},
		ResourceKeys: []string{"Type", "Properties", "Metadata", "DependsOn", "DeletionPolicy", "UpdatePolicy", "Description"},
		OutputKeys:   []string{"Value", "Description"},
		ParameterKeys: []string{
			"Type", "Default", "NoEcho", "AllowedValues", "AllowedPattern", "MaxLength", "MinLength", "MaxValue",
			"MinValue", "Description", "ConstraintDescription", "Label",
		},
		Functions: []string{
			"Fn::FindInMap", "Fn::GetAZs", "Ref", "Fn::GetAtt", "Fn::Select", "Fn::Join", "Fn::Split", "Fn::Replace",
			"Fn::Base64", "Fn::MemberListToMap", "Fn::ResourceFacade",
		},
	}
	aws := heat
	aws.Key, aws.Name = AWSKey, "2010-09-09"
	aws.Sections = append([]string{AWSKey, "Conditions"}, heat.Sections[1:]...)
	aws.ResourceKeys = extend(heat.ResourceKeys, []string{"Condition"})
	aws.OutputKeys = extend(heat.OutputKeys, []string{"Condition"})
	aws.Functions = extend(heat.Functions, []string{"Fn::If"})
	aws.ConditionFunctions = []string{"Fn::Equals", "Ref", "Fn::FindInMap", "Fn::Not", "Fn::And", "Fn::Or"}
	return []*Version{aws.indexed(), heat.indexed()}
}

// indexed returns v with its look-up sets made.
func (v Version) indexed() *Version {
	v.functions, v.conditionFunctions, v.removed = set(v.Functions), set(v.ConditionFunctions), set(v.Removed)
	return &v
}

func extend(base, more []string) []string {
	if len(more) == 0 {
		return slices.Clip(base)
	}
	return append(slices.Clone(base), more...)
}

func set(names []string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}
