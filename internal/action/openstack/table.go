package openstack

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/hotloom/hotloom/compiler/workflow"
)

//go:embed calls.txt
var callsText string

// service is a kind of service with its actions.
type service struct {
	name string // before the actions' names, as "ironic"
	kind string // in the catalog, as "baremetal"
}

// headers are those of every call: the version of the API where Mistral's client asks for one.
func (s *service) headers(in *inputs) map[string]string {
	h := map[string]string{}
	if s.name == "ironic" {
		h["X-OpenStack-Ironic-API-Version"] = ironicVersion
		if v := in.text("os_ironic_api_version"); v != "" {
			h["X-OpenStack-Ironic-API-Version"] = v
		}
		if id := in.text("global_request_id"); id != "" {
			h["X-OpenStack-Request-ID"] = id
		}
	}
	if s.name == "zaqar" {
		h["Client-ID"] = clientID()
	}
	return h
}

// ironicVersion is the version of Ironic's API that Mistral's actions use where none is given.
const ironicVersion = "1.34"

// call is one line of the table.
type call struct {
	service   *service
	name      string
	signature *workflow.Signature
	function  function // instead of what follows

	method string
	path   string
	query  []term
	body   body
	result result
	pages  *paging
}

// term is one name of a query or body.
type term struct {
	as, input string
	always    bool // is sent where it has its default value too
	rest      bool // "*": the inputs that have no name in the signature; with as, as one map
	spread    bool // "**": the members of a map
}

type body struct {
	kind  bodyKind
	key   string // what the fields stand under, or ""
	terms []term
	text  string // an input's name, or JSON
}

type bodyKind int

const (
	noBody bodyKind = iota
	fields
	whole // an input
	plain // an input, as text
	fixed
)

type result struct {
	key  string
	none bool
	how  string // "", "[]", "[1]" or "[?]"
}

type paging struct{ limit string }

type callTable struct{ calls []*call }

var table = sync.OnceValue(func() *callTable {
	t, err := parseTable(callsText)
	if err != nil {
		panic(err) // the table is a part of the program, and a test parses it
	}
	return t
})

func parseTable(text string) (*callTable, error) {
	t := &callTable{}
	var s *service
	n := 0
	for line := range strings.Lines(text) {
		n++
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || strings.HasPrefix(line, "#"):
		case words[0] == "service":
			s = &service{name: words[1], kind: words[2]}
		default:
			c, err := parseCall(s, words)
			if err != nil {
				return nil, fmt.Errorf("calls.txt:%d: %w", n, err)
			}
			t.calls = append(t.calls, c)
		}
	}
	return t, nil
}

func parseCall(s *service, words []string) (*call, error) {
	c := &call{service: s, name: words[0]}
	if c.signature = workflow.OpenStackAction(c.full()); c.signature == nil {
		return nil, fmt.Errorf("Mistral has no action %s", c.full())
	}
	if name, ok := strings.CutPrefix(words[1], "!"); ok {
		if c.function = functions()[name]; c.function == nil {
			return nil, fmt.Errorf("there is no function %s", name)
		}
		return c, nil
	}
	c.method, c.path = words[1], words[2]
	for _, word := range words[3:] {
		rest := word[1:]
		switch {
		case word[0] == '?':
			c.query = parseTerms(rest)
		case word[0] == '=':
			c.body = parseBody(rest)
		case word[0] == '>':
			c.result = parseResult(rest)
		case word == "next":
			c.pages = &paging{}
		case strings.HasPrefix(word, "next="):
			c.pages = &paging{limit: word[len("next="):]}
		default:
			return nil, fmt.Errorf("%s: what is %q?", c.name, word)
		}
	}
	return c, nil
}

func parseTerms(text string) []term {
	var out []term
	for _, word := range strings.Split(text, ",") {
		if word == "" {
			continue
		}
		t := term{}
		word, t.always = strings.CutSuffix(word, "!")
		as, input, named := strings.Cut(word, "=")
		switch {
		case word == "*":
			t.rest = true
		case strings.HasPrefix(word, "**"):
			t.spread, t.input = true, word[2:]
		case named && input == "*":
			t.rest, t.as = true, as
		case named:
			t.as, t.input = as, input
		default:
			t.as, t.input = word, word
		}
		out = append(out, t)
	}
	return out
}

func parseBody(text string) body {
	switch {
	case strings.HasPrefix(text, "@"):
		return body{kind: whole, text: text[1:]}
	case strings.HasPrefix(text, "~"):
		return body{kind: plain, text: text[1:]}
	case strings.HasPrefix(text, "json:"):
		return body{kind: fixed, text: text[len("json:"):]}
	}
	if key, inner, ok := strings.Cut(text, "{"); ok {
		return body{kind: fields, key: key, terms: parseTerms(strings.TrimSuffix(inner, "}"))}
	}
	return body{kind: fields, terms: parseTerms(text)}
}

func parseResult(text string) result {
	if text == "-" {
		return result{none: true}
	}
	if i := strings.IndexByte(text, '['); i >= 0 {
		return result{key: text[:i], how: text[i:]}
	}
	return result{key: text}
}
