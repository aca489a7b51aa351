// Package mistral is a client of OpenStack Mistral for what hotloom does with it: store definitions, run workflows,
// follow and control them. gophercloud has calls for little of it; these go through its service client.
//
// What an execution did comes as the embedded engine's snapshot, so that both are shown alike.
package mistral

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/gophercloud/gophercloud/v2"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/internal/cloud"
)

// Client talks to one Mistral.
type Client struct {
	service *gophercloud.ServiceClient
	poll    time.Duration // between looks at an execution
}

// maxAnswer bounds one answer of Mistral's.
const maxAnswer = 64 << 20

// New finds Mistral in the cloud's catalog.
func New(c *cloud.Client) (*Client, error) {
	service, err := c.Service("workflow")
	if errors.Is(err, cloud.ErrNoService) {
		return nil, fmt.Errorf("%w; run the workflow here, without --on mistral", err)
	}
	if err != nil {
		return nil, err
	}
	return &Client{service: service, poll: time.Second}, nil
}

// call makes one call and decodes the answer, keeping the order of maps and numbers as they are. Body is nil, a string
// that is sent as text, or what becomes JSON.
func (c *Client) call(ctx context.Context, method, path string, query url.Values, body any) (*value.Map, error) {
	target := c.service.ServiceURL(path)
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	options := &gophercloud.RequestOpts{
		OkCodes: []int{http.StatusOK, http.StatusCreated, http.StatusNoContent}, KeepResponseBody: true,
		MoreHeaders: map[string]string{"Accept": "application/json"},
	}
	switch b := body.(type) {
	case nil:
	case string:
		options.RawBody = stringBody(b)
		options.MoreHeaders["Content-Type"], options.MoreHeaders["Accept"] = "text/plain", "*/*"
	default:
		options.JSONBody = b
	}
	answer, err := c.service.Request(ctx, method, target, options)
	if err != nil {
		return nil, cloud.Explain(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s %s: %w", method, path, err)
	case len(text) > maxAnswer:
		return nil, fmt.Errorf("%s %s: the answer is larger than %d MiB", method, path, maxAnswer>>20)
	case len(text) == 0:
		return value.NewMap(0), nil
	}
	v, err := value.ParseJSON(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s %s: the answer is no JSON: %w", method, path, err)
	}
	m, ok := v.(*value.Map)
	if !ok {
		return nil, fmt.Errorf("%s %s: the answer is no JSON object", method, path)
	}
	return m, nil
}

// Stored is one definition that Push stored.
type Stored struct {
	Kind    string // workflow, workbook or action
	Name    string
	Created bool // else an older definition of that name was replaced
}

// Push stores the definitions of a document, in place of those of the same names. The namespace "" is the default one.
func (c *Client) Push(ctx context.Context, doc *workflow.Document, text []byte, namespace string) ([]Stored, error) {
	if doc.Kind == workflow.Workbook {
		one, err := c.store(ctx, "workbook", doc.Name, string(text), namespace)
		return []Stored{one}, err
	}
	kind, names := "workflow", []string(nil)
	for _, w := range doc.Workflows {
		names = append(names, w.Name)
	}
	if doc.Kind == workflow.Actions {
		kind = "action"
		for _, a := range doc.Actions {
			names = append(names, a.Name)
		}
	}
	var out []Stored
	for _, name := range names {
		// One at a time: Mistral creates or replaces all of a text's definitions, and here both may be needed.
		part := text
		if len(names) > 1 {
			part = source.Encode(source.NewMap(doc.Node, source.P(doc.Node, "version", doc.Node.Get("version")), source.P(doc.Node, name, doc.Node.Get(name))))
		}
		one, err := c.store(ctx, kind, name, string(part), namespace)
		if err != nil {
			return out, err
		}
		out = append(out, one)
	}
	return out, nil
}

// store replaces a definition, or creates it where there is none.
func (c *Client) store(ctx context.Context, kind, name, text, namespace string) (Stored, error) {
	query := url.Values{}
	if namespace != "" {
		query.Set("namespace", namespace)
	}
	path := kind + "s"
	_, err := c.call(cloud.Repeatable(ctx), http.MethodPut, path, query, text)
	if err == nil {
		return Stored{Kind: kind, Name: name}, nil
	}
	if !cloud.IsStatus(err, http.StatusNotFound) {
		return Stored{}, fmt.Errorf("%s %s: %w", kind, name, err)
	}
	if _, err := c.call(ctx, http.MethodPost, path, query, text); err != nil {
		return Stored{}, fmt.Errorf("%s %s: %w", kind, name, err)
	}
	return Stored{Kind: kind, Name: name, Created: true}, nil
}

// jsonText is a value as Mistral takes it within a body.
func jsonText(m *value.Map) (json.RawMessage, error) {
	if m == nil {
		return json.RawMessage("{}"), nil
	}
	text, err := value.JSON(m, value.JSONOptions{})
	return json.RawMessage(text), err
}
