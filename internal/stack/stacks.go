package stack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hotloom/hotloom/internal/cloud"
)

// Stack is what Heat says of a stack. Times are in UTC, of whole seconds.
type Stack struct {
	ID              string            `json:"id"`
	Name            string            `json:"stack_name"`
	Status          string            `json:"stack_status"` // ACTION_STATE, such as CREATE_COMPLETE
	Reason          string            `json:"stack_status_reason"`
	Description     string            `json:"description"`
	Template        string            `json:"template_description,omitempty"`
	Parameters      map[string]string `json:"parameters,omitempty"` // hidden ones are ******
	Outputs         []Output          `json:"outputs,omitempty"`
	Created         Time              `json:"creation_time"`
	Updated         Time              `json:"updated_time"`
	Deleted         Time              `json:"deletion_time"`
	DisableRollback bool              `json:"disable_rollback"`
	TimeoutMins     *int              `json:"timeout_mins,omitempty"`
	Parent          *string           `json:"parent"`
	Owner           *string           `json:"stack_owner"`
	Tags            []string          `json:"tags"`
}

// Ref names the stack.
func (s *Stack) Ref() Ref { return Ref{s.Name, s.ID} }

// Action and State are the halves of the status.
func (s *Stack) Action() string { return half(s.Status, 0) }

// State is IN_PROGRESS, COMPLETE or FAILED.
func (s *Stack) State() string { return half(s.Status, 1) }

func half(status string, i int) string {
	action, state, _ := strings.Cut(status, "_")
	return [2]string{action, state}[i]
}

// Output is one output of a stack; Value is empty in lists of outputs.
type Output struct {
	Key         string `json:"output_key"`
	Description string `json:"description"`
	Value       Value  `json:"output_value,omitempty"`
	Error       string `json:"output_error,omitempty"` // why there is no value
}

// Time is a time of Heat's: with or without Z, or null, which is the zero time.
type Time struct{ time.Time }

// UnmarshalJSON reads Heat's forms.
func (t *Time) UnmarshalJSON(text []byte) error {
	var s *string
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	if s == nil || *s == "" {
		return nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05"} {
		if at, err := time.Parse(layout, *s); err == nil {
			t.Time = at.UTC()
			return nil
		}
	}
	return fmt.Errorf("%q is no time that Heat writes", *s)
}

// MarshalJSON writes null for the zero time.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return json.Marshal(t.Format(time.RFC3339))
}

// Show reads a stack. Resolving outputs may make Heat ask the cloud for each of them.
func (c *Client) Show(ctx context.Context, ref Ref, outputs bool) (*Stack, error) {
	var answer struct{ Stack Stack }
	if err := c.Get(ctx, ref.path(), url.Values{"resolve_outputs": {strconv.FormatBool(outputs)}}, &answer); err != nil {
		return nil, fmt.Errorf("stack %s: %w", ref, err)
	}
	return &answer.Stack, nil
}

const page = 1000 // of lists

// ListOptions filter List. The zero value gives the project's own stacks that are not nested.
type ListOptions struct {
	Tags    []string // all of them
	Deleted bool     // deleted ones too
	Nested  bool
	Hidden  bool
	Status  string
	Name    string
}

// List gives the stacks, newest first.
func (c *Client) List(ctx context.Context, o ListOptions) ([]Stack, error) {
	query := url.Values{"limit": {strconv.Itoa(page)}, "sort_keys": {"creation_time"}, "sort_dir": {"desc"}}
	for key, set := range map[string]bool{"show_deleted": o.Deleted, "show_nested": o.Nested, "show_hidden": o.Hidden} {
		if set {
			query.Set(key, "true")
		}
	}
	for key, value := range map[string]string{"tags": strings.Join(o.Tags, ","), "status": o.Status, "name": o.Name} {
		if value != "" {
			query.Set(key, value)
		}
	}
	var all []Stack
	seen := map[string]bool{}
	for {
		var answer struct{ Stacks []Stack }
		if err := c.Get(ctx, "stacks", query, &answer); err != nil {
			return all, fmt.Errorf("list of stacks: %w", err)
		}
		before := len(all)
		for _, s := range answer.Stacks {
			if !seen[s.ID] {
				seen[s.ID] = true
				all = append(all, s)
			}
		}
		if len(answer.Stacks) < page || len(all) == before {
			return all, nil
		}
		query.Set("marker", all[len(all)-1].ID)
	}
}

// Update replaces the stack's template, files, environment and parameters: what the body does not say goes back to its
// default. Patch keeps what the body does not say.
func (c *Client) Update(ctx context.Context, ref Ref, body []byte, patch bool) error {
	_, err := c.call(ctx, updateMethod(patch), ref.path(), nil, body, nil)
	if err != nil {
		return fmt.Errorf("update of stack %s: %w", ref, err)
	}
	return nil
}

func updateMethod(patch bool) string {
	if patch {
		return http.MethodPatch
	}
	return http.MethodPut
}

// Preview asks Heat what a body would create. It validates strictly and creates nothing. Nested stacks are lists within
// the list of resources.
func (c *Client) Preview(ctx context.Context, body []byte) (Value, error) {
	var answer struct{ Stack Value }
	if _, err := c.call(ctx, http.MethodPost, "stacks/preview", nil, body, &answer); err != nil {
		return nil, fmt.Errorf("preview: %w", err)
	}
	return answer.Stack, nil
}

// Previewed lists the resources of a preview, those of nested stacks included.
func Previewed(preview Value) ([]Resource, error) {
	var top struct{ Resources []Value }
	if err := json.Unmarshal(preview, &top); err != nil {
		return nil, fmt.Errorf("preview: %w", err)
	}
	var all []Resource
	var add func([]Value) error
	add = func(list []Value) error {
		for _, raw := range list {
			var nested []Value
			if json.Unmarshal(raw, &nested) == nil {
				if err := add(nested); err != nil {
					return err
				}
				continue
			}
			var r Resource
			if err := json.Unmarshal(raw, &r); err != nil {
				return fmt.Errorf("preview: %w", err)
			}
			all = append(all, r)
		}
		return nil
	}
	return all, add(top.Resources)
}

// Changes are what Heat expects of an update.
type Changes struct {
	Unchanged []Resource `json:"unchanged"`
	Updated   []Resource `json:"updated"`
	Replaced  []Resource `json:"replaced"`
	Added     []Resource `json:"added"`
	Deleted   []Resource `json:"deleted"`
}

// PreviewUpdate asks Heat what an update with this body would do.
func (c *Client) PreviewUpdate(ctx context.Context, ref Ref, body []byte, patch, nested bool) (*Changes, error) {
	var answer struct {
		Changes Changes `json:"resource_changes"`
	}
	query := url.Values{}
	if nested {
		query.Set("show_nested", "true")
	}
	if _, err := c.call(ctx, updateMethod(patch), ref.path("preview"), query, body, &answer); err != nil {
		return nil, fmt.Errorf("preview of the update of stack %s: %w", ref, err)
	}
	return &answer.Changes, nil
}

// Delete begins a deletion. A stack that is gone is no error, so that a lost answer has it asked for again.
func (c *Client) Delete(ctx context.Context, ref Ref) error {
	_, err := c.call(cloud.Repeatable(ctx), http.MethodDelete, ref.path(), nil, nil, nil)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return fmt.Errorf("deletion of stack %s: %w", ref, err)
	}
	return nil
}

// Actions are what Action takes.
var Actions = []string{"suspend", "resume", "check", "cancel_update", "cancel_without_rollback"}

// Action begins an action on a whole stack.
func (c *Client) Action(ctx context.Context, ref Ref, action string) error {
	if !slices.Contains(Actions, action) {
		return fmt.Errorf("stack %s: %q is no action; %s are", ref, action, strings.Join(Actions, ", "))
	}
	if _, err := c.call(ctx, http.MethodPost, ref.path("actions"), nil, map[string]any{action: nil}, nil); err != nil {
		return fmt.Errorf("%s of stack %s: %w", action, ref, err)
	}
	return nil
}

// Outputs lists the outputs without their values.
func (c *Client) Outputs(ctx context.Context, ref Ref) ([]Output, error) {
	var answer struct{ Outputs []Output }
	if err := c.Get(ctx, ref.path("outputs"), nil, &answer); err != nil {
		return nil, fmt.Errorf("outputs of stack %s: %w", ref, err)
	}
	return answer.Outputs, nil
}

// Output resolves one output.
func (c *Client) Output(ctx context.Context, ref Ref, key string) (*Output, error) {
	var answer struct{ Output Output }
	if err := c.Get(ctx, ref.path("outputs", key), nil, &answer); err != nil {
		return nil, fmt.Errorf("output %s of stack %s: %w", key, ref, err)
	}
	return &answer.Output, nil
}

// TemplateOf, EnvironmentOf and FilesOf read back what the stack was made of. Heat gives the template as JSON, in another
// order than the author's and without comments.
func (c *Client) TemplateOf(ctx context.Context, ref Ref) (Value, error) {
	return c.part(ctx, ref, "template")
}

// EnvironmentOf reads the stack's merged environment.
func (c *Client) EnvironmentOf(ctx context.Context, ref Ref) (Value, error) {
	return c.part(ctx, ref, "environment")
}

// FilesOf reads the stack's files by their URLs.
func (c *Client) FilesOf(ctx context.Context, ref Ref) (map[string]string, error) {
	raw, err := c.part(ctx, ref, "files")
	if err != nil {
		return nil, err
	}
	var files map[string]string
	if err := json.Unmarshal(raw, &files); err != nil {
		return nil, fmt.Errorf("files of stack %s: %w", ref, err)
	}
	return files, nil
}

func (c *Client) part(ctx context.Context, ref Ref, part string) (Value, error) {
	var raw Value
	if err := c.Get(ctx, ref.path(part), nil, &raw); err != nil {
		return nil, fmt.Errorf("%s of stack %s: %w", part, ref, err)
	}
	return raw, nil
}
