// Package softwarecomponent is Hotloom::SoftwareComponent: one component on one host, with its lifecycle.
//
// The tool that it names (script, ansible, …) does the work: on this machine, over SSH, or through the agent on a server by a
// software deployment. Which providers have tools, and where deployments go, is for whoever makes the provider to say.
package softwarecomponent

import (
	"context"
	"strings"
	"time"

	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/typed"
)

// Type is the resource type's name.
const Type = "Hotloom::SoftwareComponent"

// Tools finds the provider of a tool. The error says what there is.
type Tools func(ctx context.Context, tool string) (resources.Provider, error)

// Host is where the component is.
type Host struct {
	Address    string `hot:"address" doc:"for SSH; without it and server, the machine of the provider"`
	Server     string `hot:"server" doc:"id of a server whose agent runs software deployments"`
	Port       int    `hot:"port" default:"22" range:"1..65535"`
	User       string `hot:"user"`
	Key        string `hot:"key,secret" doc:"private key, the text itself"`
	KnownHosts string `hot:"known_hosts" doc:"lines of a known_hosts file"`
	Sudo       bool   `hot:"sudo" default:"false"`
	Dir        string `hot:"dir" doc:"working folder on the host"`
}

// Component is the resource.
type Component struct {
	Tool    string         `hot:"tool" default:"script" doc:"what runs the configs"`
	Config  any            `hot:"config,update" doc:"what to run on CREATE and UPDATE"`
	Configs map[string]any `hot:"configs,update" default:"{}" doc:"what to run, by action: CREATE, UPDATE, DELETE, SUSPEND, RESUME"`
	Inputs  map[string]any `hot:"inputs,update" default:"{}"`
	Secrets map[string]any `hot:"secret_inputs,update,secret" default:"{}" doc:"inputs that are not shown"`
	Names   []string       `hot:"outputs,update" default:"[]" doc:"names of the outputs"`
	Options map[string]any `hot:"options,update" default:"{}" doc:"of the tool"`
	Host    Host           `hot:"host" default:"{}"`

	Transport string `hot:"transport" default:"auto" allowed:"auto,local,ssh,deployment" doc:"how the tool gets to the host; auto: as the host's keys say"`
	Timeout   int    `hot:"timeout,update" default:"3600" range:"1..604800" doc:"seconds that one action may take"`
	Patience  int    `hot:"host_patience,update" default:"120" range:"0..86400" doc:"seconds for which a deletion tries to reach the host; then it is taken for gone"`

	Outputs map[string]any `attr:"outputs" doc:"what the last run said"`
	Stdout  string         `attr:"deploy_stdout"`
	Stderr  string         `attr:"deploy_stderr"`
	Code    int            `attr:"deploy_status_code"`
	Status  string         `attr:"status" doc:"ACTION_COMPLETE or ACTION_FAILED of the last run"`

	tools  Tools
	agent  Agent
	remote bool
}

// New gives the type's constructor for a provider. Without an agent there is no transport deployment. With remote set,
// components run only on hosts with an address, never on the provider's machine or with its login to the cloud.
func New(tools Tools, agent Agent, remote bool) func() typed.Resource {
	return func() typed.Resource { return &Component{tools: tools, agent: agent, remote: remote} }
}

// The transports.
const (
	auto       = "auto"
	local      = "local"
	overSSH    = "ssh"
	deployment = "deployment"
)

// transport is how the tool gets to the host.
func (s *Component) transport() string {
	switch {
	case s.Transport != "" && s.Transport != auto:
		return s.Transport
	case s.Host.Server != "":
		return deployment
	case s.Host.Address != "":
		return overSSH
	}
	return local
}

var (
	_ typed.Updater   = (*Component)(nil)
	_ typed.Validator = (*Component)(nil)
	_ typed.Suspender = (*Component)(nil)
	_ typed.Poller    = (*Component)(nil)
	_ typed.Canceler  = (*Component)(nil)
	_ typed.Recoverer = (*Component)(nil)
)

// actions are those that a config may be for.
var actions = []resources.Action{resources.Create, resources.Update, resources.Delete, resources.Suspend, resources.Resume}

// Validate finds configs for actions that do not exist, and inputs that are given twice.
func (s *Component) Validate(_ context.Context, c *typed.Call) []resources.Fault {
	var found []resources.Fault
	known := map[string]bool{}
	for _, a := range actions {
		known[string(a)] = true
	}
	for name := range s.Configs {
		if !known[name] {
			found = append(found, resources.Fault{Path: []string{"configs", name}, Message: "must be one of CREATE, UPDATE, DELETE, SUSPEND, RESUME"})
		}
	}
	for name := range s.Secrets {
		if _, twice := s.Inputs[name]; twice {
			found = append(found, resources.Fault{Path: []string{"secret_inputs", name}, Message: "is among the inputs too"})
		}
	}
	if s.Config == nil && len(s.Configs) == 0 && c.Known("config") && c.Known("configs") {
		found = append(found, resources.Fault{Path: []string{"config"}, Message: "nothing to run: give config or configs"})
	}
	return append(found, s.misplaced(c.Known)...)
}

// unreached finds a transport that lacks what it needs, or has a host that is not its own.
func (s *Component) unreached(known func(path ...string) bool) []resources.Fault {
	at := func(key, message string) []resources.Fault {
		return []resources.Fault{{Path: []string{"host", key}, Message: message}}
	}
	switch s.Transport {
	case overSSH:
		if s.Host.Address == "" && known("host", "address") {
			return at("address", "required for the transport ssh")
		}
	case deployment:
		if s.Host.Server == "" && known("host", "server") {
			return at("server", "required for the transport deployment: the id of a server with an agent")
		}
	case local:
		if s.Host.Address != "" {
			return at("address", "the transport local is for the machine of the provider")
		}
	}
	if s.Host.Server != "" && s.Host.Address != "" && s.transport() != overSSH {
		return at("address", "the agent of a server needs no address: give one of server and address, or the transport ssh")
	}
	return nil
}

// misplaced finds what would run software where only the service's own runs, or log in with the service's own keys.
func (s *Component) misplaced(known func(path ...string) bool) []resources.Fault {
	if found := s.unreached(known); len(found) > 0 || !s.remote {
		return found
	}
	if s.transport() == deployment {
		return []resources.Fault{{Path: []string{"transport"}, Message: "deployment is not for here, where it would use the engine's own login: use OS::Heat::SoftwareDeployment"}}
	}
	if s.Host.Address == "" && known("host", "address") {
		return []resources.Fault{{Path: []string{"host", "address"}, Message: "required here: software does not run on the machine of the engine"}}
	}
	if s.Host.Key == "" && known("host", "key") {
		return []resources.Fault{{Path: []string{"host", "key"}, Message: "required here: the keys of the engine's machine are not for components"}}
	}
	return nil
}

// Create runs the config for CREATE, if there is one; so do the others.
func (s *Component) Create(ctx context.Context, c *typed.Call) error {
	c.SetID(c.Key)
	return s.run(ctx, c)
}

// Update runs the config for UPDATE.
func (s *Component) Update(ctx context.Context, c *typed.Call) error { return s.run(ctx, c) }

// Suspend runs the config for SUSPEND.
func (s *Component) Suspend(ctx context.Context, c *typed.Call) error { return s.run(ctx, c) }

// Resume runs the config for RESUME.
func (s *Component) Resume(ctx context.Context, c *typed.Call) error { return s.run(ctx, c) }

// Delete runs the config for DELETE, unless nothing was ever made.
func (s *Component) Delete(ctx context.Context, c *typed.Call) error {
	if c.ID() == "" {
		return nil
	}
	if s.config(c.Action) == nil {
		return s.forget(ctx, c)
	}
	return s.run(ctx, c)
}

// config is what an action runs; nil is nothing.
func (s *Component) config(a resources.Action) any {
	if v, ok := s.Configs[string(a)]; ok {
		return v
	}
	if a == resources.Create || a == resources.Update {
		return s.Config
	}
	return nil
}

// operation is what the tool is asked to do.
func (s *Component) operation(c *typed.Call) *resources.Operation {
	run := &resources.ToolRun{
		Tool: s.Tool, Component: c.Name, Config: s.config(c.Action), Inputs: resources.Values{}, Outputs: s.Names, Options: s.Options,
		Host: resources.Host{
			Address: s.Host.Address, Port: s.Host.Port, User: s.Host.User, Key: s.Host.Key, KnownHosts: s.Host.KnownHosts,
			Sudo: s.Host.Sudo, Dir: s.Host.Dir,
		},
	}
	for name, v := range s.Inputs {
		run.Inputs[name] = v
	}
	for name, v := range s.Secrets {
		run.Inputs[name] = v
		run.Secrets = append(run.Secrets, name)
	}
	// The key tells the tool's work from the component's own, which may be run by the same provider.
	return &resources.Operation{Key: "tool " + c.Key, Action: c.Action, Tool: run}
}

func (s *Component) run(ctx context.Context, c *typed.Call) error {
	if s.config(c.Action) == nil {
		return nil
	}
	c.Set(keptDeadline, time.Now().Unix()+int64(s.Timeout))
	if s.transport() == deployment {
		if faults := s.misplaced(func(...string) bool { return true }); len(faults) > 0 {
			return &resources.Error{Kind: resources.Invalid, Faults: faults}
		}
		return s.deploy(ctx, c)
	}
	return s.carry(ctx, c, s.operation(c), resources.Provider.Start)
}

// Poll asks the tool, or the agent, how it stands.
func (s *Component) Poll(ctx context.Context, c *typed.Call) error {
	if c.Token == again {
		return s.carry(ctx, c, s.operation(c), resources.Provider.Start)
	}
	if token, ok := strings.CutPrefix(c.Token, deployed); ok {
		return s.askDeployment(ctx, c, token)
	}
	op := s.operation(c)
	op.Token = c.Token
	return s.carry(ctx, c, op, resources.Provider.Poll)
}

// Recover asks the tool to go on: it knows whether it may run again.
func (s *Component) Recover(ctx context.Context, c *typed.Call) error {
	if s.config(c.Action) == nil {
		return nil
	}
	if c.Action == resources.Create {
		c.SetID(c.Key)
	}
	if s.transport() == deployment {
		return s.run(ctx, c) // the same key, the same deployment
	}
	op := s.operation(c)
	op.Repeated = true
	return s.carry(ctx, c, op, resources.Provider.Start)
}

// Cancel stops the tool. What an agent has begun it ends, but nobody waits for it any more.
func (s *Component) Cancel(ctx context.Context, c *typed.Call) error {
	if token, ok := strings.CutPrefix(c.Token, deployed); ok {
		return s.agent.Forget(ctx, token)
	}
	p, err := s.tools(ctx, s.Tool)
	if err != nil {
		return err
	}
	op := s.operation(c)
	op.Token = c.Token
	return p.Cancel(ctx, op)
}

// carry makes one step of the tool's operation the component's own.
func (s *Component) carry(ctx context.Context, c *typed.Call, op *resources.Operation,
	step func(resources.Provider, context.Context, *resources.Operation) (*resources.Result, error),
) error {
	if faults := s.misplaced(func(...string) bool { return true }); len(faults) > 0 {
		return &resources.Error{Kind: resources.Invalid, Faults: faults}
	}
	p, err := s.tools(ctx, s.Tool)
	if err != nil {
		return err
	}
	if kept, ok := c.Get(keptDeadline).(int64); ok {
		op.Deadline = time.Unix(kept, 0)
	}
	if deadline, ok := ctx.Deadline(); ok && (op.Deadline.IsZero() || deadline.Before(op.Deadline)) {
		op.Deadline = deadline
	}
	r, err := step(p, ctx, op)
	if r != nil {
		for _, e := range r.Progress {
			c.Progress(e.Percent, "%s", e.Message)
		}
	}
	if c.Action == resources.Delete && resources.IsKind(err, resources.Retryable) {
		return s.unreachable(c, err)
	}
	if err != nil {
		s.Status = string(c.Action) + "_FAILED"
		if outputs, ok := resources.AsError(err).Data.(map[string]any); ok {
			s.take(outputs)
		}
		return err
	}
	if !r.Done {
		c.Later(r.Token, r.After)
		return nil
	}
	s.Status = string(c.Action) + "_COMPLETE"
	if outputs, ok := r.Output.(map[string]any); ok {
		s.take(outputs)
	}
	return nil
}

// take sorts a tool's outputs into attributes.
func (s *Component) take(outputs map[string]any) {
	s.Outputs = map[string]any{}
	for name, v := range outputs {
		switch {
		case name == "deploy_stdout":
			s.Stdout, _ = v.(string)
		case name == "deploy_stderr":
			s.Stderr, _ = v.(string)
		case name == "deploy_status_code":
			switch n := v.(type) {
			case int64:
				s.Code = int(n)
			case int:
				s.Code = n
			}
		case !strings.HasPrefix(name, "deploy_"):
			s.Outputs[name] = v
		}
	}
}
