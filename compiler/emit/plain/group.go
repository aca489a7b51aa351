package plain

import (
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

// ServerOutput is the output of an amended nested template that gives the id of the server in it.
const ServerOutput = "hotloom_server"

// definitionKey is the property of a group that holds what it multiplies.
func definitionKey(h *weave.Host) string {
	if h.Resource.Properties.Get("resource_def") != nil {
		return "resource_def"
	}
	return "resource"
}

// SetMember gives properties of a group's members other values, and their type, where it is not empty, another name.
func (s *Stack) SetMember(h *weave.Host, typ string, properties ...source.Pair) {
	key := definitionKey(h)
	def := h.Resource.Properties.Get(key)
	var pairs []source.Pair
	author := map[string]*source.Node{}
	for _, p := range def.Pairs {
		author[p.Key.Str()] = p.Value
		switch {
		case p.Key.Str() == "type" && typ != "":
			p.Value = source.NewString(p.Value, typ)
		case p.Key.Str() == "properties":
			p.Value = s.Value(p.Value, nil)
			for _, set := range properties {
				p.Value = With(p.Value, set.Key.Text, set.Value)
			}
		default:
			p.Value = s.Value(p.Value, nil)
		}
		pairs = append(pairs, p)
	}
	if author["properties"] == nil {
		pairs = append(pairs, source.P(def, "properties", source.NewMap(def, properties...)))
	}
	s.Resource(h.Name()).Set(key, source.NewMap(def, pairs...))
}

// MemberIDs gives the list of the ids of a group's servers, in the order of its members. Where the member is a nested
// template, its copy has to have the output ServerOutput.
func MemberIDs(h *weave.Host, origin *source.Node) *source.Node {
	switch {
	case h.Member.Nested == nil:
		return Call(origin, "get_attr", Texts(origin, h.Name(), "refs"))
	case h.Member.IndexVar != "":
		return Call(origin, "get_attr", Texts(origin, h.Name(), ServerOutput))
	}
	return Call(origin, "get_attr", Texts(origin, h.Name(), "outputs_list", ServerOutput))
}

// MemberMap gives the map from the names of a group's members to the ids of their servers.
func MemberMap(h *weave.Host, origin *source.Node) *source.Node {
	switch {
	case h.Member.Nested == nil:
		return Call(origin, "get_attr", Texts(origin, h.Name(), "refs_map"))
	case h.Member.IndexVar != "":
		return Call(origin, "get_attr", Texts(origin, h.Name(), "attributes", ServerOutput))
	}
	return Call(origin, "get_attr", Texts(origin, h.Name(), "outputs", ServerOutput))
}
