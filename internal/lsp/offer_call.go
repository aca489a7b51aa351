package lsp

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
)

// valuePlaces are where values stand that may be function calls, and conditionPlaces where conditions do.
var (
	valuePlaces = []pattern{
		path("resources/*k/properties/*k/**"), path("resources/*k/metadata/**"), path("resources/*k/update_policy/*k/**"),
		path("resources/*k/external_id/**"), path("resources/*k/deletion_policy/**"), path("resources/*k/components/*/params/*k/**"),
		path("resources/*k/components/*/metadata/**"), path("outputs/*k/value/**"),
	}
	conditionPlaces = []pattern{path("conditions/*k/**"), path("resources/*k/condition/**"), path("outputs/*k/condition/**")}
)

// context is which functions live at the place, and the steps below where values begin; 0 where none do.
func (p *place) context() (function.Context, []string) {
	for _, at := range conditionPlaces {
		if _, rest, ok := at.match(p.steps); ok {
			return function.InCondition, rest
		}
	}
	for _, at := range valuePlaces {
		if _, rest, ok := at.match(p.steps); ok {
			return function.InValue, rest
		}
	}
	return 0, nil
}

// calls are the functions of which a call may begin at the place.
func (p *place) calls() []offer {
	in, _ := p.context()
	if in == 0 || p.key && len(p.keys) > 0 && !p.value {
		return nil
	}
	var out []offer
	for _, f := range function.Live(p.m.version(), in) {
		out = append(out, functionOffer(f))
	}
	return out
}

func functionOffer(f *function.Function) offer {
	return offer{name: f.Name, kind: itemFunction, detail: f.Usage, doc: describeFunction(f), call: f.Name + ": " + argumentSnippet(f.Name)}
}

// inCall is what may stand in the argument of the innermost call; ok is false where the place is in no argument that
// has names of its own.
func (p *place) inCall() (out []offer, ok bool) {
	in, rest := p.context()
	if in == 0 {
		return nil, false
	}
	for i := len(rest) - 1; i >= 0; i-- {
		name, below := rest[i], rest[i+1:]
		a, known := arguments()[name]
		if !known || !slices.ContainsFunc(function.Live(p.m.version(), function.InValue), func(f *function.Function) bool { return f.Name == name }) {
			continue
		}
		switch {
		case len(below) == 0 && a.keys != nil && p.key:
			return keyWords("of "+name, a.keys...), true
		case len(below) == 0 && a.whole != nil && p.value:
			return a.whole(p), true
		case len(below) == 1 && isItem(below[0]) && p.value:
			n := slices.Index([]string{"[0]", "[1]", "[2]", "[3]"}, below[0])
			if n >= 0 && n < len(a.items) && a.items[n] != nil {
				return a.items[n](p), true
			}
		}
		return nil, false
	}
	return nil, false
}

// argument is what the argument of a function has of names.
type argument struct {
	whole func(*place) []offer   // the argument itself
	items []func(*place) []offer // items of a list
	keys  []string
}

var arguments = sync.OnceValue(func() map[string]argument {
	return map[string]argument{
		"get_param":    {whole: (*place).parameterNames, items: []func(*place) []offer{(*place).parameterNames}},
		"get_resource": {whole: (*place).resources},
		"get_attr": {items: []func(*place) []offer{
			(*place).resources, (*place).attributes, (*place).componentsRead, (*place).outputsRead,
		}},
		"get_file":            {whole: func(p *place) []offer { return p.files(func(string) bool { return true }) }},
		"resource_facade":     {whole: fixedValues("of the resource behind which the template is nested", "metadata", "deletion_policy", "update_policy")},
		"if":                  {items: []func(*place) []offer{(*place).conditions}},
		"str_replace":         {keys: []string{"template", "params"}},
		"str_replace_strict":  {keys: []string{"template", "params"}},
		"str_replace_vstrict": {keys: []string{"template", "params"}},
		"repeat":              {keys: []string{"template", "for_each", "permutations"}},
		"make_url":            {keys: []string{"scheme", "username", "password", "host", "port", "path", "query", "fragment"}},
		"yaql":                {keys: []string{"expression", "data"}},
		"digest":              {items: []func(*place) []offer{fixedValues("algorithm", "md5", "sha1", "sha224", "sha256", "sha384", "sha512")}},
		"not":                 {whole: (*place).conditions},
		"and":                 {items: []func(*place) []offer{(*place).conditions, (*place).conditions, (*place).conditions, (*place).conditions}},
		"or":                  {items: []func(*place) []offer{(*place).conditions, (*place).conditions, (*place).conditions, (*place).conditions}},
		"Ref":                 {whole: func(p *place) []offer { return append(p.parameterNames(), p.resources()...) }},
		"Fn::GetAtt":          {items: []func(*place) []offer{(*place).resources, (*place).attributes}},
		"Fn::If":              {items: []func(*place) []offer{(*place).conditions}},
	}
})

// parameterNames are what get_param takes: the template's own parameters, and those that every stack has.
func (p *place) parameterNames() []offer {
	out := p.parameters()
	for _, name := range p.m.version().PseudoParameters() {
		out = append(out, offer{name: name, kind: itemVariable, detail: "of every stack", doc: "`" + name + "`: Heat gives every stack this parameter."})
	}
	return out
}

// readFrom is the resource that the list at the place begins with, or nil.
func (p *place) readFrom() *hot.Resource {
	if len(p.items) == 0 {
		return nil
	}
	return p.m.Template.Resource(p.items[0])
}

func (p *place) attributes() []offer {
	r := p.readFrom()
	if r == nil {
		return nil
	}
	var out []offer
	if len(r.Components) > 0 {
		out = append(out, offer{name: "components", kind: itemField, detail: "outputs of its components", doc: "Outputs of the components that run on the host: `[" + r.Name.Text + ", components, NAME, OUTPUT]`."})
	}
	if t := p.m.nested(r); t != nil {
		for _, o := range t.Outputs {
			out = append(out, offer{name: o.Name.Text, kind: itemField, detail: "output of " + r.Type.Str(), doc: describeOutput(o)})
		}
		return out
	}
	t := p.m.typeOf(r)
	if t == nil {
		return out
	}
	for _, name := range slices.Sorted(maps.Keys(t.Attributes)) {
		a := t.Attributes[name]
		out = append(out, offer{name: name, kind: itemField, detail: string(a.Type), doc: describeAttribute(name, t.Name, a), deprecated: a.Support.Old()})
	}
	return out
}

func (p *place) componentsRead() []offer {
	r := p.readFrom()
	if r == nil || p.items[1] != "components" {
		return nil
	}
	var out []offer
	for _, c := range r.Components {
		out = append(out, offer{name: c.Name.Str(), kind: itemModule, detail: c.Type.Str()})
	}
	return out
}

// everyOutput are outputs that each component has.
var everyOutput = []string{"deploy_stdout", "deploy_stderr", "deploy_status_code"}

func (p *place) outputsRead() []offer {
	r := p.readFrom()
	if r == nil || p.items[1] != "components" {
		return nil
	}
	c := r.Component(p.items[2])
	if c == nil {
		return nil
	}
	var out []offer
	if t := p.m.componentType(c.Type.Str()); t != nil {
		for _, o := range t.Outputs {
			out = append(out, offer{name: o.Name.Str(), kind: itemField, detail: o.Type, doc: describeIO(o)})
		}
	}
	return append(out, values("of every component", everyOutput...)...)
}

// maxFiles is how many names of a folder are offered.
const maxFiles = 200

// files are the names of files in the folder that is typed so far, as seen from the document's.
func (p *place) files(keep func(name string) bool) []offer {
	folder, _ := filepath.Split(filepath.FromSlash(p.typed))
	if filepath.IsAbs(folder) || strings.Contains(p.typed, "://") {
		return nil
	}
	dir, err := os.Open(filepath.Join(filepath.Dir(p.m.Path), folder))
	if err != nil {
		return nil
	}
	defer dir.Close()
	entries, _ := dir.ReadDir(10 * maxFiles) // what was read before a fault counts
	var out []offer
	for _, e := range entries {
		name := filepath.ToSlash(folder) + e.Name()
		switch {
		case strings.HasPrefix(e.Name(), ".") || len(out) == maxFiles || filepath.Join(filepath.Dir(p.m.Path), name) == p.m.Path:
		case e.IsDir():
			out = append(out, offer{name: name + "/", kind: itemFile, detail: "folder"})
		case keep(name):
			out = append(out, offer{name: name, kind: itemFile, detail: "file"})
		}
	}
	slices.SortFunc(out, func(a, b offer) int { return strings.Compare(a.name, b.name) })
	return out
}
