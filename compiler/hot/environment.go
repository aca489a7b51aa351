package hot

import (
	"slices"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
)

// Environment is one environment file, or several merged. Fields are nil where absent.
type Environment struct {
	Root       *source.Node
	Parameters []source.Pair // keys are String nodes
	Defaults   []source.Pair // parameter_defaults; keys are String nodes
	Registry   *Registry     // resource_registry; never nil
	Strategies *source.Node  // parameter_merge_strategies
	EventSinks *source.Node
	Encrypted  *source.Node // encrypted_param_names
}

// The sections of an environment.
const (
	envParameters = "parameters"
	envDefaults   = "parameter_defaults"
	envRegistry   = "resource_registry"
	envEncrypted  = "encrypted_param_names"
	envSinks      = "event_sinks"
	envStrategies = "parameter_merge_strategies"
)

// EnvironmentSections are the keys that an environment may have.
var EnvironmentSections = []string{envParameters, envDefaults, envRegistry, envEncrypted, envSinks, envStrategies}

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

// LoadEnvironment reads one environment file and finds what heatclient and Heat refuse about it. The environment is
// never nil.
func LoadEnvironment(root *source.Node) (*Environment, diag.List) {
	l := &loader{}
	e := &Environment{Root: root}
	if root != nil && root.Kind != source.Map {
		l.add(environmentNotMap(root))
		root = nil
	}
	if root != nil {
		for _, p := range root.Pairs {
			switch name := KeyText(p.Key); {
			case !contains(EnvironmentSections, name):
				l.add(unknownEnvironmentSection(p.Key, name))
			case p.Value.IsNull():
				l.add(emptyEnvironmentSection(p.Key, name))
			}
		}
	}
	e.Parameters = l.environmentMap(root, envParameters)
	e.Defaults = l.environmentMap(root, envDefaults)
	e.Registry = l.registry(root.Pair(envRegistry))
	e.EventSinks = l.eventSinks(root.Get(envSinks))
	if names := root.Get(envEncrypted); Truthy(names) {
		e.Encrypted = names
	}
	if p := root.Pair(envStrategies); p != nil && !p.Value.IsNull() {
		if p.Value.Is(source.Map) {
			e.Strategies = p.Value
			l.strategies(p.Value)
		} else {
			d := environmentSectionKind(p, "a map from parameter to strategy")
			if !anyValue(e.Parameters) && !anyValue(e.Defaults) {
				d.Severity = diag.Warning // nothing makes Heat look at it
			}
			l.add(d)
		}
	}
	l.found.Sort()
	return e, l.found
}

// environmentMap is the entries of a section that maps parameter names to values.
func (l *loader) environmentMap(root *source.Node, name string) []source.Pair {
	p := root.Pair(name)
	if p == nil || !Truthy(p.Value) {
		return nil
	}
	if !p.Value.Is(source.Map) {
		l.add(environmentSectionKind(p, "a map from parameter to value"))
		return nil
	}
	return stringKeys(p.Value.Pairs)
}

func anyValue(pairs []source.Pair) bool {
	return slices.ContainsFunc(pairs, func(p source.Pair) bool { return !p.Value.IsNull() })
}

// stringKeys is pairs with keys as JSON has them.
func stringKeys(pairs []source.Pair) []source.Pair {
	out := make([]source.Pair, 0, len(pairs))
	for _, p := range pairs {
		if !p.Key.Is(source.String) {
			p.Key = source.NewString(p.Key, KeyText(p.Key))
		}
		out = append(out, p)
	}
	return out
}

// strategies warns of names that mean nothing: Heat takes the default for a strategy that it does not know.
func (l *loader) strategies(n *source.Node) {
	for _, p := range n.Pairs {
		if !contains(mergeStrategies, p.Value.Str()) {
			l.add(unknownStrategy(p.Value))
		}
	}
}

// eventSinks checks the list of receivers of events. Heat has one kind.
func (l *loader) eventSinks(n *source.Node) *source.Node {
	if !Truthy(n) {
		return nil
	}
	if !n.Is(source.List) {
		l.add(eventSinksKind(n))
		return nil
	}
	for _, item := range n.Items {
		switch {
		case !item.Is(source.Map):
			l.add(eventSinkKind(item))
			continue
		case item.Get("type").Str() != "zaqar-queue":
			l.add(eventSinkType(item))
		case item.Pair("target") == nil:
			l.add(eventSinkTarget(item))
		}
		for _, p := range item.Pairs {
			if key := KeyText(p.Key); !contains([]string{"type", "target", "ttl"}, key) {
				l.add(eventSinkKey(p.Key, key))
			}
		}
	}
	return n
}
