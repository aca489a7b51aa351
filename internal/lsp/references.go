package lsp

// under is the occurrence at a position; ok is false where none is.
func (v *view) under(p position) (at occurrence, all []occurrence, ok bool) {
	m := v.Meaning()
	if v.refused != nil || v.Kind() == "" || m.broken {
		return at, nil, false
	}
	all = m.occurrences()
	offset := v.text.offset(p, v.snap.unit)
	for _, o := range all {
		if v.text.place(o.at.Start) <= offset && offset <= v.text.place(o.at.End) {
			return o, all, true
		}
	}
	return at, all, false
}

// same are the occurrences of the same name.
func same(o occurrence, all []occurrence) []occurrence {
	var out []occurrence
	for _, x := range all {
		if x.space == o.space && x.name == o.name {
			out = append(out, x)
		}
	}
	return out
}

func referencesAt(s *server, snap *snapshot, p referenceParams) ([]location, error) {
	out := []location{}
	path, _ := pathOf(p.Document.URI)
	v := snap.view(path)
	if v == nil {
		return out, nil
	}
	o, all, ok := v.under(p.Position)
	if !ok {
		return out, nil
	}
	for _, x := range same(o, all) {
		if !x.definition || p.Context.IncludeDeclaration {
			out = append(out, location{URI: v.uri, Range: v.text.span(x.at, snap.unit)})
		}
	}
	return out, nil
}

func highlightsAt(_ *server, snap *snapshot, p positionParams) ([]documentHighlight, error) {
	out := []documentHighlight{}
	path, _ := pathOf(p.Document.URI)
	v := snap.view(path)
	if v == nil {
		return out, nil
	}
	o, all, ok := v.under(p.Position)
	if !ok {
		return out, nil
	}
	for _, x := range same(o, all) {
		kind := highlightRead
		if x.definition {
			kind = highlightWrite
		}
		out = append(out, documentHighlight{Range: v.text.span(x.at, snap.unit), Kind: kind})
	}
	return out, nil
}
