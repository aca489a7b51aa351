package openstack

import (
	"context"
	"net/http"

	"github.com/hotloom/hotloom/compiler/value"
)

// imagesUpdate changes attributes by a patch made from what the image has now, and gives the image.
func imagesUpdate(ctx context.Context, s *session, in *inputs) (any, error) {
	path, err := fill("images/{image_id}", in)
	if err != nil {
		return nil, err
	}
	image, err := s.json(ctx, request{method: http.MethodGet, path: path})
	if err != nil {
		return nil, err
	}
	has := func(name string) bool { m, ok := image.(*value.Map); _, there := m.GetStr(name); return ok && there }
	patch := []any{}
	changed := in.rest()
	for k, v := range changed.All() {
		op := "add"
		if has(value.Str(k)) {
			op = "replace"
		}
		patch = append(patch, value.MapOf("op", op, "path", "/"+value.Str(k), "value", v))
	}
	gone, _ := in.get("remove_props").([]any)
	for _, k := range gone {
		if _, kept := changed.GetStr(value.Str(k)); has(value.Str(k)) && !kept {
			patch = append(patch, value.MapOf("op", "remove", "path", "/"+value.Str(k)))
		}
	}
	_, err = s.do(ctx, request{
		method: http.MethodPatch, path: path, body: patch,
		headers: map[string]string{"Content-Type": "application/openstack-images-v2.1-json-patch"},
	})
	if err != nil {
		return nil, err
	}
	return s.json(ctx, request{method: http.MethodGet, path: path})
}

func imagesUpload(ctx context.Context, s *session, in *inputs) (any, error) {
	path, err := fill("images/{image_id}/file", in)
	if err != nil {
		return nil, err
	}
	return s.nothing(ctx, request{method: http.MethodPut, path: path, body: []byte(in.text("image_data"))})
}
