package hot

import "github.com/hotloom/hotloom/compiler/source"

func (l *loader) outputs(section *source.Node) {
	l.definitions(section, func(name, def *source.Node) {
		o := &Output{Name: name, Node: def}
		l.t.Outputs = append(l.t.Outputs, o)
		if !def.Is(source.Map) {
			l.add(outputKind(o))
			return
		}
		for _, p := range def.Pairs {
			switch key := KeyText(p.Key); {
			case key == l.d.oValue:
				o.Value = p.Value
			case key == l.d.oDescription:
				o.Description = p.Value
			case key == l.d.oCondition && contains(l.v.OutputKeys, key):
				o.Condition = p.Value
			default:
				l.add(unknownOutputKey(o, p.Key, key, l.v))
			}
		}
		if o.Value == nil {
			l.add(outputWithoutValue(o, l.d.oValue))
		}
	})
}

// conditions takes over the section, which unlike the others must not be null. What a definition may be,
// compiler/function knows.
func (l *loader) conditions(p *source.Pair) {
	if p == nil {
		return
	}
	if !p.Value.Is(source.Map) {
		l.add(conditionsKind(p))
		return
	}
	l.definitions(p.Value, func(name, def *source.Node) {
		l.t.Conditions = append(l.t.Conditions, &Condition{Name: name, Value: def})
	})
}

// groups takes over parameter_groups. Each name must be that of a parameter, and be in one group only.
func (l *loader) groups(section *source.Node) {
	names := []string{}
	for _, p := range l.t.Parameters {
		names = append(names, p.Name.Text)
	}
	// Heat has no stack name yet where it looks at groups.
	known := set(append(names, l.v.PseudoParameters()[:2]...))
	first := map[string]*source.Node{}
	for _, item := range section.Items {
		if !item.Is(source.Map) {
			l.add(groupKind(item))
			continue
		}
		g := &ParameterGroup{Node: item, Label: item.Get("label"), Description: item.Get("description")}
		l.t.ParameterGroups = append(l.t.ParameterGroups, g)
		list := item.Get("parameters")
		switch {
		case list.IsNull():
			l.add(groupWithoutParameters(item))
			continue
		case !list.Is(source.List):
			l.add(groupParametersKind(list))
			continue
		}
		for _, n := range list.Items {
			if !n.Is(source.String) || !known[n.Text] {
				l.add(groupUnknown(n, names))
				continue
			}
			if seen := first[n.Text]; seen != nil {
				l.add(groupTwice(n, seen))
				continue
			}
			first[n.Text] = n
			g.Parameters = append(g.Parameters, n)
		}
	}
}
