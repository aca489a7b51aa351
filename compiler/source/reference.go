package source

import (
	"bytes"
	"slices"
	"strings"
)

// ReferenceKind says what makes heatclient read a file.
type ReferenceKind uint8

// The kinds.
const (
	GetFile      ReferenceKind = iota // the value of a key get_file
	NestedType                        // the value of a key type that ends in .yaml or .template
	RegistryType                      // a value of an environment's resource_registry
)

// Reference is one name of a file in a document.
type Reference struct {
	Kind ReferenceKind
	Node *Node // the string that is the name
	Base *Node // the registry's base_url that the name is relative to, or nil: the document's folder
}

// ResolveReference reads the file that a reference names. A base_url counts as a folder, and must be a URL, as
// heatclient wants it.
func (f *Files) ResolveReference(r Reference) (*File, error) {
	if scheme, _ := splitScheme(r.Node.Text); scheme != "" || !r.Base.Is(String) {
		return f.Resolve(r.Node.File, r.Node.Text)
	}
	base := strings.TrimSuffix(r.Base.Text, "/") + "/"
	if scheme, _ := splitScheme(base); scheme == "" {
		return nil, &FileError{Fault: Unsupported, Path: base + r.Node.Text}
	}
	folder, err := f.Locate(r.Node.File, base+"base")
	if err != nil {
		return nil, err
	}
	return f.Resolve(&File{Path: folder}, r.Node.Text)
}

// References finds the names of files in a template, where heatclient looks for them: in every map, however deep and
// in whatever section.
func References(template *Node) []Reference {
	var refs []Reference
	template.Walk(func(n *Node) bool {
		if n.Kind != Map {
			return n.Kind == List
		}
		for _, p := range n.Pairs {
			if !p.Value.Is(String) {
				continue
			}
			switch p.Key.Str() {
			case "get_file":
				refs = append(refs, Reference{Kind: GetFile, Node: p.Value})
			case "type":
				if IsTemplateName(p.Value.Text) {
					refs = append(refs, Reference{Kind: NestedType, Node: p.Value})
				}
			}
		}
		return true
	})
	return refs
}

// IsTemplateName reports whether Heat takes the name of a resource type for that of a template.
func IsTemplateName(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".template")
}

// RegistryReferences finds the names of files in an environment's resource_registry, of which registry is the value:
// every string without "::" that is the registry's own entry or one of a resource's.
func RegistryReferences(registry *Node) []Reference {
	if !registry.Is(Map) {
		return nil
	}
	base := registry.Get("base_url")
	refs := registryEntries(nil, registry, base)
	resources := registry.Get("resources")
	if !resources.Is(Map) {
		return refs
	}
	for _, p := range resources.Pairs {
		if !p.Value.Is(Map) {
			continue
		}
		own := base
		if b := p.Value.Get("base_url"); b != nil {
			own = b
		}
		refs = registryEntries(refs, p.Value, own)
	}
	return refs
}

func registryEntries(refs []Reference, entries, base *Node) []Reference {
	for _, p := range entries.Pairs {
		switch key := p.Key.Str(); {
		case !p.Value.Is(String), strings.Contains(p.Value.Text, "::"), key == "base_url", key == "hooks", key == "restricted_actions":
		default:
			refs = append(refs, Reference{Kind: RegistryType, Node: p.Value, Base: base})
		}
	}
	return refs
}

// VersionKeys are the keys of which one makes a document a template.
var VersionKeys = []string{"heat_template_version", "HeatTemplateFormatVersion", "AWSTemplateFormatVersion"}

// Template parses a file as a template if it is one, which heatclient tells by the version key; else it is nil.
func (f *Files) Template(file *File) *Node {
	if !slices.ContainsFunc(VersionKeys, func(k string) bool { return bytes.Contains(file.Text, []byte(k)) }) {
		return nil
	}
	root, findings := f.Document(file, Template)
	if findings.HasErrors() || !IsTemplate(root) {
		return nil
	}
	return root
}

// IsTemplate reports whether a document has the version key of a template.
func IsTemplate(root *Node) bool {
	return slices.ContainsFunc(VersionKeys, func(k string) bool { return root.Pair(k) != nil })
}
