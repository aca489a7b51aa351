package openstack

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/gophercloud/gophercloud/v2"

	"github.com/hotloom/hotloom/compiler/value"
)

// maxAnswer is the largest answer in bytes that is read.
const maxAnswer = 64 << 20

// session is what one run of an action talks with.
type session struct {
	sc      *gophercloud.ServiceClient
	service *service
	headers map[string]string
}

// request is one HTTP call. Path is relative to the service's base.
type request struct {
	method, path string
	query        url.Values
	body         any // nil, a string that is sent as text, []byte, or what becomes JSON
	headers      map[string]string
}

// answer is what came back.
type answer struct {
	status  int
	headers http.Header
	body    []byte
}

// json gives the body as a value; nil where there is none.
func (a *answer) json() (any, error) {
	if len(strings.TrimSpace(string(a.body))) == 0 {
		return nil, nil
	}
	v, err := value.ParseJSON(string(a.body))
	if err != nil {
		return nil, fmt.Errorf("the answer is no JSON: %w", err)
	}
	return v, nil
}

var fineCodes = []int{200, 201, 202, 203, 204, 206, 300}

func (s *session) do(ctx context.Context, r request) (*answer, error) {
	target := s.sc.ServiceURL(r.path)
	if strings.HasPrefix(r.path, "http://") || strings.HasPrefix(r.path, "https://") {
		target = r.path // the link to a next page
	}
	if r.path == "" {
		target = strings.TrimSuffix(target, "/")
	}
	if len(r.query) > 0 {
		target += "?" + r.query.Encode()
	}
	o := &gophercloud.RequestOpts{OkCodes: fineCodes, KeepResponseBody: true, MoreHeaders: map[string]string{"Accept": "application/json"}}
	switch b := r.body.(type) {
	case nil:
	case string:
		o.RawBody = strings.NewReader(b)
		// Mistral's API answers 406 to text with Accept: application/json.
		o.MoreHeaders["Content-Type"], o.MoreHeaders["Accept"] = "text/plain", "*/*"
	case []byte:
		o.RawBody = strings.NewReader(string(b))
		o.MoreHeaders["Content-Type"] = "application/octet-stream"
	default:
		text, err := value.JSON(b, value.JSONOptions{Compact: true, Unicode: true})
		if err != nil {
			return nil, err
		}
		o.RawBody = strings.NewReader(text)
		o.MoreHeaders["Content-Type"] = "application/json"
	}
	maps.Copy(o.MoreHeaders, s.headers)
	maps.Copy(o.MoreHeaders, r.headers)
	resp, err := s.sc.Request(ctx, r.method, target, o)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err == nil && len(text) > maxAnswer {
		err = fmt.Errorf("the answer is larger than %d MiB", maxAnswer>>20)
	}
	return &answer{resp.StatusCode, resp.Header, text}, err
}

// perform carries out a line of the table.
func (s *session) perform(ctx context.Context, c *call, in *inputs) (any, error) {
	r, err := c.request(in)
	if err != nil {
		return nil, err
	}
	if strings.Contains(c.path, "{stack_id/}") && c.method != http.MethodGet {
		// Heat answers a short name with a redirect, after which another method than GET does not come through.
		if r, err = s.withWholeStack(ctx, c, in); err != nil {
			return nil, err
		}
	}
	a, err := s.do(ctx, r)
	if err != nil {
		return nil, err
	}
	v, err := a.json()
	if err != nil || c.result.none {
		return nil, err
	}
	out, err := c.result.take(v)
	if err == nil && c.pages != nil && (c.pages.limit == "" || value.Equal(in.get(c.pages.limit), int64(0))) {
		return s.follow(ctx, c, v, out)
	}
	return out, err
}

func (s *session) withWholeStack(ctx context.Context, c *call, in *inputs) (request, error) {
	whole, err := s.stack(ctx, in.text("stack_id"))
	if err != nil {
		return request{}, err
	}
	given := in.given.Clone()
	given.SetStr("stack_id", whole)
	return c.request(newInputs(in.signature, given))
}

// stack gives NAME/ID of a stack.
func (s *session) stack(ctx context.Context, id string) (string, error) {
	if strings.Contains(id, "/") {
		return id, nil
	}
	a, err := s.do(ctx, request{method: http.MethodGet, path: "stacks/" + url.PathEscape(id), query: url.Values{"resolve_outputs": {"False"}}})
	if err != nil {
		return "", err
	}
	v, err := a.json()
	if err != nil {
		return "", err
	}
	stack, _ := member(v, "stack").(*value.Map)
	if stack == nil {
		return "", fmt.Errorf("Heat gives no stack %s", id)
	}
	return value.Str(member(stack, "stack_name")) + "/" + value.Str(member(stack, "id")), nil
}

// maxPages keeps a service that links in a circle from being asked for ever.
const maxPages = 10_000

// follow reads the pages that come next.
func (s *session) follow(ctx context.Context, c *call, page, out any) (any, error) {
	all, _ := out.([]any)
	for range maxPages {
		next, _ := member(page, "next").(string)
		if next == "" {
			return all, nil
		}
		path, query, err := s.relative(next)
		if err != nil {
			return nil, err
		}
		a, err := s.do(ctx, request{method: http.MethodGet, path: path, query: query})
		if err != nil {
			return nil, err
		}
		if page, err = a.json(); err != nil {
			return nil, err
		}
		more, err := c.result.take(page)
		if err != nil {
			return nil, err
		}
		list, _ := more.([]any)
		all = append(all, list...)
	}
	return nil, fmt.Errorf("there are more than %d pages", maxPages)
}

// relative makes a link a path below the service's base, so that no service sends the token elsewhere.
func (s *session) relative(link string) (string, url.Values, error) {
	u, err := url.Parse(link)
	if err != nil {
		return "", nil, err
	}
	base, err := url.Parse(s.sc.ServiceURL(""))
	if err != nil {
		return "", nil, err
	}
	path := u.Path
	for _, prefix := range []string{base.Path, strings.TrimSuffix(base.Path, "v1/"), strings.TrimSuffix(base.Path, "v2/"), "/v1/", "/v2/", "/"} {
		if rest, ok := strings.CutPrefix(path, prefix); ok {
			path = strings.TrimPrefix(strings.TrimPrefix(rest, "v1/"), "v2/")
			break
		}
	}
	return path, u.Query(), nil
}

func member(v any, key string) any {
	m, ok := v.(*value.Map)
	if !ok {
		return nil
	}
	x, _ := m.GetStr(key)
	return x
}

// take gives what a result is of an answer.
func (r result) take(v any) (any, error) {
	if r.none {
		return nil, nil
	}
	if r.key != "" {
		part := member(v, r.key)
		if part == nil && r.how == "[?]" {
			return v, nil
		}
		v = part
	}
	list, _ := v.([]any)
	switch r.how {
	case "[]", "[?]":
		if list == nil {
			list = []any{}
		}
		return list, nil
	case "[1]":
		switch len(list) {
		case 0:
			return nil, fmt.Errorf("Not Found (HTTP 404): none of the %s fits", r.key)
		case 1:
			return list[0], nil
		}
		return nil, fmt.Errorf("%d %s match, not one", len(list), r.key)
	}
	return v, nil
}
