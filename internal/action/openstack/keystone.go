package openstack

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/hotloom/hotloom/compiler/value"
)

// rolesList lists all roles, or those of a user or group on one project, domain or the system.
func rolesList(ctx context.Context, s *session, in *inputs) (any, error) {
	r := request{method: http.MethodGet, path: "roles", query: url.Values{}}
	for k, v := range in.rest().All() {
		setQuery(r.query, value.Str(k), v)
	}
	if in.on("user") || in.on("group") {
		if in.on("user") == in.on("group") {
			return nil, errors.New("Specify either a user or group, not both")
		}
		path := "{domain:domains/}{domain}{project:projects/}{project}{system:system}{user:/users/}{user}{group:/groups/}{group}/roles"
		if in.on("os_inherit_extension_inherited") {
			path = "OS-INHERIT/" + path + "/inherited_to_projects"
		}
		var err error
		if r.path, err = fill(path, in); err != nil {
			return nil, err
		}
	}
	return s.part(ctx, r, "roles")
}

func trustsCreate(ctx context.Context, s *session, in *inputs) (any, error) {
	trust := value.MapOf("impersonation", in.get("impersonation"), "trustee_user_id", in.get("trustee_user"), "trustor_user_id", in.get("trustor_user"))
	for as, name := range map[string]string{"project_id": "project", "expires_at": "expires_at", "remaining_uses": "remaining_uses"} {
		if v := in.get(name); v != nil {
			trust.SetStr(as, v)
		}
	}
	var roles []any
	for as, name := range map[string]string{"name": "role_names", "id": "role_ids"} {
		list, _ := in.get(name).([]any)
		for _, v := range list {
			roles = append(roles, value.MapOf(as, v))
		}
	}
	if roles != nil {
		trust.SetStr("roles", roles)
	}
	for k, v := range in.rest().All() {
		trust.SetStr(value.Str(k), v)
	}
	return s.part(ctx, request{method: http.MethodPost, path: "OS-TRUST/trusts", body: value.MapOf("trust", trust)}, "trust")
}
