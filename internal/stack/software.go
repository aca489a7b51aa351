package stack

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/hotloom/hotloom/internal/cloud"
)

// Deployment is a software deployment.
type Deployment struct {
	ID       string           `json:"id"`
	ServerID string           `json:"server_id"`
	ConfigID string           `json:"config_id"`
	Action   string           `json:"action"`
	Status   string           `json:"status"`
	Reason   string           `json:"status_reason"`
	Inputs   map[string]Value `json:"input_values"`
	Outputs  map[string]Value `json:"output_values"`
	Created  Time             `json:"creation_time"`
	Updated  Time             `json:"updated_time"`
}

// Config is a software config, or one derived for a deployment.
type Config struct {
	ID      string           `json:"id"`
	Name    string           `json:"name"`
	Group   string           `json:"group"`
	Config  Value            `json:"config"` // a text, but agents also take what is none
	Inputs  []Value          `json:"inputs"`
	Outputs []Value          `json:"outputs"`
	Options map[string]Value `json:"options"`
	Created Time             `json:"creation_time"`
}

// Deployments lists the deployments on a server, or all of the project where server is "".
func (c *Client) Deployments(ctx context.Context, server string) ([]Deployment, error) {
	query := url.Values{}
	if server != "" {
		query.Set("server_id", server)
	}
	var answer struct {
		Deployments []Deployment `json:"software_deployments"`
	}
	if err := c.Get(ctx, "software_deployments", query, &answer); err != nil {
		return nil, fmt.Errorf("software deployments: %w", err)
	}
	return answer.Deployments, nil
}

// Deployment reads one deployment.
func (c *Client) Deployment(ctx context.Context, id string) (*Deployment, error) {
	var answer struct {
		Deployment Deployment `json:"software_deployment"`
	}
	if err := c.Get(ctx, "software_deployments/"+url.PathEscape(id), nil, &answer); err != nil {
		return nil, fmt.Errorf("software deployment %s: %w", id, err)
	}
	return &answer.Deployment, nil
}

// DeploymentMetadata is what the agent of a server gets to do: its derived configs.
func (c *Client) DeploymentMetadata(ctx context.Context, server string) ([]Config, error) {
	var answer struct{ Metadata []Config }
	if err := c.Get(ctx, "software_deployments/metadata/"+url.PathEscape(server), nil, &answer); err != nil {
		return nil, fmt.Errorf("deployments of server %s: %w", server, err)
	}
	return answer.Metadata, nil
}

// Config reads one software config.
func (c *Client) Config(ctx context.Context, id string) (*Config, error) {
	var answer struct {
		Config Config `json:"software_config"`
	}
	if err := c.Get(ctx, "software_configs/"+url.PathEscape(id), nil, &answer); err != nil {
		return nil, fmt.Errorf("software config %s: %w", id, err)
	}
	return &answer.Config, nil
}

// NewConfig is a software config to create. Inputs and Outputs are as Heat's API has them.
type NewConfig struct {
	Name    string           `json:"name"`
	Group   string           `json:"group"`
	Config  any              `json:"config"`
	Inputs  []map[string]any `json:"inputs"`
	Outputs []map[string]any `json:"outputs"`
	Options map[string]any   `json:"options,omitempty"`
}

// CreateConfig creates a software config and gives its id.
func (c *Client) CreateConfig(ctx context.Context, n NewConfig) (string, error) {
	var answer struct {
		Config Config `json:"software_config"`
	}
	if _, err := c.call(ctx, http.MethodPost, "software_configs", nil, n, &answer); err != nil {
		return "", fmt.Errorf("software config %s: %w", n.Name, err)
	}
	return answer.Config.ID, nil
}

// CreateDeployment lets the agent of a server run a config for an action, and gives the deployment's id.
func (c *Client) CreateDeployment(ctx context.Context, server, config, action string) (string, error) {
	body := map[string]any{
		"server_id": server, "config_id": config, "action": action, "status": "IN_PROGRESS", "status_reason": "waits for the agent",
	}
	var answer struct {
		Deployment Deployment `json:"software_deployment"`
	}
	if _, err := c.call(ctx, http.MethodPost, "software_deployments", nil, body, &answer); err != nil {
		return "", fmt.Errorf("software deployment on server %s: %w", server, err)
	}
	return answer.Deployment.ID, nil
}

// DeleteDeployment deletes a deployment: its server gets it no more. One that is not there is no error.
func (c *Client) DeleteDeployment(ctx context.Context, id string) error {
	return c.remove(ctx, "software_deployments/"+url.PathEscape(id))
}

// DeleteConfig deletes a software config. One that is not there is no error.
func (c *Client) DeleteConfig(ctx context.Context, id string) error {
	return c.remove(ctx, "software_configs/"+url.PathEscape(id))
}

func (c *Client) remove(ctx context.Context, path string) error {
	_, err := c.call(cloud.Repeatable(ctx), http.MethodDelete, path, nil, nil, nil)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}
