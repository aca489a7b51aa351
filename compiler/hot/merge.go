package hot

import (
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

// mergeStrategies are what parameter_merge_strategies may say. The first is the standard.
var mergeStrategies = []string{"overwrite", "merge", "deep_merge"}

// MergeEnvironments puts environment files together as heat-engine does when the stock client sends them, later ones on
// top. schema knows the parameters of the template and of those nested in it: once an earlier file has given
// anything, names that it does not know are dropped. The environment is never nil.
func MergeEnvironments(files []*Environment, schema func(name string) *Parameter) (*Environment, diag.List) {
	if len(files) == 1 {
		return files[0], nil
	}
	m := &merger{out: &Environment{Registry: &Registry{}}, schema: schema, chosen: map[string]string{}}
	var registry []source.Pair
	var origin *source.Node
	var client *source.Node
	for _, e := range files {
		if e.Root.Is(source.Map) {
			m.clientConflicts(client, e.Root)
			client = UpdateDeep(client, e.Root)
		}
		m.out.Root = e.Root
		m.out.Parameters = m.parameters(m.out.Parameters, e.Parameters, e)
		m.out.Defaults = m.parameters(m.out.Defaults, e.Defaults, e)
		if e.Registry.Node != nil {
			registry, origin = mergePairs(registry, e.Registry.Node.Pairs), e.Registry.Node
		}
		m.out.EventSinks = m.list(m.out.EventSinks, e.EventSinks, envSinks)
		m.out.Encrypted = m.list(m.out.Encrypted, e.Encrypted, envEncrypted)
	}
	if registry != nil {
		l := &loader{} // each file's own faults are reported already
		merged := source.NewMap(origin, registry...)
		m.out.Registry = l.registry(&source.Pair{Key: source.NewString(origin, envRegistry), Value: merged})
	}
	return m.out, m.found
}

// mergePairs puts new entries over old ones; null changes nothing, unless there is nothing old.
func mergePairs(old, new []source.Pair) []source.Pair {
	if len(old) == 0 {
		return slices.Clone(new)
	}
	for _, p := range new {
		if !p.Value.IsNull() {
			old = setPair(old, p)
		}
	}
	return old
}

func setPair(pairs []source.Pair, p source.Pair) []source.Pair {
	key := KeyText(p.Key)
	for i := range pairs {
		if KeyText(pairs[i].Key) == key {
			pairs[i] = p
			return pairs
		}
	}
	return append(pairs, p)
}

type merger struct {
	out    *Environment
	schema func(string) *Parameter
	chosen map[string]string // strategy of each parameter seen so far
	found  diag.List
}

// clientConflicts finds where heatclient, which merges all environments for itself too, fails: a map goes over what is
// none.
func (m *merger) clientConflicts(old, new *source.Node) {
	for _, p := range new.Pairs {
		before := old.Get(KeyText(p.Key))
		if !p.Value.Is(source.Map) || before.IsNull() {
			continue
		}
		if before.Is(source.Map) {
			m.clientConflicts(before, p.Value)
		} else if len(p.Value.Pairs) > 0 {
			m.found.Add(mapOverOther(p, before))
		}
	}
}

// list takes over a section that is a list. Heat cannot merge two.
func (m *merger) list(old, new *source.Node, section string) *source.Node {
	if new == nil {
		return old
	}
	if old != nil {
		m.found.Add(secondListSection(new, old, section))
	}
	return new
}

func (m *merger) parameters(old, new []source.Pair, e *Environment) []source.Pair {
	if len(new) == 0 {
		return old
	}
	for _, p := range new {
		if p.Value.IsNull() || m.schema(p.Key.Text) == nil {
			continue
		}
		strategy := m.strategy(p.Key.Text, e)
		switch first, seen := m.chosen[p.Key.Text]; {
		case !seen:
			m.chosen[p.Key.Text] = strategy
		case first != strategy:
			m.found.Add(conflictingStrategy(p.Key, first, strategy))
		}
	}
	if len(old) == 0 {
		return slices.Clone(new)
	}
	for _, p := range new {
		param := m.schema(p.Key.Text)
		switch {
		case p.Value.IsNull():
		case param == nil:
			m.found.Add(droppedParameter(p.Key))
		case m.chosen[p.Key.Text] != "merge" && m.chosen[p.Key.Text] != "deep_merge":
			old = setPair(old, p)
		default:
			merged, err := mergeValue(param.Type, pairValue(old, p.Key.Text), p.Value, m.chosen[p.Key.Text] == "deep_merge")
			if err != "" {
				m.found.Add(cannotMerge(p, param, m.chosen[p.Key.Text], err))
				continue
			}
			old = setPair(old, source.Pair{Key: p.Key, Value: merged})
		}
	}
	return old
}

// strategy is what a file says of a parameter: its own word, else what was chosen before, else its default.
func (m *merger) strategy(name string, e *Environment) string {
	standard := "overwrite"
	if d := e.Strategies.Get("default"); d != nil {
		standard = d.Str()
	}
	own := e.Strategies.Get(name)
	switch {
	case own != nil && contains(mergeStrategies, own.Str()):
		return own.Str()
	case own == nil && contains(mergeStrategies, m.chosen[name]):
		return m.chosen[name]
	}
	return standard
}

// mergeValue merges a parameter's values. The second result says why Heat cannot.
func mergeValue(t ParameterType, old, new *source.Node, deep bool) (*source.Node, string) {
	switch t {
	case JSON:
		oldMap, err := jsonNode(old)
		if err != "" {
			return nil, err
		}
		newMap, err := jsonNode(new)
		if err != "" {
			return nil, err
		}
		if !Truthy(oldMap) {
			return newMap, ""
		}
		if !oldMap.Is(source.Map) || !newMap.Is(source.Map) {
			return nil, "only maps can be merged"
		}
		return mergeMaps(oldMap, newMap, deep), ""
	case CommaDelimitedList:
		return mergeLists(old, new)
	case String:
		if !new.Is(source.String) || old != nil && !old.Is(source.String) {
			return nil, "only strings can be joined"
		}
		return source.NewString(new, old.Str()+new.Text), ""
	case Number: // Heat refuses numbers here and then tries to add their texts
		if new.Is(source.String) && old.Is(source.String) {
			return source.NewString(new, old.Text+new.Text), ""
		}
		return nil, "Heat cannot add numbers here, in spite of its documentation"
	}
	return nil, "values of this type cannot be merged"
}

// jsonNode reads JSON text; other values are taken as they are.
func jsonNode(n *source.Node) (*source.Node, string) {
	if !n.Is(source.String) || n.Text == "" {
		return n, ""
	}
	v, err := value.ParseJSON(n.Text)
	if err != nil {
		return nil, "the value is not valid JSON: " + err.Error()
	}
	return NodeOf(n, v), ""
}

func mergeLists(old, new *source.Node) (*source.Node, string) {
	switch {
	case !new.Is(source.List) && !new.Is(source.String):
		return nil, "only lists can be joined"
	case !Truthy(old):
		return new, ""
	case new.Is(source.List) && old.Is(source.List):
		return source.NewList(new, append(slices.Clone(old.Items), new.Items...)...), ""
	case new.Is(source.String) && old.Is(source.String):
		return source.NewString(new, old.Text+","+new.Text), ""
	}
	return nil, "a list and a text cannot be joined"
}

// mergeMaps puts new over old. Deep: maps in it are merged, lists and texts joined.
func mergeMaps(old, new *source.Node, deep bool) *source.Node {
	pairs := slices.Clone(old.Pairs)
	for _, p := range new.Pairs {
		if p.Value.IsNull() {
			continue
		}
		before := old.Get(KeyText(p.Key))
		if deep {
			switch {
			case p.Value.Is(source.Map) && before.Is(source.Map) && len(before.Pairs) > 0:
				p.Value = mergeMaps(before, p.Value, deep)
			case p.Value.Is(source.List) && before.Is(source.List):
				p.Value = source.NewList(p.Value, append(slices.Clone(before.Items), p.Value.Items...)...)
			case p.Value.Is(source.String) && before.Is(source.String):
				p.Value = source.NewString(p.Value, before.Text+p.Value.Text)
			}
		}
		pairs = setPair(pairs, p)
	}
	return source.NewMap(new, pairs...)
}

// UpdateDeep puts environments together as heatclient itself does for its own view of them: maps are merged to any
// depth, everything else is replaced, and null does not replace a map.
func UpdateDeep(old, new *source.Node) *source.Node {
	if !old.Is(source.Map) {
		old = source.NewMap(new)
	}
	pairs := slices.Clone(old.Pairs)
	for _, p := range new.Pairs {
		before := old.Get(KeyText(p.Key))
		switch {
		case p.Value.Is(source.Map):
			p.Value = UpdateDeep(before, p.Value)
		case p.Value.IsNull() && before.Is(source.Map):
			continue
		}
		pairs = setPair(pairs, p)
	}
	return source.NewMap(new, pairs...)
}

// NodeOf makes a node of a value at origin's place, the reverse of ValueOf.
func NodeOf(origin *source.Node, v any) *source.Node {
	switch v := v.(type) {
	case nil:
		return source.NewNull(origin)
	case bool:
		return source.NewBool(origin, v)
	case int64:
		return source.NewInt(origin, v)
	case string:
		return source.NewString(origin, v)
	case []any:
		items := make([]*source.Node, len(v))
		for i, x := range v {
			items[i] = NodeOf(origin, x)
		}
		return source.NewList(origin, items...)
	case *value.Map:
		pairs := make([]source.Pair, 0, v.Len())
		for k, x := range v.All() {
			pairs = append(pairs, source.Pair{Key: NodeOf(origin, k), Value: NodeOf(origin, x)})
		}
		return source.NewMap(origin, pairs...)
	}
	n := source.NewNull(origin) // a float or a large integer
	n.Kind, n.Scalar, n.Text = source.Int, v, strings.TrimSpace(value.Str(v))
	if _, isFloat := v.(float64); isFloat {
		n.Kind = source.Float
	}
	return n
}
