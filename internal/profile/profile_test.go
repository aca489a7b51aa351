package profile_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/internal/cloud"
	"github.com/hotloom/hotloom/internal/cloud/cloudtest"
	"github.com/hotloom/hotloom/internal/profile"
	"github.com/hotloom/hotloom/resources/catalog"
)

// fixture is a cloud with three types, one of which may not be read, and lists in pages.
func fixture(t *testing.T, services ...string) (*cloudtest.Cloud, *cloud.Client) {
	t.Helper()
	c := cloudtest.New(t, nil, services...)
	answers := map[string]any{
		"/orchestration/resource_types":                  map[string]any{"resource_types": []string{"OS::Nova::Server", "Acme::Thing", "OS::Heat::Secret"}},
		"/orchestration/resource_types/OS::Nova::Server": map[string]any{"resource_type": "OS::Nova::Server", "properties": map[string]any{"flavor": map[string]any{"type": "string", "required": true}}},
		"/orchestration/resource_types/Acme::Thing":      map[string]any{"resource_type": "Acme::Thing", "properties": map[string]any{"size": map[string]any{"type": "integer"}}},
		"/orchestration/template_versions":               map[string]any{"template_versions": []any{map[string]any{"version": "heat_template_version.2018-08-31", "aliases": []string{"heat_template_version.rocky"}}}},
		"/orchestration/build_info":                      map[string]any{"engine": map[string]any{"revision": "19.0.0"}},
		"/compute/limits":                                map[string]any{"limits": map[string]any{"absolute": map[string]any{"maxTotalInstances": 10, "totalInstancesUsed": 3, "maxTotalCores": -1}}},
		"/image/v2/images":                               map[string]any{"images": []any{map[string]any{"id": "i1", "name": "debian"}}, "next": "/v2/images?marker=i1"},
		"/image/v2/images?marker=i1":                     map[string]any{"images": []any{map[string]any{"id": "i2", "name": "alma"}}},
		"/network/v2.0/networks":                         map[string]any{"networks": []any{map[string]any{"id": "n1", "name": "private"}}},
		"/compute/flavors/detail":                        map[string]any{"flavors": []any{map[string]any{"id": "f1", "name": "small", "vcpus": 1, "ram": 512, "disk": 5}}},
		"/compute/flavors/detail?marker=f1":              map[string]any{"flavors": []any{}},
	}
	c.Handle("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if strings.HasSuffix(r.URL.Path, "/functions") {
			list := []any{map[string]any{"functions": "get_param"}}
			if r.URL.Query().Get("with_condition_func") == "True" {
				list = append(list, map[string]any{"functions": "equals"})
			}
			_ = json.NewEncoder(w).Encode(map[string]any{"template_functions": list})
			return
		}
		path := r.URL.Path
		if m := r.URL.Query().Get("marker"); m != "" {
			path += "?marker=" + m
		}
		answer, ok := answers[path]
		if !ok {
			w.WriteHeader(http.StatusForbidden)
			answer = map[string]any{"error": map[string]any{"message": "You are not authorized."}}
		}
		_ = json.NewEncoder(w).Encode(answer)
	})
	client, err := cloud.Connect(t.Context(), cloud.Options{Getenv: c.Getenv, Patience: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return c, client
}

func TestCaptureReadsWhatItMay(t *testing.T) {
	t.Parallel()
	_, client := fixture(t, "orchestration", "compute", "image", "network")
	var calls, last atomic.Int64
	p, err := profile.Capture(t.Context(), client, profile.Options{
		Names: profile.Kinds, Parallel: 3, Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC) },
		Progress: func(done, of int) {
			calls.Add(1)
			if last.Store(int64(done)); done > of {
				t.Errorf("%d of %d", done, of)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if calls.Load() != last.Load() || calls.Load() != 9 {
		t.Errorf("%d calls of progress, the last said %d", calls.Load(), last.Load())
	}
	want := catalog.Cloud{
		Version: 1, Captured: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Endpoint: client.AuthURL, Region: client.Region, Build: "19.0.0",
		TemplateVersions: []catalog.TemplateVersion{{
			Name: "heat_template_version.2018-08-31", Aliases: []string{"heat_template_version.rocky"}, Functions: []string{"get_param"}, ConditionFunctions: []string{"equals"},
		}},
		Plugins: []string{"Acme::Thing", "OS::Heat::Secret"},
		Limits:  &catalog.Limits{Instances: &catalog.Quota{Max: 10, Used: 3}},
		Names: &catalog.Names{
			Flavors: []catalog.Flavor{{Named: catalog.Named{ID: "f1", Name: "small"}, Cores: 1, RAM: 512, Disk: 5}},
			Images:  []catalog.Named{{ID: "i2", Name: "alma"}, {ID: "i1", Name: "debian"}}, Networks: []catalog.Named{{ID: "n1", Name: "private"}},
		},
		Incomplete: []string{"type OS::Heat::Secret: You are not authorized. (HTTP 403)"},
	}
	if diff := cmp.Diff(want, p.Cloud); diff != "" {
		t.Errorf("the profile (-want +got):\n%s", diff)
	}
	text, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	types, err := catalog.ParseProfile(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&want, types.Cloud()); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
	if kind := types.Type("Acme::Thing"); kind == nil || kind.Property("size").Type != catalog.Integer {
		t.Errorf("the plug-in's type is %v", kind)
	}
	if types.Type("OS::Cinder::Volume") != nil {
		t.Error("a type that the cloud lacks is in the catalog")
	}
}

func TestCaptureWithoutOtherServices(t *testing.T) {
	t.Parallel()
	_, client := fixture(t, "orchestration")
	p, err := profile.Capture(t.Context(), client, profile.Options{Names: []string{"images"}})
	if err != nil {
		t.Fatal(err)
	}
	if p.Names != nil || p.Limits != nil || !slices.ContainsFunc(p.Incomplete, func(s string) bool { return strings.HasPrefix(s, "images: ") }) {
		t.Errorf("names %v, limits %v, incomplete %v", p.Names, p.Limits, p.Incomplete)
	}
	if _, err := profile.Capture(t.Context(), client, profile.Options{Names: []string{"keys"}}); err == nil {
		t.Error("names that there are not are taken")
	}
}

func TestCaptureEndsWithItsContext(t *testing.T) {
	t.Parallel()
	_, client := fixture(t, "orchestration", "compute")
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := profile.Capture(ctx, client, profile.Options{Parallel: 1, Progress: func(int, int) { cancel() }}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
