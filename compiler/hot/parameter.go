package hot

import "github.com/hotloom/hotloom/compiler/source"

// ParameterType is the type of a parameter. CFN's type names are read as HOT's.
type ParameterType string

// The parameter types.
const (
	String             ParameterType = "string"
	Number             ParameterType = "number"
	CommaDelimitedList ParameterType = "comma_delimited_list"
	JSON               ParameterType = "json"
	Boolean            ParameterType = "boolean"
)

// Constraint is one item of a parameter's constraints. Of the fields only those of its kind are set.
type Constraint struct {
	Kind        string       // length, range, modulo, allowed_values, allowed_pattern, custom_constraint
	Node        *source.Node // the item
	Value       *source.Node // what stands under the kind's key
	Description *source.Node // replaces Heat's own error text
}
