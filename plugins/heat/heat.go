// Package heat serves providers to a real heat-engine: Heat resource types written in Go.
//
// In the engine is one Python file without logic of its own (hotloom_heat.py, a plugin for Heat's plugin_dirs). It makes a
// class of each resource type, and passes on what Heat asks of a resource as JSON over a Unix socket. The Server here
// answers; behind it stand providers, each in a process of its own. gRPC in the engine's process would freeze it or hang
// (green threads), a Unix socket does neither.
//
// The server keeps nothing: what is known of a resource and of the work on it goes back to the engine with each answer, and
// Heat keeps it in its database with the resource (encrypted, since secrets may be among it). So engine, server and
// providers can each be killed and started again at any time, several engines and several servers can work side by side,
// and what goes on is found again: each operation has a key that is kept before the operation begins.
package heat

import (
	_ "embed"
	"encoding/json"
	"time"

	"github.com/hotloom/hotloom/resources"
)

// Plugin is the Python file, and PluginName what it is called in a folder of plugin_dirs.
//
//go:embed hotloom_heat.py
var Plugin string

// PluginName is the name of the Python file.
const PluginName = "hotloom_heat.py"

// Names in the state folder. The Python file has them too.
const (
	socketName = "heat.sock"
	typesName  = "types.json"
	lockName   = "lock"
)

// Limits of the socket.
const (
	maxRequest  = 16 << 20
	readTimeout = 10 * time.Second // the engine sends a request whole
	maxParallel = 4096             // connections at a time
)

// A step holds a connection for news: for wait at first, and longer for work that takes long, up to maxWait. It is as long as
// a stack that is cancelled may take to hear of it. Heat pauses for a second between two steps.
const (
	wait    = 2 * time.Second
	maxWait = 10 * time.Second
)

// request is what the engine says.
type request struct {
	Call     string            `json:"call"`
	Action   resources.Action  `json:"action"`   // begin
	Seconds  float64           `json:"seconds"`  // begin: until the stack's time is over
	Instance *instance         `json:"instance"` // begin, validate, attributes, signal
	Prior    values            `json:"prior"`    // begin of an update: the properties before
	Data     map[string]string `json:"data"`     // what is kept for the resource
	Repeated bool              `json:"repeated"` // step: an earlier step may have been heard
	Unknown  [][]string        `json:"unknown"`  // validate: paths of properties without a value yet
	Names    []string          `json:"names"`    // attributes
	Details  anything          `json:"details"`  // signal
}

// instance is a resource as the engine knows it.
type instance struct {
	Type         string `json:"type"`
	Name         string `json:"name"`
	Stack        string `json:"stack"`
	StackID      string `json:"stack_id"`
	PhysicalName string `json:"physical_name"`
	ID           string `json:"id"`
	SignalURL    string `json:"signal_url,omitempty"`
	Properties   values `json:"properties"`
}

// answer is what it is told.
type answer struct {
	Done       bool                 `json:"done"`
	Replace    bool                 `json:"replace,omitempty"`
	ID         string               `json:"id,omitempty"`
	Keep       [][2]*string         `json:"keep,omitempty"` // what to keep for the resource, or to forget, in this order
	Events     []string             `json:"events,omitempty"`
	Error      *failure             `json:"error,omitempty"`
	Types      map[string]*typeSpec `json:"types,omitempty"`
	Attributes resources.Values     `json:"attributes,omitempty"`
	Text       string               `json:"text,omitempty"`
}

// failure is why something failed. Path leads to a property.
type failure struct {
	Message string   `json:"message"`
	Path    []string `json:"path,omitempty"`
}

// failureOf tells an error in the form of Heat's: one path, and what else is wrong behind it in words.
func failureOf(err error) *failure {
	if err == nil {
		return nil
	}
	e := resources.AsError(err)
	if len(e.Faults) == 0 {
		return &failure{Message: e.Message}
	}
	f := &failure{Message: e.Faults[0].Message, Path: e.Faults[0].Path}
	for _, more := range e.Faults[1:] {
		f.Message += "; " + more.String()
	}
	return f
}

// values and anything are read with whole numbers whole.
type (
	values   resources.Values
	anything struct{ v any }
)

// UnmarshalJSON implements json.Unmarshaler.
func (v *values) UnmarshalJSON(text []byte) error {
	plain, err := resources.DecodeValues(text)
	*v = plain
	return err
}

// UnmarshalJSON implements json.Unmarshaler.
func (a *anything) UnmarshalJSON(text []byte) (err error) {
	a.v, err = resources.Decode(text)
	return err
}

// MarshalJSON implements json.Marshaler.
func (a anything) MarshalJSON() ([]byte, error) { return json.Marshal(a.v) }
