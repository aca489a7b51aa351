package hot

import "slices"

// ComponentKeys lists the keys of a component; in the list form `name` is one more.
func ComponentKeys() []string { return slices.Clone(componentKeys) }

// ComponentTypeKeys lists the keys of a component type.
func ComponentTypeKeys() []string { return slices.Clone(typeKeys) }

// InputKeys and OutputKeys list the keys of an input or output of a component type.
func InputKeys() []string  { return slices.Clone(inputKeys) }
func OutputKeys() []string { return slices.Clone(outputKeys) }

// IOTypes lists the types of inputs and outputs.
func IOTypes() []string { return slices.Clone(cfnTypes) }
