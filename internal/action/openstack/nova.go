package openstack

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/hotloom/hotloom/compiler/value"
)

func flavorsCreate(ctx context.Context, s *session, in *inputs) (any, error) {
	flavor := value.NewMap(8)
	for as, name := range map[string]string{"ram": "ram", "vcpus": "vcpus", "disk": "disk", "swap": "swap", "OS-FLV-EXT-DATA:ephemeral": "ephemeral"} {
		n, err := value.ToInt(in.get(name))
		if err != nil {
			return nil, fmt.Errorf("%s must be an integer", name)
		}
		flavor.SetStr(as, n)
	}
	flavor.SetStr("name", in.get("name"))
	flavor.SetStr("rxtx_factor", in.get("rxtx_factor"))
	flavor.SetStr("os-flavor-access:is_public", in.get("is_public"))
	flavor.SetStr("id", nil)
	if id := in.text("flavorid"); id != "auto" {
		flavor.SetStr("id", id)
	}
	return s.part(ctx, request{method: http.MethodPost, path: "flavors", body: value.MapOf("flavor", flavor)}, "flavor")
}

func flavorsList(ctx context.Context, s *session, in *inputs) (any, error) {
	r := request{method: http.MethodGet, path: "flavors", query: url.Values{}}
	if in.on("detailed") {
		r.path += "/detail"
	}
	for as, name := range map[string]string{"marker": "marker", "minDisk": "min_disk", "minRam": "min_ram", "limit": "limit", "sort_key": "sort_key", "sort_dir": "sort_dir"} {
		if in.on(name) {
			setQuery(r.query, as, in.get(name))
		}
	}
	if !in.on("is_public") {
		r.query.Set("is_public", value.Str(in.get("is_public")))
	}
	return s.part(ctx, r, "flavors")
}

// serverFields are inputs of servers_create that go into the request as they are, by their names there.
var serverFields = [][2]string{
	{"metadata", "meta"},
	{"key_name", "key_name"},
	{"config_drive", "config_drive"},
	{"adminPass", "admin_pass"},
	{"availability_zone", "availability_zone"},
	{"OS-DCF:diskConfig", "disk_config"},
	{"accessIPv4", "access_ip_v4"},
	{"accessIPv6", "access_ip_v6"},
	{"trusted_image_certificates", "trusted_image_certificates"},
	{"host", "host"},
	{"hypervisor_hostname", "hypervisor_hostname"},
	{"hostname", "hostname"},
	{"block_device_mapping_v2", "block_device_mapping_v2"},
}

func serversCreate(ctx context.Context, s *session, in *inputs) (any, error) {
	server := value.MapOf("name", in.get("name"), "imageRef", in.text("image"), "flavorRef", in.text("flavor"))
	for _, f := range serverFields {
		if in.on(f[1]) {
			server.SetStr(f[0], in.get(f[1]))
		}
	}
	if v := in.text("userdata"); v != "" {
		server.SetStr("user_data", base64.StdEncoding.EncodeToString([]byte(v)))
	}
	smallest := any(int64(1))
	if in.on("min_count") {
		smallest = in.get("min_count")
	}
	largest := smallest
	if in.on("max_count") {
		largest = in.get("max_count")
	}
	server.SetStr("min_count", smallest)
	server.SetStr("max_count", largest)
	groups, _ := in.get("security_groups").([]any)
	for i, g := range groups {
		groups[i] = value.MapOf("name", g)
	}
	if len(groups) > 0 {
		server.SetStr("security_groups", groups)
	}
	if files, ok := in.get("files").(*value.Map); ok && files.Len() > 0 {
		var personality []any
		for path, text := range files.All() {
			personality = append(personality, value.MapOf("path", path, "contents", base64.StdEncoding.EncodeToString([]byte(value.Str(text)))))
		}
		server.SetStr("personality", personality)
	}
	if nics := in.get("nics"); nics != nil {
		networks, err := networksOf(nics)
		if err != nil {
			return nil, err
		}
		server.SetStr("networks", networks)
	}
	for k, v := range in.rest().All() {
		server.SetStr(value.Str(k), v)
	}
	body := value.MapOf("server", server)
	if in.on("scheduler_hints") {
		body.SetStr("os:scheduler_hints", in.get("scheduler_hints"))
	}
	return s.part(ctx, request{method: http.MethodPost, path: "servers", body: body}, "server")
}

// networksOf turns the command line's words for a server's networks into the API's.
func networksOf(nics any) (any, error) {
	list, ok := nics.([]any)
	if !ok {
		return nics, nil // auto or none
	}
	out := []any{}
	for _, nic := range list {
		net := value.NewMap(2)
		v4, v6 := value.Truth(member(nic, "v4-fixed-ip")), value.Truth(member(nic, "v6-fixed-ip"))
		if v4 && v6 {
			return nil, fmt.Errorf("Only one of 'v4-fixed-ip' and 'v6-fixed-ip' may be provided.") //nolint:staticcheck // as Nova's client
		}
		for _, f := range [][2]string{{"uuid", "net-id"}, {"fixed_ip", "v4-fixed-ip"}, {"fixed_ip", "v6-fixed-ip"}, {"port", "port-id"}, {"tag", "tag"}} {
			if v := member(nic, f[1]); value.Truth(v) {
				net.SetStr(f[0], v)
			}
		}
		out = append(out, net)
	}
	return out, nil
}

// serversCreateImage gives the image's id, which Nova tells in the address of the image.
func serversCreateImage(ctx context.Context, s *session, in *inputs) (any, error) {
	path, err := fill("servers/{server}/action", in)
	if err != nil {
		return nil, err
	}
	metadata := in.get("metadata")
	if metadata == nil {
		metadata = value.NewMap(0)
	}
	a, err := s.do(ctx, request{method: http.MethodPost, path: path, body: value.MapOf("createImage", value.MapOf("name", in.get("image_name"), "metadata", metadata))})
	if err != nil {
		return nil, err
	}
	at := a.headers.Get("Location")
	return at[strings.LastIndexByte(at, '/')+1:], nil
}

// serversFind looks among all servers for the only one whose attributes are those given.
func serversFind(ctx context.Context, s *session, in *inputs) (any, error) {
	r := request{method: http.MethodGet, path: "servers/detail", query: url.Values{}}
	if name := member(in.given, "name"); name != nil {
		setQuery(r.query, "name", name)
	}
	v, err := s.part(ctx, r, "servers")
	if err != nil {
		return nil, err
	}
	list, _ := v.([]any)
	var fit []any
	for _, server := range list {
		fits := true
		for k, want := range in.rest().All() {
			fits = fits && value.Equal(member(server, value.Str(k)), want)
		}
		if fits {
			fit = append(fit, server)
		}
	}
	return result{key: "servers", how: "[1]"}.take(value.MapOf("servers", fit))
}
