package hot

// index finds the parts of a template by name.
type index struct {
	parameters map[string]*Parameter
	conditions map[string]*Condition
	resources  map[string]*Resource
	outputs    map[string]*Output
	types      map[string]*ComponentType
}

// Parameter finds a parameter by name, or nil.
func (t *Template) Parameter(name string) *Parameter { return t.names.parameters[name] }

// Condition finds a condition by name, or nil.
func (t *Template) Condition(name string) *Condition { return t.names.conditions[name] }

// Resource finds a resource by name, or nil.
func (t *Template) Resource(name string) *Resource { return t.names.resources[name] }

// Output finds an output by name, or nil.
func (t *Template) Output(name string) *Output { return t.names.outputs[name] }

// ComponentType finds a component type of the template's own section by name, or nil.
func (t *Template) ComponentType(name string) *ComponentType { return t.names.types[name] }

// Component finds a component of the resource by name, or nil.
func (r *Resource) Component(name string) *Component {
	for _, c := range r.Components {
		if c.Name.Str() == name {
			return c
		}
	}
	return nil
}

// Reindex makes the look-up methods know what the slices hold now; for code that builds or changes templates.
// Of equal names the last counts, as in Heat's mappings.
func (t *Template) Reindex() {
	t.names = index{
		parameters: make(map[string]*Parameter, len(t.Parameters)),
		conditions: make(map[string]*Condition, len(t.Conditions)),
		resources:  make(map[string]*Resource, len(t.Resources)),
		outputs:    make(map[string]*Output, len(t.Outputs)),
		types:      make(map[string]*ComponentType, len(t.ComponentTypes)),
	}
	for _, p := range t.Parameters {
		t.names.parameters[p.Name.Text] = p
	}
	for _, c := range t.Conditions {
		t.names.conditions[c.Name.Text] = c
	}
	for _, r := range t.Resources {
		t.names.resources[r.Name.Text] = r
	}
	for _, o := range t.Outputs {
		t.names.outputs[o.Name.Text] = o
	}
	for _, c := range t.ComponentTypes {
		t.names.types[c.Name.Text] = c
	}
}
