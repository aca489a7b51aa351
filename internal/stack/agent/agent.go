// Package agent runs software on a server through the agent there, by Heat's software deployments.
//
// A deployment stands on its own, in no stack. Its agent reports by an object in Swift that a signed address lets it write;
// Heat takes the report from there when it is asked for the deployment. So no user and no password is made for it.
package agent

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack/objectstorage/v1/containers"
	"github.com/gophercloud/gophercloud/v2/openstack/objectstorage/v1/objects"

	"github.com/hotloom/hotloom/internal/cloud"
	"github.com/hotloom/hotloom/internal/stack"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/softwarecomponent"
)

// Agent is softwarecomponent.Agent by one cloud's Heat and Swift. It logs in when it is first used.
type Agent struct {
	login func(context.Context) (*cloud.Client, error)

	mu    sync.Mutex
	heat  *stack.Client
	swift *gophercloud.ServiceClient
	// secrets are texts that no log of the cloud's calls shows.
	secrets *cloud.Secrets
}

var _ softwarecomponent.Agent = (*Agent)(nil)

// New makes an agent for the cloud that login logs in to.
func New(login func(context.Context) (*cloud.Client, error)) *Agent { return &Agent{login: login} }

func (a *Agent) connect(ctx context.Context) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.heat != nil {
		return nil
	}
	c, err := a.login(ctx)
	if err != nil {
		return err
	}
	swift, err := c.Service("object-store")
	if err != nil {
		return fmt.Errorf("the report of an agent goes through Swift: %w", err)
	}
	heat, err := stack.New(c)
	if err != nil {
		return err
	}
	a.heat, a.swift, a.secrets = heat, swift, c.Secrets()
	return nil
}

// token is what is needed to find all parts of a deployment.
type token struct {
	Deployment string `json:"d"`
	Config     string `json:"c"`
	Name       string `json:"n"` // of the config and of the container
}

func (t token) text() (string, error) {
	text, err := json.Marshal(t)
	return string(text), err
}

func read(text string) (token, error) {
	var t token
	if err := json.Unmarshal([]byte(text), &t); err != nil || t.Deployment == "" || t.Name == "" {
		return t, fmt.Errorf("%q names no deployment", text)
	}
	return t, nil
}

// object is the one in a deployment's container.
const object = "signal"

// nameOf is the name that a key gives to the parts of its deployment.
func nameOf(key string) string {
	sum := sha256.Sum256([]byte("software deployment " + key))
	return "hotloom-" + hex.EncodeToString(sum[:12])
}

// Deploy implements softwarecomponent.Agent.
func (a *Agent) Deploy(ctx context.Context, d softwarecomponent.Deployment) (string, error) {
	if err := a.connect(ctx); err != nil {
		return "", err
	}
	t := token{Name: nameOf(d.Key)}
	if found, err := a.find(ctx, d.Server, &t); err != nil || found {
		text, textErr := t.text()
		return text, errors.Join(err, textErr)
	}
	signal, err := a.signal(ctx, t.Name, d.Limit)
	if err != nil {
		return "", err
	}
	for _, name := range d.Run.Secrets {
		if text, ok := d.Run.Inputs[name].(string); ok {
			a.secrets.Add(text)
		}
	}
	if t.Config, err = a.heat.CreateConfig(ctx, config(t.Name, signal, d)); err != nil {
		return "", err
	}
	if t.Deployment, err = a.heat.CreateDeployment(ctx, d.Server, t.Config, string(d.Action)); err != nil {
		return "", errors.Join(err, a.heat.DeleteConfig(context.WithoutCancel(ctx), t.Config))
	}
	return t.text()
}

// find looks for the deployment of an earlier attempt.
func (a *Agent) find(ctx context.Context, server string, t *token) (bool, error) {
	all, err := a.heat.Deployments(ctx, server)
	if err != nil {
		return false, err
	}
	for _, d := range all {
		c, err := a.heat.Config(ctx, d.ConfigID)
		switch {
		case errors.Is(err, stack.ErrNotFound):
			continue
		case err != nil:
			return false, err
		case c.Name == t.Name:
			t.Deployment, t.Config = d.ID, d.ConfigID
			return true, nil
		}
	}
	return false, nil
}

// config is the software config of one run, with its values.
func config(name, signal string, d softwarecomponent.Deployment) stack.NewConfig {
	c := stack.NewConfig{Name: name, Group: d.Run.Tool, Config: d.Run.Config, Options: d.Run.Options, Outputs: []map[string]any{}}
	input := func(name, kind string, v any) {
		c.Inputs = append(c.Inputs, map[string]any{"name": name, "type": kind, "value": v})
	}
	names := make([]string, 0, len(d.Run.Inputs))
	for name := range d.Run.Inputs {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		input(name, kindOf(d.Run.Inputs[name]), d.Run.Inputs[name])
	}
	for _, in := range [][2]string{
		{"deploy_server_id", d.Server},
		{"deploy_action", string(d.Action)},
		{"deploy_stack_id", ""},
		{"deploy_resource_name", d.Run.Component},
		{"deploy_signal_transport", "TEMP_URL_SIGNAL"},
		{"deploy_signal_id", signal},
		{"deploy_signal_verb", http.MethodPut},
	} {
		input(in[0], "String", in[1])
	}
	for _, name := range d.Run.Outputs {
		c.Outputs = append(c.Outputs, map[string]any{"name": name, "type": "String", "error_output": false})
	}
	return c
}

// kindOf is Heat's type of an input's value.
func kindOf(v any) string {
	switch v.(type) {
	case bool:
		return "Boolean"
	case int64, int, float64:
		return "Number"
	case []any:
		return "CommaDelimitedList"
	case map[string]any:
		return "Json"
	}
	return "String"
}

// boot is how long an agent may take to look for work, besides the time that the work has.
const boot = 10 * time.Minute

// signal makes the place of a report and gives the address that lets the agent write it.
func (a *Agent) signal(ctx context.Context, container string, limit time.Duration) (string, error) {
	key := make([]byte, 24)
	_, _ = rand.Read(key) // never fails
	secret := hex.EncodeToString(key)
	a.secrets.Add(secret)
	if _, err := containers.Create(ctx, a.swift, container, containers.CreateOpts{TempURLKey: secret}).Extract(); err != nil {
		return "", fmt.Errorf("container %s for the agent's report: %w", container, cloud.Explain(err))
	}
	address, err := objects.CreateTempURL(ctx, a.swift, container, object, objects.CreateTempURLOpts{
		Method: objects.PUT, TTL: int((limit + boot).Seconds()), TempURLKey: secret, Digest: a.digest(ctx),
	})
	if err != nil {
		return "", fmt.Errorf("an address for the agent's report: %w", err)
	}
	a.secrets.Add(address)
	return address, nil
}

// digest is how this Swift wants addresses to be signed: newer ones take no SHA-1, very old ones nothing else.
func (a *Agent) digest(ctx context.Context) string {
	base, _, _ := strings.Cut(a.swift.Endpoint, "/v1/")
	var answer struct {
		TempURL struct {
			Digests []string `json:"allowed_digests"`
		} `json:"tempurl"`
	}
	resp, err := a.swift.Request(ctx, http.MethodGet, base+"/info", &gophercloud.RequestOpts{JSONResponse: &answer, OkCodes: []int{http.StatusOK}})
	if err != nil || len(answer.TempURL.Digests) == 0 {
		return "sha256"
	}
	_ = resp.Body.Close()
	for _, d := range []string{"sha256", "sha512", "sha1"} {
		if slices.Contains(answer.TempURL.Digests, d) {
			return d
		}
	}
	return "sha256"
}

// Deployed implements softwarecomponent.Agent.
func (a *Agent) Deployed(ctx context.Context, text string) (*softwarecomponent.Deployed, error) {
	t, err := read(text)
	if err != nil {
		return nil, err
	}
	if err := a.connect(ctx); err != nil {
		return nil, err
	}
	d, err := a.heat.Deployment(ctx, t.Deployment)
	if errors.Is(err, stack.ErrNotFound) {
		return nil, resources.Errorf(resources.NotFound, "%w", err)
	}
	if err != nil {
		return nil, err
	}
	out := &softwarecomponent.Deployed{Status: d.Status, Reason: d.Reason, Outputs: resources.Values{}}
	for name, v := range d.Outputs {
		if out.Outputs[name], err = resources.Decode(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Forget implements softwarecomponent.Agent.
func (a *Agent) Forget(ctx context.Context, text string) error {
	t, err := read(text)
	if err != nil {
		return err
	}
	if err := a.connect(ctx); err != nil {
		return err
	}
	if err := a.heat.DeleteDeployment(ctx, t.Deployment); err != nil {
		return err
	}
	if err := a.heat.DeleteConfig(ctx, t.Config); err != nil {
		return err
	}
	gone := func(err error) error {
		if cloud.IsStatus(cloud.Explain(err), http.StatusNotFound) {
			return nil
		}
		return err
	}
	if _, err := objects.Delete(ctx, a.swift, t.Name, object, nil).Extract(); gone(err) != nil {
		return fmt.Errorf("the agent's report: %w", cloud.Explain(err))
	}
	if _, err := containers.Delete(ctx, a.swift, t.Name).Extract(); gone(err) != nil {
		return fmt.Errorf("the container of the agent's report: %w", cloud.Explain(err))
	}
	return nil
}
