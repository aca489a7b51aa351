package plain

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
)

// SourceMap leads from places in an emitted template to the author's text. A place that has no entry has that of the
// nearest place above it.
type SourceMap struct {
	Version  int       `json:"version"`
	Mappings []Mapping `json:"mappings"`

	index map[string]int
}

// Mapping is one place: the file of the output, the way from its root in the form in which Heat names places
// (resources.web.properties.networks.0), and the position that caused it.
type Mapping struct {
	File   string `json:"file"`
	Path   string `json:"path"`
	Source string `json:"source"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// Find gives the position of a place, or that of the nearest place above it, or the zero Location.
func (m *SourceMap) Find(file, path string) diag.Location {
	if m.index == nil {
		m.index = make(map[string]int, len(m.Mappings))
		for i, e := range m.Mappings {
			m.index[e.File+"\x00"+e.Path] = i
		}
	}
	for {
		if i, ok := m.index[file+"\x00"+path]; ok {
			e := m.Mappings[i]
			at := diag.Pos{Line: e.Line, Column: e.Column}
			return diag.Location{Path: e.Source, Start: at, End: at}
		}
		if path == "" {
			return diag.Location{}
		}
		for i := len(path) - 1; ; i-- {
			if i <= 0 {
				path = ""
				break
			}
			if path[i] == '.' {
				path = path[:i]
				break
			}
		}
	}
}

// mapSource notes every place of the tree whose position differs from that of the place above it.
func mapSource(file string, root *source.Node) *SourceMap {
	m := &SourceMap{Version: 1}
	var walk func(n *source.Node, path string, above diag.Location)
	visit := func(n *source.Node, path, key string, at, above diag.Location) {
		if path != "" {
			key = path + "." + key
		}
		if at.Start != (diag.Pos{}) && (at.Path != above.Path || at.Start != above.Start) {
			m.Mappings = append(m.Mappings, Mapping{file, key, at.Path, at.Start.Line, at.Start.Column})
			above = at
		}
		walk(n, key, above)
	}
	walk = func(n *source.Node, path string, above diag.Location) {
		for i, item := range n.Items {
			visit(item, path, strconv.Itoa(i), item.At(), above)
		}
		for _, p := range n.Pairs {
			visit(p.Value, path, p.Key.Text, p.Key.At(), above)
		}
	}
	walk(root, "", diag.Location{})
	return m
}

// encode writes the map as JSON, one mapping a line, so that a diff of two outputs can be read.
func (m *SourceMap) encode() []byte {
	b := make([]byte, 0, 64+120*len(m.Mappings))
	b = append(b, `{"version":`...)
	b = strconv.AppendInt(b, int64(m.Version), 10)
	b = append(b, `,"mappings":[`...)
	for i, e := range m.Mappings {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(append(b, "\n{\"file\":"...), e.File)
		b = appendString(append(b, `,"path":`...), e.Path)
		b = appendString(append(b, `,"source":`...), e.Source)
		b = strconv.AppendInt(append(b, `,"line":`...), int64(e.Line), 10)
		b = strconv.AppendInt(append(b, `,"column":`...), int64(e.Column), 10)
		b = append(b, '}')
	}
	return append(b, "\n]}\n"...)
}

func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			quoted, err := json.Marshal(s)
			if err != nil {
				panic(err) // a string
			}
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}
