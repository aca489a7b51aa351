package plugins

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"google.golang.org/protobuf/proto"

	"github.com/hotloom/hotloom/compiler/value"
	wire "github.com/hotloom/hotloom/plugins/proto"
	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
)

// TestProtocolCarriesEverySchemaOfHeats sends the schemas of all of Heat's own types: whatever a Heat can say of a property or an
// attribute, a provider can.
func TestProtocolCarriesEverySchemaOfHeats(t *testing.T) {
	t.Parallel()
	heat := catalog.Default()
	d := &resources.Description{Name: "heat", Version: "19", Types: map[string]*catalog.Type{}}
	for _, name := range heat.Names() {
		if typ := heat.Type(name); typ != nil {
			d.Types[name] = typ
		}
	}
	if len(d.Types) < 100 {
		t.Fatalf("the catalog has only %d types", len(d.Types))
	}
	sent, err := descriptionToProto(d)
	if err != nil {
		t.Fatal(err)
	}
	text, err := proto.Marshal(sent)
	if err != nil {
		t.Fatal(err)
	}
	arrived := new(wire.Description)
	if err := proto.Unmarshal(text, arrived); err != nil {
		t.Fatal(err)
	}
	got, err := descriptionFromProto(arrived)
	if err != nil {
		t.Fatal(err)
	}
	// What the catalog knows of releases and services besides is no part of a schema; 1.0 is JSON's 1.
	facts := cmp.Options{
		cmpopts.IgnoreFields(catalog.Type{}, "Placeholder", "PlaceholderSince", "Translations", "Service", "Extension", "Loose", "Captured"),
		cmpopts.IgnoreFields(catalog.Property{}, "Since", "Only"), cmpopts.IgnoreFields(catalog.Attribute{}, "Since"), cmpopts.EquateEmpty(),
		cmp.FilterValues(func(a, b any) bool { return number(a) && number(b) }, cmp.Comparer(func(a, b any) bool { return value.Equal(a, b) })),
	}
	for name, want := range d.Types {
		if diff := cmp.Diff(want, got.Types[name], facts); diff != "" {
			t.Errorf("%s (-sent +arrived):\n%s", name, diff)
		}
	}
}

func number(v any) bool {
	switch v.(type) {
	case int64, float64:
		return true
	}
	return false
}
