package stack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// MaxDepth is as deep as stacks can be nested in a list: Heat's own limit is five.
const MaxDepth = 10

// Link is one of Heat's links.
type Link struct {
	Href string `json:"href"`
	Rel  string `json:"rel"`
}

// refOf reads the stack that the link of a relation names.
func refOf(links []Link, rel string) Ref {
	for _, l := range links {
		if l.Rel != rel {
			continue
		}
		if u, err := url.Parse(l.Href); err == nil {
			_, rest, _ := strings.Cut(u.Path, "/stacks/")
			if parts := strings.Split(rest, "/"); len(parts) >= 2 {
				return Ref{parts[0], parts[1]}
			}
		}
	}
	return Ref{}
}

// Resource is what Heat says of one resource.
type Resource struct {
	Name       string           `json:"resource_name"`
	Type       string           `json:"resource_type"`
	PhysicalID string           `json:"physical_resource_id"`
	Status     string           `json:"resource_status"` // ACTION_STATE
	Reason     string           `json:"resource_status_reason"`
	Created    Time             `json:"creation_time"`
	Updated    Time             `json:"updated_time"`
	RequiredBy []string         `json:"required_by"`
	Parent     string           `json:"parent_resource,omitempty"` // the resource that is the nested stack this one is in
	Attributes map[string]Value `json:"attributes,omitempty"`
	Links      []Link           `json:"links"`
}

// Stack is the stack that the resource is in, which may be a nested one.
func (r *Resource) Stack() Ref { return refOf(r.Links, "stack") }

// Nested is the stack that the resource is, if it is one.
func (r *Resource) Nested() Ref { return refOf(r.Links, "nested") }

// Resources lists a stack's resources, and those of stacks nested in it down to a depth.
func (c *Client) Resources(ctx context.Context, ref Ref, depth int) ([]Resource, error) {
	query := url.Values{}
	if depth > 0 {
		query.Set("nested_depth", strconv.Itoa(depth))
	}
	var answer struct{ Resources []Resource }
	if err := c.Get(ctx, ref.path("resources"), query, &answer); err != nil {
		return nil, fmt.Errorf("resources of stack %s: %w", ref, err)
	}
	return answer.Resources, nil
}

// Resource reads one resource, with attributes: those named, or all where none is.
func (c *Client) Resource(ctx context.Context, ref Ref, name string, attributes ...string) (*Resource, error) {
	var answer struct{ Resource Resource }
	if err := c.Get(ctx, ref.path("resources", name), url.Values{"with_attr": attributes}, &answer); err != nil {
		return nil, fmt.Errorf("resource %s of stack %s: %w", name, ref, err)
	}
	return &answer.Resource, nil
}

// Metadata reads the metadata that agents see.
func (c *Client) Metadata(ctx context.Context, ref Ref, name string) (Value, error) {
	var answer struct{ Metadata Value }
	if err := c.Get(ctx, ref.path("resources", name, "metadata"), nil, &answer); err != nil {
		return nil, fmt.Errorf("metadata of %s of stack %s: %w", name, ref, err)
	}
	return answer.Metadata, nil
}

// ErrNotCreated says that Heat has not begun to create a resource.
var ErrNotCreated = errors.New("Heat has not begun to create it")

// Signal sends a resource a signal: JSON, or nothing. Heat acts on it later; how that went shows in the events. What
// would go to a resource that is not begun (INIT) is refused with ErrNotCreated, since Heat answers that all is well and
// only then finds that there is nobody to take it. A hook before the creation is released in that state, though.
func (c *Client) Signal(ctx context.Context, ref Ref, name string, data []byte) error {
	var hook struct {
		Unset any `json:"unset_hook"`
	}
	if _ = json.Unmarshal(data, &hook); hook.Unset == nil { // data that is no object releases no hook
		r, err := c.Resource(ctx, ref, name)
		if err != nil {
			return err
		}
		if strings.HasPrefix(r.Status, "INIT_") {
			return fmt.Errorf("signal to %s of stack %s: %w and would lose the signal: send it once the resource is there"+
				" (hotloom stack watch %s)", name, ref, ErrNotCreated, ref.Name)
		}
	}
	var body any
	if len(data) > 0 {
		body = data
	}
	if _, err := c.call(ctx, http.MethodPost, ref.path("resources", name, "signal"), nil, body, nil); err != nil {
		return fmt.Errorf("signal to %s of stack %s: %w", name, ref, err)
	}
	return nil
}

// MarkUnhealthy has the next update replace a resource; with unhealthy false it takes that back.
func (c *Client) MarkUnhealthy(ctx context.Context, ref Ref, name string, unhealthy bool, reason string) error {
	body := map[string]any{"mark_unhealthy": unhealthy, "resource_status_reason": reason}
	if _, err := c.call(ctx, http.MethodPatch, ref.path("resources", name), nil, body, nil); err != nil {
		return fmt.Errorf("resource %s of stack %s: %w", name, ref, err)
	}
	return nil
}
