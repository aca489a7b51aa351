package function

import (
	"slices"

	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

// makeURL puts a URL together. Heat stops looking at a query, so that a wrong fragment after it passes.
var makeURL = Function{
	Eval:     evalURL,
	Name:     "make_url",
	Usage:    "{make_url: {scheme, username, password, host, port, path, query: {name: value, …}, fragment}}",
	Validate: validateURL,
}

var urlKeys = []string{"scheme", "username", "password", "host", "port", "path", "query", "fragment"}

func validateURL(k *checker, c Call) {
	if !k.isMap(c.Arg) {
		k.add(argumentKind(c, "a map"))
		return
	}
	for _, p := range c.Arg.Pairs {
		if key := hot.KeyText(p.Key); !slices.Contains(urlKeys, key) {
			k.add(argumentKeyUnknown(c, p.Key, key, urlKeys))
		}
	}
	for _, key := range urlKeys {
		p := c.Arg.Pair(key)
		if p == nil {
			continue
		}
		_, isCall := k.find(p.Value)
		switch {
		case key == "query":
			if !p.Value.Is(source.Map) {
				k.add(argumentPart(c, key, p.Value, "a map"))
			}
			return
		case isCall:
		case key == "port":
			if !validPort(p.Value) {
				k.add(argumentPart(c, key, p.Value, "a number from 1 to 65535"))
			}
		case !p.Value.Is(source.String):
			k.add(argumentPart(c, key, p.Value, "a string"))
		}
	}
}

func validPort(n *source.Node) bool {
	port, err := value.ToInt(hot.ValueOf(n))
	if err != nil {
		return false
	}
	i, ok := value.Int(port)
	return ok && i > 0 && i <= 65535
}
