package typed

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
)

type disk struct {
	Size   int     `hot:"size,required" range:"1.."`
	Label  *string `hot:"label" length:"..16"`
	Factor float64 `hot:"factor" default:"1.5"`
}

type machine struct {
	Base
	Name   string            `hot:"name,required" pattern:"[a-z]+" doc:"its name"`
	Disks  []disk            `hot:"disks,update" length:"1..4"`
	Ports  []uint16          `hot:"ports" allowed:"22,80"`
	Tags   map[string]string `hot:"tags,update"`
	Key    string            `hot:"key,secret" default:""`
	Flavor string            `hot:"flavor" custom:"nova.flavor" status:"DEPRECATED" since:"2.0" instead:"use size"`
	Step   int               `hot:"step" modulo:"4,1"`
	Extra  any               `hot:"extra,immutable"`
	hidden int
}

// Base is embedded: its fields count as the struct's own.
type Base struct {
	On    bool           `hot:"on" default:"true"`
	State map[string]any `attr:"state,nocache"`
}

func (*machine) Create(context.Context, *Call) error { return nil }
func (*machine) Delete(context.Context, *Call) error { return nil }

func bound(f float64) *float64 { return &f }

func TestTagsBecomeHeatsSchema(t *testing.T) {
	t.Parallel()
	got, err := newResourceType("X::Y", func() Resource { return &machine{hidden: 1} })
	if err != nil {
		t.Fatal(err)
	}
	pattern := "[a-z]+"
	want := &catalog.Type{
		Name: "X::Y", Handles: []string{"create", "delete"},
		Attributes: map[string]*catalog.Attribute{"state": {Type: catalog.Map, NoCache: true}},
		Properties: map[string]*catalog.Property{
			"on":   {Type: catalog.Boolean, Default: true},
			"name": {Type: catalog.String, Required: true, Description: "its name", Constraints: []catalog.Constraint{{AllowedPattern: &pattern}}},
			"disks": {
				Type: catalog.List, Update: true, Constraints: []catalog.Constraint{{Length: &catalog.Bounds{Min: bound(1), Max: bound(4)}}},
				Items: &catalog.Property{Type: catalog.Map, Schema: map[string]*catalog.Property{
					"size":   {Type: catalog.Integer, Required: true, Constraints: []catalog.Constraint{{Range: &catalog.Bounds{Min: bound(1)}}}},
					"label":  {Type: catalog.String, Constraints: []catalog.Constraint{{Length: &catalog.Bounds{Max: bound(16)}}}},
					"factor": {Type: catalog.Number, Default: 1.5},
				}},
			},
			"ports": {Type: catalog.List, Items: &catalog.Property{
				Type: catalog.Integer, Constraints: []catalog.Constraint{{AllowedValues: []any{int64(22), int64(80)}}},
			}},
			"tags": {Type: catalog.Map, Update: true},
			"key":  {Type: catalog.String, Secret: true, Default: ""},
			"flavor": {
				Type: catalog.String, Constraints: []catalog.Constraint{{Custom: "nova.flavor"}},
				Support: catalog.Support{Status: catalog.Deprecated, Version: "2.0", Message: "use size"},
			},
			"step":  {Type: catalog.Integer, Constraints: []catalog.Constraint{{Modulo: &catalog.Modulo{Step: 4, Offset: 1}}}},
			"extra": {Type: catalog.Anything, Immutable: true},
		},
	}
	if diff := cmp.Diff(want, got.schema); diff != "" {
		t.Errorf("schema (-want +got):\n%s", diff)
	}
	d := resources.Description{Name: "x", Version: "1", Types: map[string]*catalog.Type{"X::Y": got.schema}}
	if faults := d.Faults(); faults != nil {
		t.Error(faults)
	}
}

func TestPropertiesFillTheStruct(t *testing.T) {
	t.Parallel()
	typ, err := newResourceType("X::Y", func() Resource { return new(machine) })
	if err != nil {
		t.Fatal(err)
	}
	values, faults := resources.CheckValues(typ.schema.Properties, resources.Values{
		"name": "web", "disks": []any{map[string]any{"size": "20", "label": "data"}, map[string]any{"size": int64(1)}},
		"ports": []any{int64(22)}, "tags": map[string]any{"a": "b"}, "on": "FALSE", "step": int64(5), "extra": []any{nil, true},
	})
	if faults != nil {
		t.Fatal(faults)
	}
	r, _ := typ.value(&resources.Instance{Properties: values})
	label := "data"
	want := &machine{
		Name: "web", Disks: []disk{{Size: 20, Label: &label, Factor: 1.5}, {Size: 1, Factor: 1.5}}, Ports: []uint16{22},
		Tags: map[string]string{"a": "b"}, Step: 5, Extra: []any{nil, true},
	}
	if diff := cmp.Diff(want, r, cmp.AllowUnexported(machine{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, faults = resources.CheckValues(typ.schema.Properties, resources.Values{
		"name": "Web", "disks": []any{map[string]any{"sice": int64(1)}}, "ports": []any{int64(23)}, "on": "yes", "step": int64(4),
	})
	var got []string
	for _, f := range faults {
		got = append(got, f.String())
	}
	wantFaults := []string{
		`disks.0.sice: unknown property; did you mean "size"?`, "disks.0.size: required, and not given", "name: does not match [a-z]+",
		"on: must be a boolean, not a string", "ports.0: is not one of 22, 80", "step: is not a multiple of 4 with an offset of 1",
	}
	if diff := cmp.Diff(wantFaults, got); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}

type base struct{}

func (base) Create(context.Context, *Call) error { return nil }
func (base) Delete(context.Context, *Call) error { return nil }

func TestTagsThatMeanNothing(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]Resource{
		`hot has no word "requird"`: &struct {
			base
			A string `hot:"a,requird"`
		}{},
		"no name": &struct {
			base
			A string `hot:",required"`
		}{},
		"twice": &struct {
			base
			A string `hot:"a"`
			B string `hot:"a"`
		}{},
		"both update and immutable": &struct {
			base
			A string `hot:"a,update,immutable"`
		}{},
		"no use for a default": &struct {
			base
			A string `hot:"a,required" default:"x"`
		}{},
		"default": &struct {
			base
			A int `hot:"a" default:"x"`
		}{},
		"MIN..MAX": &struct {
			base
			A int `hot:"a" range:"1-2"`
		}{},
		"cannot be a property": &struct {
			base
			A chan int `hot:"a"`
		}{},
		"not exported": &struct {
			base
			a string `hot:"a"` //nolint:govet // the point of the test
		}{},
	} {
		_, err := New(Provider{Name: "p", Version: "1", Types: Types{"A::B": func() Resource { return r }}})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "provider p: A::B: ") {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := New(Provider{Name: "No Good"}); err == nil {
		t.Error("a bad name was accepted")
	}
}

func TestScrubberHidesSecretsWhole(t *testing.T) {
	t.Parallel()
	var s resources.Scrubber
	s.Add(map[string]any{"a": "pass", "b": []any{"password-1", "\"quoted\"\n", "abc", int64(12345)}})
	got := s.Text(fmt.Sprintf(`pass password-1 abc %q 12345`, "\"quoted\"\n"))
	if want := `*** *** abc "***" 12345`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
