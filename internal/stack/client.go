// Package stack is a client of the Orchestration API: what gophercloud's own lacks or gets wrong (previews of updates,
// outputs, actions, signals, events of nested stacks, environments, deployments), and what a long wait needs.
//
// Bodies with templates are sent as the bytes that they are.
package stack

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/gophercloud/gophercloud/v2"

	"github.com/hotloom/hotloom/internal/cloud"
)

// Client talks to one Heat. It is safe for concurrent use.
type Client struct {
	api     *gophercloud.ServiceClient
	secrets *cloud.Secrets
}

// New finds the cloud's Heat.
func New(c *cloud.Client) (*Client, error) {
	api, err := c.Service("orchestration")
	if err != nil {
		return nil, err
	}
	return &Client{api: api, secrets: c.Secrets()}, nil
}

// Secrets are texts that the log of calls does not show: values of hidden parameters belong to them.
func (c *Client) Secrets() *cloud.Secrets { return c.secrets }

// Ref names one stack for good: a name alone may be that of another stack later, and paths without the id are redirected.
type Ref struct{ Name, ID string }

func (r Ref) String() string { return r.Name }

func (r Ref) path(more ...string) string {
	p := "stacks/" + url.PathEscape(r.Name) + "/" + url.PathEscape(r.ID)
	for _, m := range more {
		p += "/" + url.PathEscape(m)
	}
	return p
}

// ErrNotFound is within errors about a stack, resource or output that is not there.
var ErrNotFound = errors.New("not found")

// call makes one call. Body and result may be nil; a body of bytes is sent as it is, any other as JSON.
func (c *Client) call(ctx context.Context, method, path string, query url.Values, body, result any) (*http.Response, error) {
	where := c.api.ServiceURL(path)
	if len(query) > 0 {
		where += "?" + query.Encode()
	}
	o := &gophercloud.RequestOpts{JSONResponse: result, OkCodes: []int{200, 201, 202, 204, 302}}
	switch b := body.(type) {
	case nil:
	case []byte:
		o.RawBody, o.MoreHeaders = bytes.NewReader(b), map[string]string{"Content-Type": "application/json"}
	default:
		o.JSONBody = b
	}
	if result == nil {
		o.KeepResponseBody = true
	}
	resp, err := c.api.Request(ctx, method, where, o)
	if err != nil {
		err = cloud.Explain(err)
		if cloud.IsStatus(err, http.StatusNotFound) {
			err = fmt.Errorf("%w: %w", ErrNotFound, err)
		}
		return nil, err
	}
	if result == nil {
		_ = resp.Body.Close()
	}
	return resp, nil
}

// Get reads anything of the API that this package has no method for. Path is relative to the project's endpoint.
func (c *Client) Get(ctx context.Context, path string, query url.Values, result any) error {
	_, err := c.call(ctx, http.MethodGet, path, query, nil, result)
	return err
}

// Find gives the stack of a name or id. Of a deleted stack only the id is known.
func (c *Client) Find(ctx context.Context, nameOrID string) (Ref, error) {
	var answer struct{ Stack Stack }
	resp, err := c.call(cloud.Stay(ctx), http.MethodGet, "stacks/"+url.PathEscape(nameOrID), url.Values{"resolve_outputs": {"false"}}, nil, nil)
	if errors.Is(err, ErrNotFound) {
		return Ref{}, fmt.Errorf("there is no stack %s: %w", nameOrID, ErrNotFound)
	}
	if err != nil {
		return Ref{}, fmt.Errorf("stack %s: %w", nameOrID, err)
	}
	if resp.StatusCode == http.StatusFound {
		// only the end counts: behind a proxy the rest may be an address that is not ours
		if at, err := url.Parse(resp.Header.Get("Location")); err == nil {
			_, rest, _ := strings.Cut(at.EscapedPath(), "/stacks/")
			if name, id, ok := strings.Cut(rest, "/"); ok {
				id, _, _ = strings.Cut(id, "/")
				ref := Ref{}
				if ref.Name, err = url.PathUnescape(name); err == nil {
					if ref.ID, err = url.PathUnescape(id); err == nil && ref.ID != "" {
						return ref, nil
					}
				}
			}
		}
		return Ref{}, fmt.Errorf("stack %s: Heat redirects to %q, which names no stack", nameOrID, resp.Header.Get("Location"))
	}
	if err := c.Get(ctx, "stacks/"+url.PathEscape(nameOrID), nil, &answer); err != nil {
		return Ref{}, fmt.Errorf("stack %s: %w", nameOrID, err)
	}
	return answer.Stack.Ref(), nil
}

// Value is a JSON value as Heat sent it.
type Value = json.RawMessage
