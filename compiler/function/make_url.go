package function

import (
	"encoding/hex"
	"net/url"
	"slices"
	"strings"

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

// evalURL is make_url.
func evalURL(_ *Scope, c Call, arg Value) (Value, error) {
	m, ok := arg.(*value.Map)
	if !ok {
		return nil, c.fail("takes a map")
	}
	part := map[string]string{}
	for _, key := range []string{"scheme", "username", "password", "host", "path", "fragment"} {
		v, given := m.GetStr(key)
		text, isText := v.(string)
		if given && !isText {
			return nil, c.fail("%s must be a string, not %s", key, describe(v))
		}
		part[key] = text
	}
	port := ""
	if v, given := m.GetStr("port"); given && v != "" {
		n, err := value.ToInt(v)
		if i, isInt := value.Int(n); err != nil || !isInt || i < 1 || i > 65535 {
			return nil, c.fail("port must be a number from 1 to 65535")
		}
		port = value.Str(v)
	}
	query, err := urlQuery(c, m)
	if err != nil {
		return nil, err
	}
	if strings.Contains(part["scheme"], ":") {
		return nil, c.fail("scheme must not contain a colon")
	}
	return joinURL(part, port, query), nil
}

func urlQuery(c Call, m *value.Map) (string, error) {
	v, given := m.GetStr("query")
	if !given {
		return "", nil
	}
	query, ok := v.(*value.Map)
	if !ok {
		return "", c.fail("query must be a map, not %s", describe(v))
	}
	var parts []string
	for k, v := range query.All() {
		parts = append(parts, quotePlus(value.Str(k))+"="+quotePlus(value.Str(v)))
	}
	return strings.ReplaceAll(strings.Join(parts, "&"), "%2F", "/"), nil
}

func quotePlus(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "%7E", "~") }

// quoteURL is urllib.parse.quote with the given safe characters.
func quoteURL(s, safe string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("_.-~"+safe, c) >= 0:
			b.WriteByte(c)
		default:
			b.WriteString("%" + strings.ToUpper(hex.EncodeToString([]byte{c})))
		}
	}
	return b.String()
}

// hostSchemes are the schemes whose URLs have a host's place even where there is none, as urllib.parse knows them.
var hostSchemes = []string{
	"ftp", "http", "gopher", "nntp", "telnet", "imap", "wais", "file", "mms", "https", "shttp", "snews", "prospero", "rtsp",
	"rtsps", "rtspu", "rsync", "svn", "svn+ssh", "sftp", "nfs", "git", "git+ssh", "ws", "wss",
}

// joinURL is urllib.parse.urlunsplit of the quoted parts.
func joinURL(part map[string]string, port, query string) string {
	netloc := ""
	username, password := quoteURL(part["username"], ""), quoteURL(part["password"], "")
	if username != "" || password != "" {
		netloc = username
		if password != "" {
			netloc += ":" + password
		}
		netloc += "@"
	}
	host := part["host"]
	if strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") {
		host = host[1 : len(host)-1]
	}
	if host = quoteURL(host, ":"); strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	netloc += host
	if port != "" {
		netloc += ":" + port
	}
	out := quoteURL(part["path"], "/")
	if netloc != "" || slices.Contains(hostSchemes, part["scheme"]) && !strings.HasPrefix(out, "//") {
		if out != "" && out[0] != '/' {
			out = "/" + out
		}
		out = "//" + netloc + out
	}
	if part["scheme"] != "" {
		out = part["scheme"] + ":" + out
	}
	if query != "" {
		out += "?" + query
	}
	if fragment := quoteURL(part["fragment"], "/"); fragment != "" {
		out += "#" + fragment
	}
	return out
}
