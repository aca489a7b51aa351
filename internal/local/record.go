package local

import (
	"encoding/json"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
)

// Record is what is known of one node that was made, or is being made: what Heat keeps of a resource.
type Record struct {
	Key    string
	Kind   string
	Type   string
	Status string // as Heat says it: CREATE_IN_PROGRESS, CREATE_COMPLETE, UPDATE_FAILED, …
	Reason string `json:",omitempty"` // of a failure; no secrets
	ID     string `json:",omitempty"` // physical
	Ref    string `json:",omitempty"` // what get_resource gives where that is not ID

	// Digest tells whether what the node was made from has changed; Parts the same for each property. They are salted,
	// so that no secret can be guessed from them.
	Digest string            `json:",omitempty"`
	Parts  map[string]string `json:",omitempty"`

	Attributes Values           `json:",omitempty"`
	Secret     []string         `json:",omitempty"` // names of attributes that are shown to nobody
	Host       string           `json:",omitempty"` // steps: the key of the host
	HostID     string           `json:",omitempty"` // and its id
	Dir        string           `json:",omitempty"` // hosts: the name of the folder
	Address    string           `json:",omitempty"` // hosts
	Binding    string           `json:",omitempty"` // hosts: what --host said
	After      []string         `json:",omitempty"`
	Later      map[string]*Job  `json:",omitempty"` // by action: what to run when it comes
	Config     *Config          `json:",omitempty"` // software configs
	Signals    Values           `json:",omitempty"` // wait condition handles: what has come in, by id
	Token      string           `json:",omitempty"`
	Properties map[string]Value `json:",omitempty"` // those that an update or removal needs

	Started, Ended time.Time
	Serial         int // order of making
}

// Actions that a status may name.
const (
	create = "CREATE"
	update = "UPDATE"
	remove = "DELETE"
)

// Statuses behind an action.
const (
	inProgress = "_IN_PROGRESS"
	complete   = "_COMPLETE"
	failed     = "_FAILED"
)

// made reports whether the node is there as it was wanted.
func (r *Record) made() bool {
	return r != nil && (r.Status == create+complete || r.Status == update+complete)
}

// updating reports whether an update of the node was interrupted.
func (r *Record) updating() bool { return r != nil && r.Status == update+inProgress }

// Value is any plain value, with the order of maps kept.
type Value struct{ V any }

// MarshalJSON writes the value.
func (v Value) MarshalJSON() ([]byte, error) {
	text, err := value.JSON(v.V, value.JSONOptions{Compact: true, Unicode: true})
	return []byte(text), err
}

// UnmarshalJSON reads a value.
func (v *Value) UnmarshalJSON(text []byte) (err error) {
	v.V, err = value.ParseJSON(string(text))
	return err
}

// Values are named values in order.
type Values struct{ *value.Map }

func newValues(pairs ...any) Values { return Values{value.MapOf(pairs...)} }

// IsZero reports whether there are none.
func (v Values) IsZero() bool { return v.Map == nil || v.Len() == 0 }

// Get gives a value, null where there is none.
func (v Values) Get(name string) any {
	if v.Map == nil {
		return nil
	}
	x, _ := v.GetStr(name)
	return x
}

// MarshalJSON writes the values as an object.
func (v Values) MarshalJSON() ([]byte, error) {
	if v.Map == nil {
		return []byte("null"), nil
	}
	return Value{v.Map}.MarshalJSON()
}

// UnmarshalJSON reads an object, or null.
func (v *Values) UnmarshalJSON(text []byte) error {
	var any Value
	if err := json.Unmarshal(text, &any); err != nil {
		return err
	}
	v.Map, _ = any.V.(*value.Map)
	return nil
}
