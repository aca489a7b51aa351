package cloudinit

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

// partName is the file under which cloud-init keeps the runner. cloud-init runs scripts in the order of their names,
// and gives part-NNN to those that have none.
const partName = "zz-hotloom"

// authorUserData is the user_data that the author gives the host, or nil.
func (t *emitter) authorUserData(h *host) *source.Node {
	properties := h.Resource.Properties
	if h.Kind == weave.Group {
		properties = h.Member.Def.Get("properties")
	}
	n := properties.Get("user_data")
	if n.IsNull() || n.Is(source.String) && n.Text == "" {
		return nil
	}
	return n
}

// serverUserData gives a server the author's user_data and the runner's as one message.
func (t *emitter) serverUserData(h *host) {
	author := t.authorUserData(h)
	t.checkSize(h, author)
	parts := t.authorParts(t.Program.Template, author, func(n *source.Node) *source.Node { return t.Value(n, nil) })
	name := t.message(h, append(parts, part(h.Resource.Name, h.script)))
	origin := h.Resource.Name
	h.resource.Set("user_data", plain.Call(origin, "get_resource", plain.Text(origin, name)))
	if format := t.format(h, h.Resource.Properties.Get("user_data_format"), author); format != nil {
		h.resource.Set("user_data_format", format)
	}
}

// message adds the resource that holds a host's user_data.
func (t *emitter) message(h *host, parts []*source.Node) string {
	origin := h.Resource.Name
	name := t.Name(h.name, "user_data")
	t.Add(h.resource, name, origin, "OS::Heat::MultipartMime", source.P(origin, "parts", source.NewList(origin, parts...))).
		Section("condition", h.Resource.Condition)
	return name
}

// part is the runner's part of a message.
func part(origin, config *source.Node) *source.Node {
	return source.NewMap(origin,
		source.P(origin, "filename", plain.Text(origin, partName)),
		source.P(origin, "subtype", plain.Text(origin, "x-shellscript")),
		source.P(origin, "config", config))
}

var mimeHeader = regexp.MustCompile(`(?i)^(mime-version:|content-type:\s*multipart/)`)

// authorParts gives the author's user_data as parts of a message. The parts of a message that is a resource of the
// same template are taken over one by one: as a part itself Heat would undo its encoding and spoil what is not ASCII.
func (t *emitter) authorParts(in *hot.Template, author *source.Node, value func(*source.Node) *source.Node) []*source.Node {
	if author == nil {
		return nil
	}
	multipart := false
	if name, ok := plain.Argument(author, "get_resource"); ok {
		if r := in.Resource(name.Str()); r != nil && r.Type.Str() == "OS::Heat::MultipartMime" {
			if parts := r.Properties.Get("parts"); parts.Is(source.List) && !slices.ContainsFunc(parts.Items, t.IsCall) {
				out := make([]*source.Node, len(parts.Items))
				for i, p := range parts.Items {
					out[i] = value(p)
				}
				return out
			}
			multipart = true
		}
	}
	if text, known := t.Text(author); known && mimeHeader.MatchString(text) {
		multipart = true
	}
	pairs := []source.Pair{source.P(author, "config", value(author))}
	if multipart {
		pairs = append(pairs, source.P(author, "type", plain.Text(author, "multipart")))
	}
	return []*source.Node{source.NewMap(author, pairs...)}
}

// format gives the user_data_format that the host needs, or nil where the author's serves.
func (t *emitter) format(h *host, author, userData *source.Node) *source.Node {
	switch author.Str() {
	case "RAW":
		return nil
	case "SOFTWARE_CONFIG", "HEAT_CFNTOOLS":
		text, known := t.Text(userData)
		if known && !mimeHeader.MatchString(text) && strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) {
			t.Report(spoiltByHeat(userData.At(), h.name))
		}
		if author.Text == "SOFTWARE_CONFIG" {
			return nil
		}
		t.Report(keptFormat(author.At(), h.name))
		return plain.Text(author, "SOFTWARE_CONFIG")
	}
	if author.IsNull() {
		return plain.Text(h.Resource.Name, "RAW")
	}
	t.Report(replacedFormat(author.At(), h.name))
	return plain.Text(author, "RAW")
}

// groupUserData gives the members of a group their user_data.
func (t *emitter) groupUserData(h *host) {
	author := t.authorUserData(h)
	t.checkSize(h, author)
	origin := h.Resource.Name
	m := h.Member
	if m.Nested != nil {
		t.nestedUserData(h, author)
		return
	}
	if m.IndexVar != "" && author != nil {
		author.Walk(func(n *source.Node) bool {
			if strings.Contains(n.Text, m.IndexVar) {
				t.Report(unknownMember(n.At(), h.name, m.IndexVar))
			}
			return true
		})
	}
	parts := t.authorParts(t.Program.Template, author, func(n *source.Node) *source.Node { return t.Value(n, nil) })
	name := t.message(h, append(parts, part(origin, h.script)))
	set := []source.Pair{source.P(origin, "user_data", plain.Call(origin, "get_resource", plain.Text(origin, name)))}
	if format := t.format(h, m.Def.Get("properties").Get("user_data_format"), author); format != nil {
		set = append(set, source.P(origin, "user_data_format", format))
	}
	t.SetMember(h.Host, "", set...)
}

// nestedUserData hands the runner to members that are nested templates: a config whose id is a parameter of a copy.
func (t *emitter) nestedUserData(h *host, author *source.Node) {
	origin := h.Resource.Name
	config := t.Name(h.name, "software")
	t.Add(h.resource, config, origin, "OS::Heat::SoftwareConfig",
		source.P(origin, "group", plain.Text(origin, "script")),
		source.P(origin, "config", h.script)).Section("condition", h.Resource.Condition)

	copied := t.Copy(h.Member.Nested)
	member := h.Member.Host.Name.Text
	param := copied.Name("hotloom_software")
	copied.Put("parameters", param, source.NewMap(origin, source.P(origin, "type", plain.Text(origin, "string")),
		source.P(origin, "description", plain.Text(origin, "hotloom: the config with what runs on this member"))))
	parts := t.authorParts(h.Member.Nested, author, copied.Value)
	parts = append(parts, part(origin, plain.Call(origin, "get_param", plain.Text(origin, param))))
	message := copied.Name(member + "_user_data")
	copied.Put("resources", message, source.NewMap(origin,
		source.P(origin, "type", plain.Text(origin, "OS::Heat::MultipartMime")),
		source.P(origin, "properties", source.NewMap(origin, source.P(origin, "parts", source.NewList(origin, parts...))))))
	copied.SetProperty(member, "user_data", plain.Call(origin, "get_resource", plain.Text(origin, message)))
	if format := t.format(h, h.Member.Host.Properties.Get("user_data_format"), author); format != nil {
		copied.SetProperty(member, "user_data_format", format)
	}
	copied.Put("outputs", copied.Name(plain.ServerOutput), source.NewMap(origin,
		source.P(origin, "value", plain.Call(origin, "get_resource", plain.Text(origin, member)))))
	t.SetMember(h.Host, copied.Write(h.name), source.P(origin, param, plain.Call(origin, "get_resource", plain.Text(origin, config))))
}

// checkSize reports user_data that is certainly too large.
func (t *emitter) checkSize(h *host, author *source.Node) {
	const headers = 500 // of the message and its parts
	bytes := h.bytes + headers
	if text, known := t.Text(author); known {
		bytes += len(text)
	}
	if encoded, limit := (bytes+2)/3*4, t.Options.Limits.UserDataBytes; encoded > limit {
		t.Report(userDataTooLarge(h.Resource.Name.At(), h.name, encoded, limit))
	}
}
