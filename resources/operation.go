package resources

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// Action is what is done to a resource or component, by Heat's name for it.
type Action string

// The actions. Run is that of a workflow's action.
const (
	Create         Action = "CREATE"
	Update         Action = "UPDATE"
	Delete         Action = "DELETE"
	Check          Action = "CHECK"
	Suspend        Action = "SUSPEND"
	Resume         Action = "RESUME"
	Signal         Action = "SIGNAL"
	Snapshot       Action = "SNAPSHOT"
	Restore        Action = "RESTORE"
	DeleteSnapshot Action = "DELETE_SNAPSHOT"
	Run            Action = "RUN"
)

// Instance is one resource of a stack.
type Instance struct {
	Type string `json:"type"`
	// Name is the resource's name in its template, Stack and StackID the stack's. PhysicalName is a name that is unique
	// in the cloud and short enough for the type.
	Name         string `json:"name"`
	Stack        string `json:"stack,omitempty"`
	StackID      string `json:"stack_id,omitempty"`
	PhysicalName string `json:"physical_name,omitempty"`
	// Properties are complete: checked against the schema, converted to its types, defaults filled in.
	Properties Values `json:"properties,omitempty"`
	// Unknown are paths of properties whose values are not known yet; for Validate only.
	Unknown [][]string `json:"unknown,omitempty"`
	// ID is the physical id, "" before there is one.
	ID string `json:"id,omitempty"`
	// Data is what the provider wants kept for this resource. The host stores it as a secret, and shows it to nobody.
	Data Values `json:"data,omitempty"`
	// SignalURL is where a POST becomes a Signal of this resource, "" where the host has none.
	SignalURL string `json:"signal_url,omitempty"`
}

// ToolRun is one action of one component on one host.
type ToolRun struct {
	Tool      string   `json:"tool"`
	Component string   `json:"component"` // its name, for messages and folders
	Config    any      `json:"config"`    // as Tool.Config says
	Inputs    Values   `json:"inputs,omitempty"`
	Secrets   []string `json:"secrets,omitempty"` // names of inputs that are secret
	Outputs   []string `json:"outputs,omitempty"` // names of outputs that are expected
	Options   Values   `json:"options,omitempty"`
	Host      Host     `json:"host"`
}

// Host is a machine to run things on. The zero value is this one.
type Host struct {
	Address    string `json:"address,omitempty"` // for SSH; "" is this machine
	Port       int    `json:"port,omitempty"`    // 0: 22
	User       string `json:"user,omitempty"`    // "": as whom hotloom runs
	Key        string `json:"key,omitempty"`     // private key, the text itself; "": the agent's
	KnownHosts string `json:"known_hosts,omitempty"`
	Sudo       bool   `json:"sudo,omitempty"`
	Dir        string `json:"dir,omitempty"` // the component's working folder; "": one is made
}

// Call is one run of a workflow's action.
type Call struct {
	Name        string `json:"name"`
	Input       Values `json:"input,omitempty"`
	Workflow    string `json:"workflow,omitempty"`
	ExecutionID string `json:"execution_id,omitempty"`
	TaskID      string `json:"task_id,omitempty"`
}

// Operation is something to do, and everything that is needed to go on with it. A host keeps it, and can store it as
// JSON; exactly one of Resource, Tool and Call is set.
type Operation struct {
	// Key is the same for every attempt at this operation, and different for any other: whoever makes things can name
	// or tag them with it, and find them again.
	Key    string `json:"key"`
	Action Action `json:"action"`

	Resource *Instance `json:"resource,omitempty"`
	Tool     *ToolRun  `json:"tool,omitempty"`
	Call     *Call     `json:"call,omitempty"`

	// Prior are the properties before an Update; Resource.Properties are those after it.
	Prior Values `json:"prior,omitempty"`
	// Details are a Signal's body. Authentic says that the host knows the sender (Heat has checked its credentials);
	// otherwise the resource has to verify the signal itself.
	Details   any  `json:"details,omitempty"`
	Authentic bool `json:"authentic,omitempty"`
	// Saved is what Snapshot gave as its output, for Restore and DeleteSnapshot.
	Saved any `json:"saved,omitempty"`

	// Repeated says that this operation may have been started before: the host was killed and does not know.
	Repeated bool `json:"repeated,omitempty"`
	// Token is that of the last result; "" before there is one.
	Token string `json:"token,omitempty"`
	// Deadline is when the operation must have ended, the zero time never. The provider stops it then by itself.
	Deadline time.Time `json:"deadline,omitzero"`
	// Wait is how long Start or Poll may hold the call until there is something new; 0 answers at once. It saves polling
	// and makes ends known at once; it is not a limit on the work.
	Wait time.Duration `json:"wait,omitempty"`
}

// Subject names what the operation is about: a resource type, a tool or an action.
func (op *Operation) Subject() string {
	switch {
	case op.Resource != nil:
		return op.Resource.Type
	case op.Tool != nil:
		return op.Tool.Tool
	case op.Call != nil:
		return op.Call.Name
	}
	return ""
}

// DecodeOperation reads an operation that a host has kept as JSON, with numbers as Decode reads them.
func DecodeOperation(text []byte) (*Operation, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	op := &Operation{}
	if err := d.Decode(op); err != nil {
		return nil, fmt.Errorf("a kept operation: %w", err)
	}
	maps, others := []Values{op.Prior}, []*any{&op.Details, &op.Saved}
	if op.Resource != nil {
		maps = append(maps, op.Resource.Properties, op.Resource.Data)
	}
	if op.Tool != nil {
		maps, others = append(maps, op.Tool.Inputs, op.Tool.Options), append(others, &op.Tool.Config)
	}
	if op.Call != nil {
		maps = append(maps, op.Call.Input)
	}
	for i := range maps {
		v := any(maps[i]) // changed in place
		others = append(others, &v)
	}
	for _, v := range others {
		var err error
		if *v, err = plainNumbers(*v); err != nil {
			return nil, fmt.Errorf("a kept operation: %w", err)
		}
	}
	return op, nil
}

// Follow takes over what a result says is to be kept, for the next Poll.
func (op *Operation) Follow(r *Result) {
	if r == nil {
		return
	}
	op.Token = r.Token
	if op.Resource == nil {
		return
	}
	if r.ID != "" {
		op.Resource.ID = r.ID
	}
	if r.Data != nil {
		op.Resource.Data = r.Data
	}
}

// Result is how an operation stands.
type Result struct {
	Done bool `json:"done"`
	// Token goes into the next Poll; at most MaxToken bytes. It names the work so that another process of the provider
	// can go on with it.
	Token string `json:"token,omitempty"`
	// After is how long the host should wait before it polls again; 0 is up to the host.
	After time.Duration `json:"after,omitempty"`
	// ID is the physical id as soon as it is known; "" changes nothing. At most MaxID characters.
	ID string `json:"id,omitempty"`
	// Data replaces what is kept for the resource; nil changes nothing.
	Data Values `json:"data,omitempty"`
	// Replace, of an Update: it cannot be done in place, a new resource has to be made. Nothing was changed.
	Replace bool `json:"replace,omitempty"`
	// Attributes are the attributes' values as of now, as far as they are known without asking; nil tells nothing.
	Attributes Values `json:"attributes,omitempty"`
	// Output is the result of an action (any value), the outputs of a tool (Values: the declared ones and deploy_stdout,
	// deploy_stderr, deploy_status_code), what a Snapshot wants kept, or a Signal's text for the event log.
	Output any `json:"output,omitempty"`
	// Progress are the events since the last call, oldest first. Events may be lost when a process is killed.
	Progress []Event `json:"progress,omitempty"`
}

// Limits on what a provider may answer; Heat has the same or could not keep more.
const (
	MaxID    = 255
	MaxToken = 4 << 10
)

// Event is one piece of progress.
type Event struct {
	Time    time.Time `json:"time"`
	Message string    `json:"message,omitempty"`
	Percent float64   `json:"percent,omitempty"` // 0: unknown
}
