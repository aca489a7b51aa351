package hot

import (
	"github.com/hotloom/hotloom/compiler/source"
)

// Environment is one environment file, or several merged. Keys are String nodes.
type Environment struct {
	Root       *source.Node
	Parameters []source.Pair
	Defaults   []source.Pair // parameter_defaults
}

// Parameter is the value under parameters, or nil.
func (e *Environment) Parameter(name string) *source.Node { return pairValue(e.Parameters, name) }

// Default is the value under parameter_defaults, or nil.
func (e *Environment) Default(name string) *source.Node { return pairValue(e.Defaults, name) }

func pairValue(pairs []source.Pair, name string) *source.Node {
	for _, p := range pairs {
		if p.Key.Text == name {
			return p.Value
		}
	}
	return nil
}
