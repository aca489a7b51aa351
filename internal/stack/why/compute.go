package why

import (
	"context"
	"net/http"
	"net/url"

	"github.com/gophercloud/gophercloud/v2"

	"github.com/hotloom/hotloom/internal/cloud"
)

// Compute reads servers and their consoles from Nova.
type Compute struct{ api *gophercloud.ServiceClient }

// NewCompute finds the cloud's Nova.
func NewCompute(c *cloud.Client) (*Compute, error) {
	api, err := c.Service("compute")
	if err != nil {
		return nil, err
	}
	return &Compute{api: api}, nil
}

// server is what Nova says of one.
type server struct {
	Name   string `json:"name"`
	Status string `json:"status"`
	Task   string `json:"OS-EXT-STS:task_state"`
	Fault  struct {
		Message string `json:"message"`
	} `json:"fault"`
}

// consoleLines is how much of a console is read.
const consoleLines = 2000

func (c *Compute) server(ctx context.Context, id string) (*server, error) {
	var answer struct{ Server server }
	_, err := c.api.Get(ctx, c.api.ServiceURL("servers", url.PathEscape(id)), &answer, nil) //nolint:bodyclose // closed by gophercloud
	if err != nil {
		return nil, cloud.Explain(err)
	}
	return &answer.Server, nil
}

// console reads the end of a server's console.
func (c *Compute) console(ctx context.Context, id string) (string, error) {
	var answer struct{ Output string }
	body := map[string]any{"os-getConsoleOutput": map[string]any{"length": consoleLines}}
	options := &gophercloud.RequestOpts{OkCodes: []int{http.StatusOK}}
	_, err := c.api.Post(cloud.Repeatable(ctx), c.api.ServiceURL("servers", url.PathEscape(id), "action"), body, &answer, options) //nolint:bodyclose // closed by gophercloud
	if err != nil {
		return "", cloud.Explain(err)
	}
	return answer.Output, nil
}
