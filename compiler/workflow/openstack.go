package workflow

import (
	_ "embed"
	"sort"
	"strings"
	"sync"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/value"
)

//go:embed signatures/openstack.txt
var openStackSignatures string

// Signature is what an action of an OpenStack service takes.
type Signature struct {
	Service string // as "ironic"
	Name    string // with the service before it, as "ironic.node_list"
	Inputs  []Param
	Open    bool // takes further inputs by any name
}

type signatures struct {
	byName   map[string]*Signature
	names    []string
	services []string
}

var openStack = sync.OnceValue(func() *signatures {
	s := &signatures{byName: map[string]*Signature{}}
	service, region := "", false
	for line := range strings.Lines(openStackSignatures) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || strings.HasPrefix(line, "#"):
		case words[0] == "service":
			service, region = words[1], len(words) > 2
			s.services = append(s.services, service)
		default:
			sig := signature(service, words)
			if region {
				sig.Inputs = append(sig.Inputs, Param{Name: "action_region", Default: "", HasDefault: true})
			}
			s.byName[sig.Name] = sig
			s.names = append(s.names, sig.Name)
		}
	}
	sort.Strings(s.names)
	return s
})

func signature(service string, words []string) *Signature {
	sig := &Signature{Service: service, Name: service + "." + words[0]}
	for _, word := range words[1:] {
		if word == "*" {
			sig.Open = true
			continue
		}
		p := Param{Name: word}
		if name, text, ok := strings.Cut(word, "="); ok {
			p.Name, p.HasDefault = name, true
			p.Default, _ = value.ParseJSON(text) // a test parses them all
		}
		sig.Inputs = append(sig.Inputs, p)
	}
	return sig
}

// OpenStackAction gives the signature of an action of an OpenStack service that Mistral has with mistral-extra; nil if
// there is none.
func OpenStackAction(name string) *Signature { return openStack().byName[name] }

// OpenStackActions gives the names of all such actions, sorted.
func OpenStackActions() []string { return openStack().names }

// KnownAction gives the inputs of one of Mistral's own actions: std.*, or one of an OpenStack service. Of one that
// takes inputs by any name, open is true.
func KnownAction(name string) (in ActionInputs, open, ok bool) {
	if in, ok := StdAction(name); ok {
		return in, false, true
	}
	sig := OpenStackAction(name)
	if sig == nil {
		return nil, false, false
	}
	return inputsOf(sig.Inputs), sig.Open, true
}

// NearestAction finds what a name that stands for no action may have been meant to be; certain is true where the name
// is of a service whose actions are all known, so that there can be no such action.
func NearestAction(name string) (near string, certain bool) {
	service, _, dotted := strings.Cut(name, ".")
	if !dotted {
		return "", false
	}
	s := openStack()
	known := append([]string{"std"}, s.services...)
	for _, k := range known {
		if service == k {
			return diag.Nearest(name, actionsOf(k)), true
		}
	}
	near = diag.Nearest(service, known)
	if near == "" {
		return "", false
	}
	full := near + strings.TrimPrefix(name, service)
	if _, _, ok := KnownAction(full); ok {
		return full, false
	}
	return "", false
}

// actionsOf lists the actions of a service.
func actionsOf(service string) []string {
	var out []string
	if service == "std" {
		for name := range stdActions {
			out = append(out, name)
		}
		sort.Strings(out)
		return out
	}
	for _, name := range openStack().names {
		if strings.HasPrefix(name, service+".") {
			out = append(out, name)
		}
	}
	return out
}
