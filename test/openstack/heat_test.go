//go:build openstack

package openstack_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// testBed is a thin client of the services that ./up started.
type testBed struct {
	credentials []string // OS_* variables
	state       string   // the state folder
	http        http.Client
	token       string
	endpoints   map[string]string // by service type
}

// statusError is an HTTP answer that is no success.
type statusError struct {
	status int
	body   string
}

func (e *statusError) Error() string { return fmt.Sprintf("HTTP %d: %s", e.status, e.body) }

// connect logs in with the credentials in the state folder.
func connect(ctx context.Context) (*testBed, error) {
	b := &testBed{state: os.Getenv("OPENSTACK_STATE"), http: http.Client{Timeout: time.Minute}, endpoints: map[string]string{}}
	if b.state == "" {
		b.state = "/var/tmp/hotloom-openstack"
	}
	rc, err := os.ReadFile(filepath.Join(b.state, "openrc"))
	if err != nil {
		return nil, err
	}
	v := map[string]string{}
	for _, word := range strings.Fields(string(rc)) {
		if name, value, ok := strings.Cut(word, "="); ok {
			v[name] = value
			b.credentials = append(b.credentials, word)
		}
	}
	domain := map[string]any{"id": "default"}
	login := map[string]any{"auth": map[string]any{
		"identity": map[string]any{"methods": []string{"password"}, "password": map[string]any{
			"user": map[string]any{"name": v["OS_USERNAME"], "domain": domain, "password": v["OS_PASSWORD"]},
		}},
		"scope": map[string]any{"project": map[string]any{"name": v["OS_PROJECT_NAME"], "domain": domain}},
	}}
	var answer struct {
		Token struct {
			Catalog []struct {
				Type      string
				Endpoints []struct{ Interface, URL string }
			}
		}
	}
	headers, err := b.call(ctx, http.MethodPost, v["OS_AUTH_URL"]+"/auth/tokens", login, &answer)
	if err != nil {
		return nil, fmt.Errorf("keystone login: %w", err)
	}
	b.token = headers.Get("X-Subject-Token")
	for _, service := range answer.Token.Catalog {
		for _, endpoint := range service.Endpoints {
			if endpoint.Interface == "public" {
				b.endpoints[service.Type] = endpoint.URL
			}
		}
	}
	return b, nil
}

// call sends body as JSON and decodes the answer into result; either may be nil.
func (b *testBed) call(ctx context.Context, method, url string, body, result any) (http.Header, error) {
	var reader io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		reader = bytes.NewReader(raw)
	}
	request, err := http.NewRequestWithContext(ctx, method, url, reader)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Auth-Token", b.token)
	response, err := b.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 400 {
		return nil, &statusError{response.StatusCode, string(raw)}
	}
	if result != nil && len(raw) > 0 {
		if err := json.Unmarshal(raw, result); err != nil {
			return nil, fmt.Errorf("%s %s: %w: %.200s", method, url, err, raw)
		}
	}
	return response.Header, nil
}

// heat calls the orchestration API.
func (b *testBed) heat(ctx context.Context, method, path string, body, result any) error {
	_, err := b.call(ctx, method, b.endpoints["orchestration"]+path, body, result)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	return nil
}

// stackState is what Heat says of a stack.
type stackState struct {
	ID      string `json:"id"`
	Status  string `json:"stack_status"`
	Reason  string `json:"stack_status_reason"`
	Outputs []struct {
		Key   string `json:"output_key"`
		Value any    `json:"output_value"`
		Error string `json:"output_error"`
	} `json:"outputs"`
}

// resourceState is what Heat says of a resource of a stack or of the stacks nested in it.
type resourceState struct {
	Name       string         `json:"resource_name"`
	Type       string         `json:"resource_type"`
	PhysicalID string         `json:"physical_resource_id"`
	Status     string         `json:"resource_status"`
	Reason     string         `json:"resource_status_reason"`
	Parent     string         `json:"parent_resource"`
	Attributes map[string]any `json:"attributes"`
	Links      []struct{ Href, Rel string }
}

// eventState is one line of a stack's history.
type eventState struct {
	Name       string `json:"resource_name"`
	PhysicalID string `json:"physical_resource_id"`
	Status     string `json:"resource_status"`
	Reason     string `json:"resource_status_reason"`
	Time       string `json:"event_time"`
}

func (b *testBed) show(ctx context.Context, name string) (stackState, error) {
	var answer struct{ Stack stackState }
	err := b.heat(ctx, http.MethodGet, "/stacks/"+name, nil, &answer)
	var refused *statusError
	if errors.As(err, &refused) && refused.status == http.StatusNotFound {
		return stackState{Status: "GONE"}, nil
	}
	return answer.Stack, err
}

// wait polls until the stack's action (CREATE, UPDATE, DELETE) has ended. Heat may begin a deletion after it has
// answered the call.
func (b *testBed) wait(ctx context.Context, name, action string) (stackState, error) {
	for {
		state, err := b.show(ctx, name)
		ended := strings.HasPrefix(state.Status, action) && !strings.HasSuffix(state.Status, "_IN_PROGRESS")
		if err != nil || ended || state.Status == "GONE" {
			return state, err
		}
		select {
		case <-ctx.Done():
			return state, fmt.Errorf("stack %s is %s: %w", name, state.Status, context.Cause(ctx))
		case <-time.After(time.Second):
		}
	}
}

// remove asks for the stack's deletion. (By name alone Heat redirects, and a redirected DELETE becomes a GET.)
func (b *testBed) remove(ctx context.Context, name string) error {
	state, err := b.show(ctx, name)
	if err != nil || state.Status == "GONE" || state.Status == "DELETE_COMPLETE" {
		return err
	}
	return b.heat(ctx, http.MethodDelete, "/stacks/"+name+"/"+state.ID, nil, nil)
}

// sweep removes what an earlier run left behind when it was killed: its stacks and the machines of their deployed servers.
func (b *testBed) sweep(ctx context.Context) error {
	var answer struct {
		Stacks []struct {
			Name string `json:"stack_name"`
		}
	}
	if err := b.heat(ctx, http.MethodGet, "/stacks?tags="+mark, nil, &answer); err != nil {
		return err
	}
	for _, s := range answer.Stacks {
		if err := b.remove(ctx, s.Name); err != nil {
			return err
		}
	}
	var servers struct{ Servers []*guest }
	if _, err := b.call(ctx, http.MethodGet, b.endpoints["compute"]+"/servers/detail", nil, &servers); err != nil {
		return err
	}
	for _, g := range servers.Servers {
		if g.Metadata["stack"] != "" {
			g.bed = b
			g.powerOff(ctx)
		}
	}
	return nil
}

// resources lists the stack's resources, those of nested stacks included.
func (b *testBed) resources(ctx context.Context, name string) ([]resourceState, error) {
	state, err := b.show(ctx, name)
	if err != nil {
		return nil, err
	}
	var answer struct{ Resources []resourceState }
	err = b.heat(ctx, http.MethodGet, "/stacks/"+name+"/"+state.ID+"/resources?nested_depth=5", nil, &answer)
	return answer.Resources, err
}

func (b *testBed) events(ctx context.Context, name string) ([]eventState, error) {
	state, err := b.show(ctx, name)
	if err != nil || state.ID == "" {
		return nil, err
	}
	var answer struct{ Events []eventState }
	err = b.heat(ctx, http.MethodGet, "/stacks/"+name+"/"+state.ID+"/events?nested_depth=5&limit=1000", nil, &answer)
	return answer.Events, err
}
