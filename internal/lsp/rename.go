package lsp

import (
	"errors"
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
)

// renamable are the spaces whose names mean nothing outside their document. A parameter is named in environments and by
// templates that nest this one, a task in expressions.
func renamable(s space) bool {
	return slices.Contains([]space{resourceNames, conditionNames}, s) || strings.HasPrefix(string(s), string(componentNames))
}

var errNoRename = errors.New("only resources, conditions and components can be renamed: other names are used outside this document, or in expressions")

func (v *view) renamed(p position) (occurrence, []occurrence, error) {
	o, all, ok := v.under(p)
	if !ok || !renamable(o.space) {
		return o, nil, &jsonrpc2.Error{Code: codeRequestFailed, Message: errNoRename.Error()}
	}
	list := same(o, all)
	if !slices.ContainsFunc(list, func(x occurrence) bool { return x.definition }) {
		return o, nil, &jsonrpc2.Error{Code: codeRequestFailed, Message: "nothing has the name " + o.name}
	}
	return o, all, nil
}

func prepareRename(_ *server, snap *snapshot, p positionParams) (any, error) {
	path, _ := pathOf(p.Document.URI)
	v := snap.view(path)
	if v == nil {
		return nil, nil
	}
	o, _, err := v.renamed(p.Position)
	if err != nil {
		return nil, err
	}
	return struct {
		Range span   `json:"range"`
		Name  string `json:"placeholder"`
	}{v.text.span(o.at, snap.unit), o.name}, nil
}

func renameAt(s *server, snap *snapshot, p renameParams) (any, error) {
	path, _ := pathOf(p.Document.URI)
	v := snap.view(path)
	if v == nil {
		return nil, nil
	}
	o, all, err := v.renamed(p.Position)
	if err != nil {
		return nil, err
	}
	if why := v.badName(o.space, p.NewName, all); why != "" {
		return nil, &jsonrpc2.Error{Code: codeRequestFailed, Message: why}
	}
	var edits []textEdit
	seen := map[diag.Pos]bool{} // an anchored part is there once, and in the tree as often as it is used
	for _, x := range same(o, all) {
		if seen[x.at.Start] {
			continue
		}
		seen[x.at.Start] = true
		edits = append(edits, textEdit{Range: v.text.span(x.at, snap.unit), NewText: p.NewName})
	}
	return newWriter(snap, s.capabilities(), nil).edits(v.document, edits), nil
}

// badName says what is wrong with a new name, or "".
func (v *view) badName(s space, name string, all []occurrence) string {
	switch {
	case name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" || !alone(name).Is(source.String):
		return "a name consists of letters, digits, _ and -, and is no number or other value of YAML"
	case slices.ContainsFunc(all, func(o occurrence) bool { return o.definition && o.space == s && o.name == name }):
		return "there is a " + strings.TrimSuffix(string(s), " of ") + " " + name + " already"
	case s == resourceNames && v.Meaning().Template.Parameter(name) != nil:
		return "a parameter has the name " + name
	}
	return ""
}
