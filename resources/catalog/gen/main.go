// Command gen makes the catalog's data files from recorded facts about two Heat releases.
//
//	go run ./gen -facts resource_types.json -out .
//
// The facts give the newer release in full and the older one as a difference; the program works the older
// definitions out and writes both, one type a line, in the shape of the catalog's own Go types.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/resources/catalog"
)

type facts struct {
	Aliases     map[string]string `json:"aliases"`
	Constraints map[string]struct {
		Client *string `json:"client"`
	} `json:"custom_constraints"`
	Gone  []string             `json:"constraints_gone"` // custom constraints of the older release only
	Types map[string]*recorded `json:"types"`
}

// recorded is a type as the facts have it. Fields of catalog.Type with the same names are read by embedding.
type recorded struct {
	catalog.Type
	Properties    map[string]*property `json:"properties"`
	UpdatePolicy  map[string]*property `json:"update_policy"`
	DefaultClient string               `json:"default_client_name"`
	Required      string               `json:"required_service_extension"`
	Limit         int                  `json:"physical_resource_name_limit"`
	Added         bool                 `json:"added"`
	Delta         *delta               `json:"delta"`
}

// property is a schema as the facts have it.
type property struct {
	catalog.Property
	Implemented *bool                `json:"implemented"`
	Schema      map[string]*property `json:"schema"`
	Items       *property            `json:"items"`
}

type delta struct {
	Added          []string             `json:"properties_added"`
	Gone           map[string]*property `json:"properties_gone"`
	AttributesGone []string             `json:"attributes_gone"`
	Changed        map[string]struct {
		Was *property `json:"was"`
	} `json:"properties_changed"`
	Handles struct {
		Was []string `json:"was"`
	} `json:"handles"`
	Support struct {
		Was *catalog.Support `json:"was"`
	} `json:"support"`
	Ref struct {
		Was string `json:"was"`
	} `json:"ref"`
	DefaultClient struct {
		Was string `json:"was"`
	} `json:"default_client_name"`
}

func main() {
	in := flag.String("facts", "", "path of the recorded facts")
	out := flag.String("out", ".", "folder to write to")
	flag.Parse()
	if err := run(*in, *out); err != nil {
		log.Fatal(err)
	}
}

func run(in, out string) error {
	text, err := os.ReadFile(in)
	if err != nil {
		return err
	}
	var f facts
	if err := json.Unmarshal(text, &f); err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	if err := addTemplates(&f); err != nil {
		return err
	}
	lines, err := render(f)
	if err != nil {
		return err
	}
	ix, err := json.MarshalIndent(indexOf(f), "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, "index.json"), append(ix, '\n'), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "types.jsonl"), lines, 0o644)
}

func render(f facts) ([]byte, error) {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(f.Types)) {
		r := f.Types[name]
		r.Snapshot = snapshotTypes[name]
		r.Translations = append(r.Translations, conditionalTranslations[name]...)
		r.Placeholder = r.Placeholder || placeholderTypes[name]
		line := map[string]any{"new": r.build(r.Properties)}
		if old := r.older(name); old != nil {
			line["old"] = old
		}
		if r.Added {
			line["added"] = true
		}
		data, err := json.Marshal(line)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(&b, "%s\t%s\n", name, data)
	}
	return b.Bytes(), nil
}

func indexOf(f facts) any {
	ix := struct {
		Aliases     map[string]string `json:"aliases"`
		Constraints map[string]string `json:"constraints"`
	}{map[string]string{}, map[string]string{}}
	for from, to := range f.Aliases {
		if !strings.HasPrefix(to, "template:") {
			ix.Aliases[from] = to
		}
	}
	for name, c := range f.Constraints {
		ix.Constraints[name] = ""
		if c.Client != nil {
			ix.Constraints[name] = *c.Client
		} else if service, _, dotted := strings.Cut(name, "."); dotted {
			ix.Constraints[name] = service
		}
	}
	for _, name := range f.Gone {
		ix.Constraints[name], _, _ = strings.Cut(name, ".")
	}
	return ix
}

// addTemplates adds the types that Heat's global environment makes from templates of its own: their properties are
// the parameters of those templates.
func addTemplates(f *facts) error {
	var shipped map[string]*recorded
	if err := json.Unmarshal([]byte(templateTypes), &shipped); err != nil {
		return err
	}
	maps.Copy(f.Types, shipped)
	return nil
}

func (r *recorded) build(properties map[string]*property) *catalog.Type {
	t := r.Type
	t.Properties, t.UpdatePolicy = build(properties), build(r.UpdatePolicy)
	t.Service, t.Extension, t.NameLimit = r.DefaultClient, r.Required, r.Limit
	t.Translations = slices.DeleteFunc(slices.Clone(t.Translations), func(tr catalog.Translation) bool {
		return len(tr.Path) == 0 // the recording failed
	})
	return &t
}

func build(in map[string]*property) map[string]*catalog.Property {
	if len(in) == 0 {
		return nil
	}
	out := make(map[string]*catalog.Property, len(in))
	for name, p := range in {
		out[name] = p.build()
	}
	return out
}

func (p *property) build() *catalog.Property {
	if p == nil {
		return nil
	}
	q := p.Property
	q.Unimplemented = p.Implemented != nil && !*p.Implemented
	q.Schema, q.Items = build(p.Schema), p.Items.build()
	q.Support.Version = strings.TrimSpace(q.Support.Version)
	return &q
}

// older is the definition in the older release, nil where it is the same.
func (r *recorded) older(name string) *catalog.Type {
	d := r.Delta
	if d == nil {
		return nil
	}
	props := copyProperties(r.Properties)
	for path, c := range d.Changed {
		set(props, strings.Split(path, "."), c.Was)
	}
	for _, path := range d.Added {
		set(props, strings.Split(path, "."), nil)
	}
	for _, path := range slices.Sorted(maps.Keys(d.Gone)) { // parents come before their children
		set(props, strings.Split(path, "."), d.Gone[path])
	}
	t := r.build(props)
	t.Attributes = maps.Clone(t.Attributes)
	for _, name := range d.AttributesGone {
		if t.Attributes == nil {
			t.Attributes = map[string]*catalog.Attribute{}
		}
		t.Attributes[name] = &catalog.Attribute{}
	}
	if d.Handles.Was != nil {
		t.Handles = d.Handles.Was
	}
	if d.Support.Was != nil {
		t.Support = *d.Support.Was
	}
	if d.Ref.Was != "" {
		t.Ref = d.Ref.Was
	}
	if d.DefaultClient.Was != "" {
		t.Service = d.DefaultClient.Was
	}
	if len(d.Gone) > 0 && t.Placeholder {
		t.Placeholder, t.DynamicAttributes, t.Translations = false, false, oldTranslations[name]
	}
	return t
}

func copyProperties(in map[string]*property) map[string]*property {
	out := make(map[string]*property, len(in))
	for name, p := range in {
		q := *p
		q.Schema = copyProperties(p.Schema)
		if p.Items != nil {
			items := *p.Items
			items.Schema = copyProperties(p.Items.Schema)
			q.Items = &items
		}
		out[name] = &q
	}
	return out
}

// set puts p at the path below props; nil removes. A "*" in the path is a list's items.
func set(props map[string]*property, path []string, p *property) {
	if len(path) == 1 {
		if p == nil {
			delete(props, path[0])
			return
		}
		// A changed node keeps its children: the facts list them on their own.
		if before := props[path[0]]; before != nil && p.Schema == nil && p.Items == nil {
			p.Schema, p.Items = before.Schema, before.Items
		}
		props[path[0]] = p
		return
	}
	parent := props[path[0]]
	if parent == nil {
		log.Fatalf("no parent for %v", path)
	}
	rest := path[1:]
	for rest[0] == "*" {
		if len(rest) == 1 {
			parent.Items = p
			return
		}
		if parent.Items == nil {
			log.Fatalf("no items for %v", path)
		}
		parent, rest = parent.Items, rest[1:]
	}
	if parent.Schema == nil {
		parent.Schema = map[string]*property{}
	}
	set(parent.Schema, rest, p)
}
