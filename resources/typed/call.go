package typed

import (
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hotloom/hotloom/resources"
)

// attributesKey is where the attributes of the last method stand in a resource's data.
const attributesKey = "hotloom.attributes"

// Call is one call of a method: what it is about, and where it says what has become of it. Its methods may be called
// from several goroutines.
type Call struct {
	// Key is the same for each attempt at an operation and different for any other: name or tag with it what you make,
	// so that it can be found again. Empty outside operations (Validate, Read).
	Key    string
	Action resources.Action
	// Type, Name, Stack, StackID and PhysicalName are those of the resource; see resources.Instance.
	Type, Name, Stack, StackID, PhysicalName string
	SignalURL                                string
	Authentic                                bool   // of a Signal
	Token                                    string // in Poll: what Later was given

	prior   resources.Values
	unknown [][]string

	mu         sync.Mutex
	id         string
	data       resources.Values
	dataSet    bool
	replace    bool
	later      *later
	output     any
	attributes resources.Values
	events     []resources.Event
	news       func() // tells whoever waits
}

type later struct {
	token string
	after time.Duration
}

// ID is the physical id, "" before SetID.
func (c *Call) ID() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.id
}

// SetID says the physical id: call it as soon as the thing exists.
func (c *Call) SetID(id string) {
	c.mu.Lock()
	c.id = id
	c.mu.Unlock()
	c.tell()
}

// Get reads a value that an earlier method of this resource has kept; nil where there is none.
func (c *Call) Get(key string) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.data[key]
}

// Set keeps a value for later methods of this resource; nil removes it. The host stores it as a secret. A value of no
// kind that JSON has is kept as its text.
func (c *Call) Set(key string, v any) {
	plain, err := resources.Plain(v)
	if err != nil {
		plain = fmt.Sprint(v)
	}
	c.mu.Lock()
	c.data = maps.Clone(c.data)
	if c.data == nil {
		c.data = resources.Values{}
	}
	if plain == nil {
		delete(c.data, key)
	} else {
		c.data[key] = plain
	}
	c.dataSet = true
	c.mu.Unlock()
	c.tell()
}

// Progress tells the user how far the work is; percent is 0 to 100, 0 also where it is not known.
func (c *Call) Progress(percent float64, format string, args ...any) {
	e := resources.Event{Time: time.Now(), Message: fmt.Sprintf(format, args...), Percent: percent}
	c.mu.Lock()
	if len(c.events) < maxEvents {
		c.events = append(c.events, e)
	} else {
		c.events[len(c.events)-1] = e // nobody fetches them: the last one counts
	}
	c.mu.Unlock()
	c.tell()
}

const maxEvents = 1000

// Later says that the work goes on by itself after the method returns: Poll is called with the token until it returns
// without calling Later. after is how long there is no use in asking, 0 leaves that to the host.
func (c *Call) Later(token string, after time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.later = &later{token, after}
}

// Replace says, in Update, that the change needs a new resource. Nothing may have been changed.
func (c *Call) Replace() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.replace = true
}

// SetOutput sets what Snapshot wants kept, or the text that a Signal leaves in the event log.
func (c *Call) SetOutput(v any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.output = v
}

// Prior is the value of a property before an Update.
func (c *Call) Prior(property string) any { return c.prior[property] }

// Known reports, in Validate, whether the value at a path of the properties is known already.
func (c *Call) Known(path ...string) bool {
	for _, u := range c.unknown {
		if len(u) <= len(path) && slices.Equal(u, path[:len(u)]) {
			return false
		}
	}
	return true
}

// Log is a logger that names the resource and the operation.
func (c *Call) Log() *slog.Logger {
	return slog.With("resource", c.Name, "type", c.Type, "action", strings.ToLower(string(c.Action)))
}

func (c *Call) tell() {
	if c.news != nil {
		c.news()
	}
}

func newCall(of *resources.Instance) *Call {
	c := &Call{}
	if of != nil {
		c.Type, c.Name, c.Stack, c.StackID, c.PhysicalName = of.Type, of.Name, of.Stack, of.StackID, of.PhysicalName
		c.SignalURL, c.id, c.data, c.unknown = of.SignalURL, of.ID, of.Data, of.Unknown
	}
	return c
}
