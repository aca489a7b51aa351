package function

import (
	"context"
	"crypto/md5"  //nolint:gosec // the user's choice, as hashlib offers it
	"crypto/sha1" //nolint:gosec // likewise
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"hash"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/yaql"
)

// This file computes the functions that make one value of others. Each has its argument evaluated and its shape checked
// before; unknown parts never arrive. The behaviour is that of the result methods in heat/engine/hot/functions.py.

// evalJoin is list_join: strict takes texts only, else maps and lists become JSON.
func evalJoin(strict bool) func(*Scope, Call, Value) (Value, error) {
	return func(_ *Scope, c Call, arg Value) (Value, error) {
		args := arg.([]any)
		var items []any
		for _, list := range args[1:] {
			if !strict && !value.Truth(list) || list == nil {
				continue
			}
			l, ok := list.([]any)
			if !ok {
				return nil, c.fail("works on lists, not on %s", describe(list))
			}
			items = append(items, l...)
		}
		delimiter, ok := args[0].(string)
		if !ok {
			return nil, c.fail("the delimiter must be a string, not %s", describe(args[0]))
		}
		parts := make([]string, len(items))
		for i, item := range items {
			text, ok := joinText(item, strict)
			if !ok {
				return nil, c.fail("item %d must be a string, not %s", i+1, describe(item))
			}
			parts[i] = text
		}
		return strings.Join(parts, delimiter), nil
	}
}

// earlyJoin finds a delimiter, lists and items that cannot be joined, whatever the others come to.
func earlyJoin(strict bool) func(Call, Value) error {
	return func(c Call, arg Value) error {
		args, _ := arg.([]any)
		for i, a := range args {
			list, _ := a.([]any)
			switch {
			case i == 0:
				if !mayBeText(a) {
					return c.fail("the delimiter must be a string, not %s", describe(a))
				}
				continue
			case !mayBe[[]any](a) && (strict || isUnknown(a) || value.Truth(a)):
				return c.fail("works on lists, not on %s", what(a))
			}
			for _, item := range list {
				if _, ok := joinText(item, strict); !ok && unknownIn(item) == nil {
					return c.fail("an item must be a string, not %s", describe(item))
				}
			}
		}
		return nil
	}
}

func isUnknown(v any) bool {
	_, unknown := v.(*Unknown)
	return unknown
}

// mayBe reports whether a value may turn out to be a T. Of what is unknown, it may where it is not certainly text.
func mayBe[T any](v any) bool {
	if u, unknown := v.(*Unknown); unknown {
		return !u.Text
	}
	_, ok := v.(T)
	return ok
}

func mayBeText(v any) bool {
	_, isText := v.(string)
	return isText || isUnknown(v)
}

// what describes a value that may be unknown.
func what(v any) string {
	if isUnknown(v) {
		return "a string"
	}
	return describe(v)
}

func joinText(item any, strict bool) (string, bool) {
	switch item := item.(type) {
	case nil:
		return "", true
	case string:
		return item, true
	case []any, *value.Map:
		if !strict {
			text, err := value.JSON(item, value.JSONOptions{SortKeys: true})
			return text, err == nil
		}
	}
	return "", false
}

// replaceMode is how strict a form of str_replace is.
type replaceMode struct{ json, strict, nonEmpty bool }

func evalReplace(mode replaceMode) func(*Scope, Call, Value) (Value, error) {
	return func(_ *Scope, c Call, arg Value) (Value, error) {
		m, ok := arg.(*value.Map)
		if !ok {
			return nil, c.fail("takes a map")
		}
		template, _ := m.GetStr("template")
		params, _ := m.GetStr("params")
		return replace(c, template, params, mode)
	}
}

// earlyReplace finds params that cannot be replaced, whatever the others come to.
func earlyReplace(mode replaceMode) func(Call, Value) error {
	return func(c Call, arg Value) error {
		m, _ := arg.(*value.Map)
		if m == nil {
			return nil
		}
		template, _ := m.GetStr("template")
		params, _ := m.GetStr("params")
		known, _ := params.(*value.Map)
		text, isText := template.(string)
		switch {
		case !mayBeText(template):
			return c.fail("the template must be a string, not %s", describe(template))
		case !mayBe[*value.Map](params):
			return c.fail("params must be a map, not %s", what(params))
		case known == nil:
			return nil
		}
		for k, v := range known.All() {
			if _, why := replacementText(v, mode); why != "" && unknownIn(v) == nil {
				return c.fail("param %s %s", value.Str(k), why)
			}
			if mode.strict && isText && !strings.Contains(text, value.Str(k)) {
				return c.fail("these params are not in the template: %s", value.Str(k))
			}
		}
		return nil
	}
}

// earlyItems finds items that are neither a T nor null, whatever the others come to.
func earlyItems[T any](want string) func(Call, Value) error {
	return func(c Call, arg Value) error {
		list, _ := arg.([]any)
		for i, item := range list {
			if item != nil && !mayBe[T](item) {
				return c.fail("item %d must be %s, not %s", i+1, want, what(item))
			}
		}
		return nil
	}
}

// evalFnReplace is the CFN form: a map and a text.
func evalFnReplace(_ *Scope, c Call, arg Value) (Value, error) {
	args, ok := arg.([]any)
	if !ok || len(args) != 2 {
		return nil, c.fail("takes a map and a text")
	}
	return replace(c, args[1], args[0], replaceMode{})
}

func replace(c Call, template, params any, mode replaceMode) (Value, error) {
	text, ok := template.(string)
	if !ok {
		return nil, c.fail("the template must be a string, not %s", describe(template))
	}
	m, ok := params.(*value.Map)
	if !ok {
		return nil, c.fail("params must be a map, not %s", describe(params))
	}
	keys := make([]string, 0, m.Len())
	values := make(map[string]string, m.Len())
	for k, v := range m.All() {
		key := value.Str(k)
		replacement, why := replacementText(v, mode)
		if why != "" {
			return nil, c.fail("param %s %s", key, why)
		}
		keys = append(keys, key)
		values[key] = replacement
	}
	slices.SortFunc(keys, func(a, b string) int { // longer ones first, so that they win over their parts
		if d := value.RuneLen(b) - value.RuneLen(a); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	if slices.Contains(keys, "") {
		return nil, c.fail("a placeholder is empty")
	}
	missing := map[string]bool{}
	for _, k := range keys {
		missing[k] = true
	}
	out := replaceAll(text, keys, values, missing)
	if mode.strict && len(missing) > 0 {
		var left []string
		for _, k := range keys {
			if missing[k] {
				left = append(left, k)
			}
		}
		return nil, c.fail("these params are not in the template: %s", strings.Join(left, ", "))
	}
	return out, nil
}

// replaceAll replaces the first placeholder everywhere and the others in what lies between, so that replaced text is
// not looked at again.
func replaceAll(text string, keys []string, values map[string]string, missing map[string]bool) string {
	if len(keys) == 0 {
		return text
	}
	parts := strings.Split(text, keys[0])
	if len(parts) > 1 {
		delete(missing, keys[0])
	}
	for i, part := range parts {
		parts[i] = replaceAll(part, keys[1:], values, missing)
	}
	return strings.Join(parts, values[keys[0]])
}

func replacementText(v any, mode replaceMode) (text, why string) {
	switch v := v.(type) {
	case nil:
	case []any, *value.Map:
		if !mode.json {
			return "", "must be a string or number, not " + describe(v)
		}
		if n, _ := value.Len(v); n > 0 || !mode.nonEmpty {
			text, err := value.JSON(v, value.JSONOptions{SortKeys: true})
			if err != nil {
				return "", err.Error()
			}
			return text, ""
		}
	default:
		text = value.Str(v)
	}
	if text == "" && mode.nonEmpty {
		return "", "is empty"
	}
	return text, ""
}

func evalSplit(_ *Scope, c Call, arg Value) (Value, error) {
	args, ok := arg.([]any)
	if !ok || len(args) < 2 {
		return nil, c.fail("takes a delimiter and a text")
	}
	if args[1] == nil {
		return nil, nil
	}
	text, okText := args[1].(string)
	delimiter, okDelimiter := args[0].(string)
	if !okText || args[0] != nil && (!okDelimiter || delimiter == "") {
		return nil, c.fail("takes a delimiter that is not empty and a text, not %s and %s", describe(args[0]), describe(args[1]))
	}
	split := strings.Split(text, delimiter)
	if args[0] == nil {
		split = value.SplitBlanks(text, -1, false)
	}
	parts := []any{}
	for _, s := range split {
		parts = append(parts, s)
	}
	if len(args) == 2 {
		return parts, nil
	}
	at, err := value.ToInt(args[2])
	if err != nil {
		return nil, c.fail("the index must be a number, not %s", describe(args[2]))
	}
	i, _ := value.Int(at)
	if i < 0 {
		i += len(parts)
	}
	if i < 0 || i >= len(parts) {
		return nil, c.fail("there is no part %s: the text has %d", value.Str(at), len(parts))
	}
	return parts[i], nil
}

// asMaps reads a list of maps in which null is an empty one.
func asMaps(c Call, arg Value) ([]*value.Map, error) {
	list, ok := arg.([]any)
	if !ok {
		return nil, c.fail("takes a list of maps, not %s", describe(arg))
	}
	maps := make([]*value.Map, len(list))
	for i, item := range list {
		switch item := item.(type) {
		case nil:
			maps[i] = value.NewMap(0)
		case *value.Map:
			maps[i] = item
		default:
			return nil, c.fail("item %d must be a map, not %s", i+1, describe(item))
		}
	}
	return maps, nil
}

func evalMapMerge(_ *Scope, c Call, arg Value) (Value, error) {
	if s, ok := arg.(string); ok && s == "" {
		return value.NewMap(0), nil // to Python an empty text is a list without items
	}
	maps, err := asMaps(c, arg)
	if err != nil {
		return nil, err
	}
	out := value.NewMap(0)
	for _, m := range maps {
		for k, v := range m.All() {
			if err := out.Set(k, v); err != nil {
				return nil, c.fail("%v", err)
			}
		}
	}
	return out, nil
}

func evalMapReplace(_ *Scope, c Call, arg Value) (Value, error) {
	if list, ok := arg.([]any); !ok || len(list) != 2 {
		return nil, c.fail("takes a map and a map of keys and values")
	}
	maps, err := asMaps(c, arg)
	if err != nil {
		return nil, err
	}
	in, by := maps[0], maps[1]
	replacements := map[string]*value.Map{"keys": value.NewMap(0), "values": value.NewMap(0)}
	for k, v := range by.All() {
		name, _ := k.(string)
		if replacements[name] == nil {
			return nil, c.fail("the second map has keys and values only, not %s", value.Str(k))
		}
		switch v := v.(type) {
		case nil:
		case *value.Map:
			replacements[name] = v
		default:
			return nil, c.fail("%s must be a map, not %s", name, describe(v))
		}
	}
	out := value.NewMap(in.Len())
	for k, v := range in.All() {
		key, ok := replacements["keys"].Get(k)
		switch {
		case !ok || key == nil:
			key = k
		default:
			if _, there := in.Get(key); there && !value.Equal(key, k) {
				return nil, c.fail("the new key %s is in the map already", value.Str(key))
			}
			if _, there := out.Get(key); there {
				return nil, c.fail("two keys become %s", value.Str(key))
			}
		}
		if _, err := value.Hash(v); err == nil {
			if r, ok := replacements["values"].Get(v); ok {
				v = r
			}
		}
		if err := out.Set(key, v); err != nil {
			return nil, c.fail("%v", err)
		}
	}
	return out, nil
}

// evalConcat is list_concat, and list_concat_unique where unique is set.
func evalConcat(unique bool) func(*Scope, Call, Value) (Value, error) {
	return func(_ *Scope, c Call, arg Value) (Value, error) {
		lists, ok := arg.([]any)
		if !ok {
			return nil, c.fail("takes a list of lists, not %s", describe(arg))
		}
		out := []any{}
		for i, list := range lists {
			items, ok := list.([]any)
			if !ok && list != nil {
				return nil, c.fail("item %d must be a list, not %s", i+1, describe(list))
			}
			for _, item := range items {
				if !unique || !slices.ContainsFunc(out, func(x any) bool { return value.Equal(x, item) }) {
					out = append(out, item)
				}
			}
		}
		return out, nil
	}
}

// evalFilter looks at the values to drop only where there is something to drop.
func evalFilter(s *Scope, c Call) (Value, error) {
	if shaped := s.shape(s.table.values, c); len(shaped) > 0 {
		return nil, &Fault{Diagnostic: shaped[0]}
	}
	list, err := s.Eval(c.Arg.Items[1])
	if err != nil || isUnknown(list) || !value.Truth(list) {
		return list, err
	}
	sequence, ok := list.([]any)
	if !ok {
		return nil, c.fail("works on lists only, not on %s", describe(list))
	}
	values, err := s.Eval(c.Arg.Items[0])
	if err != nil || isUnknown(values) {
		return values, err
	}
	if !value.Truth(values) {
		return sequence, nil
	}
	drop, ok := values.([]any)
	if !ok {
		return nil, c.fail("the values to drop must be a list, not %s", describe(values))
	}
	if u := unknownIn([]any{sequence, drop}); u != nil {
		return u, nil
	}
	out := []any{}
	for _, item := range sequence {
		if !slices.ContainsFunc(drop, func(x any) bool { return value.Equal(x, item) }) {
			out = append(out, item)
		}
	}
	return out, nil
}

var digests = map[string]func() hash.Hash{
	"md5": md5.New, "sha1": sha1.New, "sha224": sha256.New224, "sha256": sha256.New, "sha384": sha512.New384, "sha512": sha512.New,
}

// otherDigests are algorithms of Python's hashlib that are not computed here.
var otherDigests = []string{"blake2b", "blake2s", "sha3_224", "sha3_256", "sha3_384", "sha3_512", "shake_128", "shake_256", "sm3", "md5-sha1", "ripemd160", "sha512_224", "sha512_256"}

func evalDigest(_ *Scope, c Call, arg Value) (Value, error) {
	args, ok := arg.([]any)
	if !ok || slices.ContainsFunc(args, func(a any) bool { _, isText := a.(string); return !isText }) {
		return nil, c.fail("takes a list of two strings")
	}
	if len(args) != 2 {
		return nil, c.fail("takes an algorithm and a text, not %d items", len(args))
	}
	algorithm := args[0].(string)
	latin, ok := latin1(args[1].(string))
	if !ok {
		return nil, c.fail("the text has characters outside latin-1")
	}
	newHash := digests[strings.ToLower(algorithm)]
	switch {
	case newHash != nil:
		h := newHash()
		h.Write(latin)
		return hex.EncodeToString(h.Sum(nil)), nil
	case slices.Contains(otherDigests, strings.ToLower(algorithm)):
		return &Unknown{Why: "digest with " + algorithm + " is computed by Heat only"}, nil
	}
	return nil, c.fail("there is no algorithm %q", algorithm)
}

// earlyDigest finds an algorithm that there is not, whatever the text comes to.
func earlyDigest(c Call, arg Value) error {
	args, _ := arg.([]any)
	for _, a := range args {
		if !mayBeText(a) {
			return c.fail("takes two strings, not %s", describe(a))
		}
	}
	if len(args) != 2 {
		return c.fail("takes an algorithm and a text, not %d items", len(args))
	}
	name, isText := args[0].(string)
	if name = strings.ToLower(name); isText && digests[name] == nil && !slices.Contains(otherDigests, name) {
		return c.fail("there is no algorithm %q", name)
	}
	return nil
}

func latin1(s string) ([]byte, bool) {
	out := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 0xff {
			return nil, false
		}
		out = append(out, byte(r))
	}
	return out, true
}

// evalRepeat copies the template; maps says whether keys of maps can be gone over, steps whether permutations counts.
func evalRepeat(maps, steps bool) func(*Scope, Call, Value) (Value, error) {
	return func(_ *Scope, c Call, arg Value) (Value, error) {
		m := arg.(*value.Map)
		template, _ := m.GetStr("template")
		each, _ := m.GetStr("for_each")
		variables, ok := each.(*value.Map)
		if !ok || variables.Len() == 0 {
			return nil, c.fail("for_each must be a map with a variable at least")
		}
		nested := true
		if p, given := m.GetStr("permutations"); given && steps {
			nested = p != false
		}
		var names []string
		var lists [][]any
		lengths := map[int]bool{}
		for k, v := range variables.All() {
			list, err := loopItems(c, value.Str(k), v, maps && nested)
			if err != nil {
				return nil, err
			}
			names, lists = append(names, value.Str(k)), append(lists, list)
			if v != nil {
				lengths[len(list)] = true
			}
		}
		if !nested && len(lengths) > 1 {
			return nil, c.fail("the lists must be of one length where permutations is false")
		}
		out := []any{}
		err := combinations(lists, nested, func(items []any) error {
			copied, err := substitute(c, template, names, items)
			out = append(out, copied)
			return err
		})
		return out, err
	}
}

// earlyRepeat finds values that cannot be gone over, whatever the others come to.
func earlyRepeat(maps bool) func(Call, Value) error {
	return func(c Call, arg Value) error {
		m, _ := arg.(*value.Map)
		if m == nil {
			return nil
		}
		each, _ := m.GetStr("for_each")
		variables, _ := each.(*value.Map)
		if variables == nil {
			return nil
		}
		for k, v := range variables.All() {
			_, isMap := v.(*value.Map)
			if v != nil && !mayBe[[]any](v) && !(maps && isMap) {
				return c.fail("the values of %s must be a list, not %s", value.Str(k), what(v))
			}
		}
		return nil
	}
}

func loopItems(c Call, name string, v any, maps bool) ([]any, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case []any:
		return v, nil
	case *value.Map:
		if maps {
			return v.Keys(), nil
		}
	}
	return nil, c.fail("the values of %s must be a list, not %s", name, describe(v))
}

// maxCopies bounds what repeat makes; Heat has no bound but the size of a template.
const maxCopies = 100_000

func combinations(lists [][]any, nested bool, visit func([]any) error) error {
	if !nested {
		n := 0
		if len(lists) > 0 {
			n = len(lists[0])
		}
		for _, l := range lists {
			n = min(n, len(l))
		}
		for i := range n {
			items := make([]any, len(lists))
			for j, l := range lists {
				items[j] = l[i]
			}
			if err := visit(items); err != nil {
				return err
			}
		}
		return nil
	}
	total := 1
	for _, l := range lists {
		if total *= len(l); total > maxCopies || total == 0 {
			break
		}
	}
	for k := range min(total, maxCopies) {
		items := make([]any, len(lists))
		for j := len(lists) - 1; j >= 0; j-- {
			items[j] = lists[j][k%len(lists[j])]
			k /= len(lists[j])
		}
		if err := visit(items); err != nil {
			return err
		}
	}
	return nil
}

// substitute puts the items in the place of the variables, one variable after the other. Only where a text is does
// Python ask for the item to be one.
func substitute(c Call, template any, names []string, items []any) (any, error) {
	switch t := template.(type) {
	case string:
		for i, name := range names {
			text, ok := items[i].(string)
			if !ok {
				return nil, c.fail("the values of %s must be strings, not %s", name, describe(items[i]))
			}
			t = strings.ReplaceAll(t, name, text)
		}
		return t, nil
	case []any:
		out := make([]any, len(t))
		for i, x := range t {
			v, err := substitute(c, x, names, items)
			if err != nil {
				return nil, err
			}
			out[i] = v
		}
		return out, nil
	case *value.Map:
		out := value.NewMap(t.Len())
		for k, x := range t.All() {
			key, err := substitute(c, k, names, items)
			if err != nil {
				return nil, err
			}
			v, err := substitute(c, x, names, items)
			if err != nil {
				return nil, err
			}
			if err := out.Set(key, v); err != nil {
				return nil, c.fail("%v", err)
			}
		}
		return out, nil
	}
	return template, nil
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

// yaqlTimeout bounds one expression; Heat bounds items and memory, and the evaluator does so as well.
const yaqlTimeout = 2 * time.Second

func evalYaql(_ *Scope, c Call, arg Value) (Value, error) {
	m, ok := arg.(*value.Map)
	if !ok {
		return nil, c.fail("takes a map")
	}
	v, _ := m.GetStr("expression")
	text, ok := v.(string)
	if !ok {
		return nil, c.fail("the expression must be a string, not %s", describe(v))
	}
	expr, fault := yaql.Parse(text)
	if fault != nil {
		return nil, &Fault{Diagnostic: yaqlSyntax(c.Arg.Get("expression"), fault)}
	}
	data, _ := m.GetStr("data")
	ctx, cancel := context.WithTimeout(context.Background(), yaqlTimeout)
	defer cancel()
	out, err := yaql.Eval(ctx, yaql.Heat, expr, data, yaql.Options{})
	if err != nil {
		return nil, c.fail("%v", err)
	}
	return out, nil
}

// evalFnSelect picks an item; what is not there is empty text.
func evalFnSelect(_ *Scope, c Call, arg Value) (Value, error) {
	args, ok := arg.([]any)
	if !ok || len(args) != 2 {
		return nil, c.fail("takes an index and a collection")
	}
	collection := args[1]
	if text, isText := collection.(string); isText {
		parsed, err := value.ParseJSON(text)
		if err != nil {
			return nil, c.fail("the text is no JSON")
		}
		collection = parsed
	}
	switch items := collection.(type) {
	case nil:
		return "", nil
	case *value.Map:
		if _, isText := args[0].(string); !isText {
			return nil, c.fail("an item of a map is named by a string, not by %s", describe(args[0]))
		}
		if v, ok := items.Get(args[0]); ok {
			return v, nil
		}
		return "", nil
	case []any:
		n, err := value.ToInt(args[0])
		if err != nil {
			return nil, c.fail("an item of a list is named by a number, not by %s", describe(args[0]))
		}
		if v, ok := item(items, n); ok {
			return v, nil
		}
		return "", nil
	}
	return nil, c.fail("works on lists and maps, not on %s", describe(collection))
}

func evalFnBase64(_ *Scope, c Call, arg Value) (Value, error) {
	if _, ok := arg.(string); !ok {
		return nil, c.fail("takes a string, not %s", describe(arg))
	}
	return arg, nil
}

// evalMemberList turns .member.N.key=value texts into a map.
func evalMemberList(_ *Scope, c Call, arg Value) (Value, error) {
	args, ok := arg.([]any)
	if !ok || len(args) != 3 {
		return nil, c.fail("takes a key's name, a value's name and a list")
	}
	key, okKey := args[0].(string)
	val, okValue := args[1].(string)
	list, okList := args[2].([]any)
	if !okKey || !okValue || !okList {
		return nil, c.fail("takes two strings and a list")
	}
	members := map[string]map[string]string{}
	var order []string
	for _, item := range list {
		text, isText := item.(string)
		name, v, found := strings.Cut(text, "=")
		parts := strings.Split(name, ".")
		if !isText || !found || len(parts) < 4 || parts[1] != "member" {
			continue
		}
		n := parts[2]
		if members[n] == nil {
			members[n] = map[string]string{}
			order = append(order, n)
		}
		members[n][strings.Join(parts[3:], ".")] = v
	}
	out := value.NewMap(len(order))
	for _, n := range order {
		if k, ok := members[n][key]; ok {
			out.SetStr(k, members[n][val])
		}
	}
	return out, nil
}

// evalFnSplit is Fn::Split.
func evalFnSplit(_ *Scope, c Call, arg Value) (Value, error) {
	args, ok := arg.([]any)
	if !ok || len(args) != 2 {
		return nil, c.fail("takes a delimiter and a text")
	}
	text, okText := args[1].(string)
	delimiter, okDelimiter := args[0].(string)
	if !okText || !okDelimiter || delimiter == "" {
		return nil, c.fail("takes a delimiter that is not empty and a text")
	}
	out := []any{}
	for _, s := range strings.Split(text, delimiter) {
		out = append(out, s)
	}
	return out, nil
}
