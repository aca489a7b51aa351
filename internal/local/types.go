package local

import (
	"context"
	"fmt"
	"slices"
	"time"

	target "github.com/hotloom/hotloom/compiler/emit/local"
	"github.com/hotloom/hotloom/compiler/value"
)

// Type makes resources of one type.
type Type interface {
	// Make makes the resource of an instance, or updates it, and sets its record's id and attributes. It may be called
	// again for the same where hotloom was killed.
	Make(ctx context.Context, i *Instance) error
}

// Remover is a type whose resources need something when they are removed.
type Remover interface {
	Remove(ctx context.Context, r *Runtime, rec *Record) error
}

// Resumer is a type that goes on with what was interrupted, where others are made anew.
type Resumer interface {
	// Resumes reports whether a record holds something to go on with. Make then gets the record as it was left.
	Resumes(rec *Record) bool
}

// Instance is one resource that is made or updated.
type Instance struct {
	Node       *target.Node
	Action     string // CREATE or UPDATE
	Properties *value.Map
	Record     *Record

	runtime *Runtime
	message string // for the event
}

// Types are the resource types of this machine by name.
type Types map[string]Type

// StandardTypes are those of Heat that ask no cloud. Servers, groups and nested templates are part of the plan.
func StandardTypes() Types {
	handle, condition := waitHandle{}, waitCondition{count: "count", timeout: "timeout", handle: "handle", data: "data"}
	return Types{
		"OS::Heat::None":                           none{},
		"OS::Heat::RandomString":                   randomString{},
		"OS::Heat::Value":                          valueType{},
		"OS::Heat::TestResource":                   testResource{},
		"OS::Heat::Delay":                          delay{},
		"OS::Heat::SoftwareConfig":                 softwareConfig{},
		"OS::Heat::StructuredConfig":               softwareConfig{},
		"OS::Heat::SoftwareComponent":              softwareConfig{component: true},
		"OS::Heat::CloudConfig":                    cloudConfig{},
		"OS::Heat::MultipartMime":                  multipartMime{},
		"OS::Heat::SoftwareDeployment":             deployment{},
		"OS::Heat::StructuredDeployment":           deployment{structured: true},
		"OS::Heat::SoftwareDeploymentGroup":        deployment{group: true},
		"OS::Heat::StructuredDeploymentGroup":      deployment{group: true, structured: true},
		"OS::Heat::WaitConditionHandle":            handle,
		"OS::Heat::WaitCondition":                  condition,
		"AWS::CloudFormation::WaitConditionHandle": handle,
		"AWS::CloudFormation::WaitCondition":       waitCondition{count: "Count", timeout: "Timeout", handle: "Handle", data: "Data"},
	}
}

// get is a property's value, or what stands for it where it is not given.
func (i *Instance) get(name string, standard any) any {
	if v, _ := i.Properties.GetStr(name); v != nil {
		return v
	}
	return standard
}

// text is a property as text.
func (i *Instance) text(name, standard string) string { return value.Str(i.get(name, standard)) }

// number is a property as a number.
func (i *Instance) number(name string, standard float64) (float64, error) {
	f, err := value.ToFloat(i.get(name, standard))
	if err != nil {
		return 0, i.wrong(name, "is not a number")
	}
	return f, nil
}

// list is a property as a list; a single value is a list of one.
func (i *Instance) list(name string) []any {
	switch v := i.get(name, nil).(type) {
	case nil:
		return nil
	case []any:
		return v
	default:
		return []any{v}
	}
}

// wrong says what is wrong with a property, at its place.
func (i *Instance) wrong(name, why string) error {
	at := i.Node.Properties.Get(name)
	if at == nil {
		at = i.Node.At
	}
	return fault(at.At(), "property %s of %s %s", name, i.Node.Key, why)
}

// identify gives a new resource an id.
func (i *Instance) identify() {
	if i.Record.ID == "" {
		i.Record.ID = newUUID()
	}
}

// none is OS::Heat::None, which takes any property and has any attribute.
type none struct{}

func (none) Make(_ context.Context, i *Instance) error {
	i.identify()
	return nil
}

// stub stands for types that are not there: its attributes are null.
type stub struct{}

func (stub) Make(_ context.Context, i *Instance) error {
	i.identify()
	i.message = "stands for a " + i.Node.Type + ", which this machine does not have"
	return nil
}

// pause waits for a number of seconds.
func pause(ctx context.Context, seconds float64) error {
	timer := time.NewTimer(time.Duration(min(seconds, 1e9) * float64(time.Second)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// testResource is OS::Heat::TestResource.
type testResource struct{}

func (testResource) Make(ctx context.Context, i *Instance) error {
	seconds, err := i.number("wait_secs", 0)
	if err != nil {
		return err
	}
	if waits, ok := i.get("action_wait_secs", nil).(*value.Map); ok {
		name := map[string]string{create: "create", update: "update"}[i.Action]
		if v, _ := waits.GetStr(name); v != nil {
			if seconds, err = value.ToFloat(v); err != nil {
				return i.wrong("action_wait_secs", "is not a number")
			}
		}
	}
	if seconds < 0 {
		seconds = 1e9
	}
	if err := pause(ctx, seconds); err != nil {
		return err
	}
	if value.Truth(i.get("fail", false)) {
		return fmt.Errorf("Test Resource failed %s", i.Node.Key) //nolint:staticcheck // Heat's words
	}
	i.identify()
	i.Record.Attributes = newValues("output", i.text("value", "test_string"))
	return nil
}

// delay is OS::Heat::Delay: it waits min_wait, and a random part of max_jitter more.
type delay struct{}

func (delay) Make(ctx context.Context, i *Instance) error {
	i.identify()
	actions := i.list("actions")
	if actions != nil && !slices.Contains(actions, any(i.Action)) || actions == nil && i.Action != create {
		return nil
	}
	least, err := i.number("min_wait", 0)
	if err != nil {
		return err
	}
	jitter, err := i.number("max_jitter", 0)
	if err != nil {
		return err
	}
	multiplier, err := i.number("jitter_multiplier", 1)
	if err != nil {
		return err
	}
	return pause(ctx, least+jitter*multiplier*randomPart())
}

// valueType is OS::Heat::Value.
type valueType struct{}

func (valueType) Make(_ context.Context, i *Instance) error {
	v := i.get("value", nil)
	if typ := i.text("type", ""); typ != "" {
		converted, err := convertValue(typ, v)
		if err != nil {
			return i.wrong("value", err.Error())
		}
		v = converted
	}
	i.Record.Attributes = newValues("value", v)
	return nil
}
