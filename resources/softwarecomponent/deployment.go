package softwarecomponent

import (
	"context"
	"strings"
	"time"

	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/typed"
)

// Agent runs components through the agent on a server: by software deployments of OpenStack Heat, or what is like them. Its
// methods may be called from any goroutine.
type Agent interface {
	// Deploy begins a deployment and gives what names it. The same key gives the same one, also after a crash.
	Deploy(ctx context.Context, d Deployment) (token string, err error)
	// Deployed says how a deployment stands. The error is of kind NotFound where there is none.
	Deployed(ctx context.Context, token string) (*Deployed, error)
	// Forget removes what a deployment left; that there is nothing is no error.
	Forget(ctx context.Context, token string) error
}

// Deployment is one action of one component on one server.
type Deployment struct {
	Key    string
	Server string // its id
	Action resources.Action
	Run    *resources.ToolRun
	Limit  time.Duration // nobody waits for longer
}

// Deployed is how a deployment stands.
type Deployed struct {
	Status  string // IN_PROGRESS, COMPLETE or FAILED
	Reason  string
	Outputs resources.Values
}

const (
	deployed = "deployment/" // before the token of a deployment
	askAgent = time.Second
)

// What a component keeps.
const (
	keptDeployment  = "deployment" // the last one that has ended
	keptDeadline    = "deadline"   // of what runs, in seconds since 1970
	keptUnreachable = "unreachable"
)

// deploy begins a deployment. Its end is asked for.
func (s *Component) deploy(ctx context.Context, c *typed.Call) error {
	if s.agent == nil {
		return resources.InvalidAt([]string{"transport"}, "deployment is not to be had here")
	}
	token, err := s.agent.Deploy(ctx, Deployment{
		Key: c.Key, Server: s.Host.Server, Action: c.Action, Run: s.operation(c).Tool, Limit: time.Duration(s.Timeout) * time.Second,
	})
	if err != nil {
		return err
	}
	c.Progress(0, "waits for the agent on server %s", s.Host.Server)
	c.Later(deployed+token, askAgent)
	return nil
}

// askDeployment asks for the end of a deployment. The one before is forgotten then, not earlier: as long as a deployment is
// there, it can be asked again how it ended.
func (s *Component) askDeployment(ctx context.Context, c *typed.Call, token string) error {
	d, err := s.agent.Deployed(ctx, token)
	switch {
	case resources.IsKind(err, resources.NotFound): // by Cancel, if not by somebody else
		return resources.Errorf(resources.Cancelled, "the deployment was removed before the agent on server %s reported", s.Host.Server)
	case err != nil:
		return err
	}
	if d.Status == "IN_PROGRESS" {
		if !s.over(c) {
			c.Later(deployed+token, askAgent)
			return nil
		}
		if err := s.agent.Forget(ctx, token); err != nil {
			return err
		}
		s.Status = string(c.Action) + "_FAILED"
		return s.silent(c, "the agent on server %s has not reported within %d s", s.Host.Server, s.Timeout)
	}
	if before, ok := c.Get(keptDeployment).(string); ok && before != token {
		if err := s.agent.Forget(ctx, before); err != nil {
			return err
		}
	}
	c.Set(keptDeployment, token)
	s.take(d.Outputs)
	if d.Status != "COMPLETE" {
		s.Status = string(c.Action) + "_FAILED"
		return &resources.Error{Kind: resources.Permanent, Message: d.Reason, Data: d.Outputs}
	}
	s.Status = string(c.Action) + "_COMPLETE"
	return s.forget(ctx, c)
}

// forget removes the last deployment with the component.
func (s *Component) forget(ctx context.Context, c *typed.Call) error {
	if c.Action != resources.Delete || s.agent == nil {
		return nil
	}
	if token, ok := c.Get(keptDeployment).(string); ok {
		return s.agent.Forget(ctx, token)
	}
	return nil
}

// over reports whether the time of an action is over.
func (s *Component) over(c *typed.Call) bool {
	deadline, ok := c.Get(keptDeadline).(int64)
	return ok && time.Now().Unix() >= deadline
}

// silent is the end of an action on a host that does not answer. A deletion is complete then: what was on the host went
// with it, and a resource that nobody can delete is worse than a DELETE that did not run. It is said.
func (s *Component) silent(c *typed.Call, format string, args ...any) error {
	if c.Action != resources.Delete {
		return resources.Errorf(resources.Permanent, format, args...)
	}
	c.Progress(0, format+": it is taken for gone, and DELETE has not run there", args...)
	c.Log().Warn("the host does not answer; the component counts as deleted")
	return nil
}

const (
	askHost = 5 * time.Second // between attempts to reach a host for a deletion
	again   = "again"         // the token meanwhile
)

// unreachable is what a deletion does where its host cannot be reached: it tries for as long as host_patience says.
func (s *Component) unreachable(c *typed.Call, err error) error {
	since, ok := c.Get(keptUnreachable).(int64)
	if !ok {
		since = time.Now().Unix()
		c.Set(keptUnreachable, since)
		c.Progress(0, "%v; tries again for %d s", err, s.Patience)
	}
	if time.Now().Unix()-since < int64(s.Patience) {
		c.Later(again, askHost)
		return nil
	}
	c.Set(keptUnreachable, nil)
	return s.silent(c, "%s", strings.TrimSuffix(err.Error(), "."))
}
