package openstack

import (
	"context"
	"net/http"
	"net/url"

	"github.com/hotloom/hotloom/compiler/value"
)

// stacksList reads pages until as many stacks came as were asked for.
func stacksList(ctx context.Context, s *session, in *inputs) (any, error) {
	query := url.Values{}
	if m, ok := member(in.given, "filters").(*value.Map); ok {
		for k, v := range m.All() {
			setQuery(query, value.Str(k), v)
		}
	}
	for k, v := range in.rest("filters").All() {
		if value.Truth(v) {
			setQuery(query, value.Str(k), v)
		}
	}
	limit, _ := value.Int(member(in.given, "limit"))
	all := []any{}
	for {
		v, err := s.part(ctx, request{method: http.MethodGet, path: "stacks", query: query}, "stacks")
		if err != nil {
			return nil, err
		}
		page, _ := v.([]any)
		all = append(all, page...)
		left := limit - len(all)
		if left <= 0 || len(page) == 0 {
			return all, nil
		}
		query.Set("limit", value.Str(int64(left)))
		query.Set("marker", value.Str(member(page[len(page)-1], "id")))
	}
}

func stacksUpdate(ctx context.Context, s *session, in *inputs) (any, error) {
	whole, err := s.stack(ctx, in.text("stack_id"))
	if err != nil {
		return nil, err
	}
	_, err = s.do(ctx, request{method: updateMethod(in), path: "stacks/" + whole, body: in.rest("existing")})
	return nil, err
}

// updateMethod is PATCH where what is not given is to stay as it is.
func updateMethod(in *inputs) string {
	if value.Truth(member(in.given, "existing")) {
		return http.MethodPatch
	}
	return http.MethodPut
}

func stacksPreviewUpdate(ctx context.Context, s *session, in *inputs) (any, error) {
	whole, err := s.stack(ctx, in.text("stack_id"))
	if err != nil {
		return nil, err
	}
	r := request{method: updateMethod(in), path: "stacks/" + whole + "/preview", query: url.Values{}, body: in.rest("existing", "show_nested")}
	if value.Truth(member(in.given, "show_nested")) {
		r.query.Set("show_nested", "True")
	}
	return s.json(ctx, r)
}
