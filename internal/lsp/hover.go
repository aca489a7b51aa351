package lsp

import "slices"

// placeAt is the place of a position; nil where its document is not open, or nothing is known of it.
func (s *snapshot) placeAt(p positionParams) (*place, *view) {
	path, _ := pathOf(p.Document.URI)
	v := s.view(path)
	if v == nil || v.refused != nil {
		return nil, nil
	}
	c := scan(v.text.bytes, v.text.offset(p.Position, s.unit))
	return &place{cursor: &c, m: v.Near(p.Position.Line), snap: s}, v
}

// markupOf is Markdown, or for clients that show none the same as text.
func markupOf(formats []string, text string) *markup {
	kind := "markdown"
	if !slices.Contains(formats, kind) {
		kind = "plaintext"
	}
	return &markup{Kind: kind, Value: text}
}

func hoverAt(s *server, snap *snapshot, p positionParams) (*hover, error) {
	at, v := snap.placeAt(p)
	if at == nil || at.token == "" {
		return nil, nil
	}
	for _, o := range at.offers() {
		doc := o.doc
		switch {
		case o.name != at.token:
			continue
		case o.resource != "":
			doc = at.m.describeType(o.resource)
		case doc == "" && o.detail != "":
			doc = page("`"+o.name+"`", o.detail)
		}
		if doc == "" {
			continue
		}
		return &hover{
			Contents: *markupOf(s.capabilities().TextDocument.Hover.ContentFormat, doc),
			Range:    span{v.text.position(at.start, snap.unit), v.text.position(at.end, snap.unit)},
		}, nil
	}
	return nil, nil
}
