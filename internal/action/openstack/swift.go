package openstack

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
)

// place is the path of an account, container or object, after its inputs. An object's name may hold slashes.
func place(in *inputs) (string, error) {
	switch {
	case in.declared("obj"):
		return fill("{container}/{obj/}", in)
	case in.declared("container"):
		return fill("{container}", in)
	}
	return "", nil
}

// swiftRequest begins a request with the inputs that all of Swift's actions share.
func swiftRequest(method string, in *inputs) (request, error) {
	path, err := place(in)
	r := request{method: method, path: path, query: url.Values{}, headers: map[string]string{}}
	if m, ok := in.get("headers").(*value.Map); ok {
		for k, v := range m.All() {
			r.headers[value.Str(k)] = value.Str(v)
		}
	}
	if q := strings.TrimPrefix(in.text("query_string"), "?"); q != "" && err == nil {
		r.query, err = url.ParseQuery(q)
	}
	return r, err
}

// lowered gives an answer's headers by their names in small letters.
func (a *answer) lowered() *value.Map {
	m := value.NewMap(len(a.headers))
	for k, v := range a.headers {
		m.SetStr(strings.ToLower(k), strings.Join(v, ", "))
	}
	return m
}

func swiftHead(ctx context.Context, s *session, in *inputs) (any, error) {
	r, err := swiftRequest(http.MethodHead, in)
	if err != nil {
		return nil, err
	}
	a, err := s.do(ctx, r)
	if err != nil {
		return nil, err
	}
	return a.lowered(), nil
}

// swiftListing gives [headers, entries].
func swiftListing(ctx context.Context, s *session, in *inputs) (any, error) {
	r, err := swiftRequest(http.MethodGet, in)
	if err != nil {
		return nil, err
	}
	r.query.Set("format", "json")
	for _, name := range []string{"marker", "limit", "prefix", "delimiter", "end_marker", "version_marker", "path"} {
		if in.declared(name) {
			setQuery(r.query, name, in.get(name))
		}
	}
	var headers *value.Map
	all := []any{}
	for range maxPages {
		a, err := s.do(ctx, r)
		if err != nil {
			return nil, err
		}
		v, err := a.json()
		if err != nil {
			return nil, err
		}
		page, _ := v.([]any)
		all = append(all, page...)
		if headers == nil {
			headers = a.lowered()
		}
		if len(page) == 0 || !in.on("full_listing") {
			break
		}
		last := page[len(page)-1]
		marker := member(last, "name")
		if marker == nil {
			marker = member(last, "subdir")
		}
		r.query.Set("marker", value.Str(marker))
	}
	return []any{headers, all}, nil
}

// swiftGetObject gives [headers, content], the content as text.
func swiftGetObject(ctx context.Context, s *session, in *inputs) (any, error) {
	r, err := swiftRequest(http.MethodGet, in)
	if err != nil {
		return nil, err
	}
	r.headers["Accept"] = "*/*"
	a, err := s.do(ctx, r)
	if err != nil {
		return nil, err
	}
	return []any{a.lowered(), strings.ToValidUTF8(string(a.body), "\uFFFD")}, nil
}

// swiftPut makes a container, or stores an object: then the result is its etag.
func swiftPut(ctx context.Context, s *session, in *inputs) (any, error) {
	r, err := swiftRequest(http.MethodPut, in)
	if err != nil {
		return nil, err
	}
	if !in.declared("contents") {
		return s.nothing(ctx, r)
	}
	switch c := in.get("contents").(type) {
	case nil:
		r.body = []byte{}
	case string:
		r.body = []byte(c)
	default:
		text, err := value.JSON(c, value.JSONOptions{Unicode: true})
		if err != nil {
			return nil, err
		}
		r.body = []byte(text)
	}
	if v := in.text("content_type"); v != "" {
		r.headers["Content-Type"] = v
	}
	if v := in.text("etag"); v != "" {
		r.headers["Etag"] = v
	}
	a, err := s.do(ctx, r)
	if err != nil {
		return nil, err
	}
	return strings.Trim(a.headers.Get("Etag"), `"`), nil
}

func swiftPost(ctx context.Context, s *session, in *inputs) (any, error) {
	r, err := swiftRequest(http.MethodPost, in)
	if err != nil {
		return nil, err
	}
	return s.nothing(ctx, r)
}

func swiftDelete(ctx context.Context, s *session, in *inputs) (any, error) {
	r, err := swiftRequest(http.MethodDelete, in)
	if err != nil {
		return nil, err
	}
	return s.nothing(ctx, r)
}

// swiftCopy copies an object to /CONTAINER/OBJECT, or onto itself with new metadata; the result is its etag.
func swiftCopy(ctx context.Context, s *session, in *inputs) (any, error) {
	r, err := swiftRequest("COPY", in)
	if err != nil {
		return nil, err
	}
	destination := in.text("destination")
	if destination == "" {
		destination = "/" + in.text("container") + "/" + in.text("obj")
	}
	r.headers["Destination"] = (&url.URL{Path: destination}).EscapedPath()
	if in.on("fresh_metadata") {
		r.headers["X-Fresh-Metadata"] = "true"
	}
	a, err := s.do(ctx, r)
	if err != nil {
		return nil, err
	}
	return strings.Trim(a.headers.Get("Etag"), `"`), nil
}

// swiftCapabilities reads /info of the server that the account is on.
func swiftCapabilities(ctx context.Context, s *session, in *inputs) (any, error) {
	base, err := url.Parse(s.sc.ServiceURL(""))
	if err != nil {
		return nil, err
	}
	account := strings.TrimSuffix(base.Path, "/")
	if i := strings.Index(account, "/v1/"); i >= 0 {
		account = account[:i]
	}
	base.Path = account + "/info"
	return s.json(ctx, request{method: http.MethodGet, path: base.String()})
}
