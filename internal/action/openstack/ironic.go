package openstack

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
)

// powerTargets are the words that Ironic has for what people say.
var powerTargets = map[string]string{
	"on": "power on", "off": "power off", "reboot": "rebooting", "soft off": "soft power off", "soft reboot": "soft rebooting",
}

func nodePath(in *inputs, input, rest string) (string, error) {
	path, err := fill("nodes/{"+input+"}", in)
	return path + rest, err
}

func nodeSetMaintenance(ctx context.Context, s *session, in *inputs) (any, error) {
	path, err := nodePath(in, "node_id", "/maintenance")
	if err != nil {
		return nil, err
	}
	on, err := boolean("state", in.get("state"))
	if err != nil {
		return nil, err
	}
	if !on {
		return s.nothing(ctx, request{method: http.MethodDelete, path: path})
	}
	return s.nothing(ctx, request{method: http.MethodPut, path: path, body: value.MapOf("reason", in.get("maint_reason"))})
}

// boolean reads what OpenStack's clients take for one.
func boolean(name string, v any) (bool, error) {
	switch strings.ToLower(value.Str(v)) {
	case "true", "1", "t", "on", "y", "yes":
		return true, nil
	case "false", "0", "f", "off", "n", "no":
		return false, nil
	}
	return false, fmt.Errorf("%s is %q; want true or false", name, value.Str(v))
}

func nodeSetPowerState(ctx context.Context, s *session, in *inputs) (any, error) {
	path, err := nodePath(in, "node_id", "/states/power")
	if err != nil {
		return nil, err
	}
	asked := in.text("state")
	if in.on("soft") {
		asked = "soft " + asked
	}
	target := powerTargets[asked]
	if target == "" {
		target = in.text("state")
	}
	body := value.MapOf("target", target)
	if t := in.get("timeout"); t != nil {
		n, err := value.ToInt(t)
		if positive, ok := value.Int(n); err != nil || !ok || positive <= 0 {
			return nil, fmt.Errorf("'timeout' option for setting power state must have positive integer value (> 0), not %s", value.Str(t))
		}
		body.SetStr("timeout", n)
	}
	return s.nothing(ctx, request{method: http.MethodPut, path: path, body: body})
}

func nodeSetProvisionState(ctx context.Context, s *session, in *inputs) (any, error) {
	path, err := nodePath(in, "node_uuid", "/states/provision")
	if err != nil {
		return nil, err
	}
	body := value.MapOf("target", in.text("state"))
	switch { // only one of them is sent
	case in.on("configdrive"):
		// A path is not read: what an engine's machine has is not for its workflows.
		body.SetStr("configdrive", in.get("configdrive"))
	case in.on("cleansteps"):
		body.SetStr("clean_steps", in.get("cleansteps"))
	case in.on("rescue_password"):
		body.SetStr("rescue_password", in.get("rescue_password"))
	}
	if in.on("deploysteps") {
		body.SetStr("deploy_steps", in.get("deploysteps"))
	}
	return s.nothing(ctx, request{method: http.MethodPut, path: path, body: body})
}

func nodeUpdate(ctx context.Context, s *session, in *inputs) (any, error) {
	path, err := nodePath(in, "node_id", "")
	if err != nil {
		return nil, err
	}
	r := request{method: strings.ToUpper(in.text("http_method")), path: path, body: in.get("patch"), query: url.Values{}}
	setQuery(r.query, "reset_interfaces", in.get("reset_interfaces"))
	return s.json(ctx, r)
}

func driverUpdate(ctx context.Context, s *session, in *inputs) (any, error) {
	path, err := fill("drivers/{driver_name}", in)
	if err != nil {
		return nil, err
	}
	return s.json(ctx, request{method: strings.ToUpper(in.text("http_method")), path: path, body: in.get("patch")})
}

// passthru calls a method that the driver of a node offers, or the driver itself.
func passthru(collection, input string) function {
	return func(ctx context.Context, s *session, in *inputs) (any, error) {
		path, err := fill(collection+"/{"+input+"}/vendor_passthru/{method}", in)
		if err != nil {
			return nil, err
		}
		method := strings.ToUpper(in.text("http_method"))
		if method == "" {
			method = http.MethodPost
		}
		r := request{method: method, path: path}
		switch method {
		case http.MethodPost, http.MethodPut, http.MethodPatch:
			if r.body = in.get("args"); r.body == nil {
				r.body = value.NewMap(0)
			}
		case http.MethodGet:
		case http.MethodDelete:
			return s.nothing(ctx, r)
		default:
			return nil, fmt.Errorf("Unknown HTTP method: %s", method)
		}
		return s.json(ctx, r)
	}
}

// nodeWait looks at a node until it is in the state, or in one in which it will stay.
func nodeWait(ctx context.Context, s *session, in *inputs) (any, error) {
	path, err := nodePath(in, "node_ident", "")
	if err != nil {
		return nil, err
	}
	ident, want := in.text("node_ident"), strings.ToLower(in.text("expected_state"))
	late := fmt.Errorf("Node %s failed to reach state %s in %s seconds", ident, want, in.text("timeout"))
	return nil, poll(ctx, in.get("timeout"), in.get("poll_interval"), late, func() (bool, error) {
		node, err := s.json(ctx, request{method: http.MethodGet, path: path})
		if err != nil {
			return false, err
		}
		state := value.Str(member(node, "provision_state"))
		switch {
		case state == want:
			return true, nil
		case state == "error" || strings.HasSuffix(state, " failed"):
			return false, fmt.Errorf("Node %s failed to reach state %s. It's in state %s, and has error: %s", ident, want, state, value.Str(member(node, "last_error")))
		case in.on("fail_on_unexpected_state") && !value.Truth(member(node, "target_provision_state")):
			return false, fmt.Errorf("Node %s failed to reach state %s. It's in unexpected stable state %s", ident, want, state)
		}
		return false, nil
	})
}

// poll looks again and again, at most for limit seconds, 0 being for ever; interval is in seconds too.
func poll(ctx context.Context, limit, interval any, late error, look func() (bool, error)) error {
	seconds := func(v any) time.Duration {
		f, err := value.ToFloat(v)
		if err != nil || f < 0 {
			return 0
		}
		return time.Duration(min(f, 1e9) * float64(time.Second))
	}
	if end := seconds(limit); end > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, end, late)
		defer cancel()
	}
	tick := time.NewTicker(max(seconds(interval), 10*time.Millisecond))
	defer tick.Stop()
	for {
		done, err := look()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if done || err != nil {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// introspectionWait waits for the introspection of several nodes, and gives the end of each by its id.
func introspectionWait(ctx context.Context, s *session, in *inputs) (any, error) {
	ids, _ := in.get("node_ids").([]any)
	if ids == nil {
		ids, _ = in.get("uuids").([]any)
	}
	if len(ids) == 0 {
		return nil, errors.New("node_ids is empty")
	}
	out := value.NewMap(len(ids))
	left := slices.Clone(ids)
	rounds, _ := value.Int(in.get("max_retries"))
	err := poll(ctx, nil, in.get("retry_interval"), nil, func() (bool, error) {
		var busy []any
		for _, id := range left {
			status, err := s.json(ctx, request{method: http.MethodGet, path: "v1/introspection/" + url.PathEscape(value.Str(id))})
			if err != nil {
				return false, err
			}
			if value.Truth(member(status, "finished")) {
				out.SetStr(value.Str(id), status)
			} else {
				busy = append(busy, id)
			}
		}
		left = busy
		if rounds--; len(left) > 0 && rounds <= 0 {
			return false, fmt.Errorf("Timeout while waiting for introspection of nodes %s", value.Str(left))
		}
		return len(left) == 0, nil
	})
	return out, err
}
