package conformance

import (
	"testing"

	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
)

// life is create, read, check, update, suspend, resume, delete, and delete again.
func (k *kit) life(t *testing.T) {
	p := connect(t, k.start(t))
	faults, err := p.Validate(t.Context(), k.operation(t, resources.Create).Resource)
	if err != nil || len(faults) > 0 {
		t.Fatalf("validate refuses the example: %v %v", faults, err)
	}
	op := k.create(t, p)
	k.attributes(t, p, op)
	if _, err := k.run(t, p, k.then(t, op, resources.Check)); err != nil && !resources.IsKind(err, resources.Unsupported) {
		t.Errorf("check: %v", err)
	}
	if k.e.Update != nil {
		k.update(t, p, op)
	}
	if k.typ.HasHandle("suspend") {
		for _, action := range []resources.Action{resources.Suspend, resources.Resume} {
			if _, err := k.run(t, p, k.then(t, op, action)); err != nil {
				t.Errorf("%s: %v", action, err)
			}
		}
	}
	k.exist(t, "before its delete", 1)
	k.delete(t, p, op)
	k.delete(t, p, op) // what is gone is deleted
}

func (k *kit) attributes(t *testing.T, p resources.Provider, op *resources.Operation) {
	t.Helper()
	all, err := p.Attributes(t.Context(), op.Resource, nil)
	if err != nil {
		t.Errorf("attributes: %v", err)
	}
	for name, v := range all {
		a := k.typ.Attributes[name]
		if a == nil {
			if !k.typ.DynamicAttributes {
				t.Errorf("attribute %s is not in the schema", name)
			}
			continue
		}
		if v != nil && a.Type != "" {
			if _, faults := resources.CheckValues(map[string]*catalog.Property{name: {Type: a.Type}}, resources.Values{name: v}); len(faults) > 0 {
				t.Errorf("attribute %v", faults[0])
			}
		}
	}
}

func (k *kit) update(t *testing.T, p resources.Provider, op *resources.Operation) {
	t.Helper()
	next := k.then(t, op, resources.Update)
	r, err := k.run(t, p, next)
	if err != nil {
		t.Fatalf("update: %v", err)
	}
	if r.Replace != k.e.Replace {
		t.Errorf("update: replace is %v, want %v", r.Replace, k.e.Replace)
	}
	if next.Resource.ID != op.Resource.ID {
		t.Errorf("update changed the id from %q to %q", op.Resource.ID, next.Resource.ID)
	}
	*op.Resource = *next.Resource
}

// repeated: a second start of the same operation does nothing anew.
func (k *kit) repeated(t *testing.T) {
	p := connect(t, k.start(t))
	op := k.operation(t, resources.Create)
	first, err := k.run(t, p, op)
	if err != nil {
		t.Fatal(err)
	}
	second, err := k.run(t, p, op)
	if err != nil || second.ID != first.ID {
		t.Errorf("started twice with one key: %v, id %q and then %q", err, first.ID, second.ID)
	}
	k.exist(t, "started twice with one key", 1)
	k.delete(t, p, op)
}

func (k *kit) deleteNothing(t *testing.T) {
	p := connect(t, k.start(t))
	if _, err := k.run(t, p, k.operation(t, resources.Delete)); err != nil {
		t.Errorf("delete of a resource without an id, as after a failed create: %v", err)
	}
}

// wrong: what no host may send makes the one operation fail, and says at which property.
func (k *kit) wrong(t *testing.T) {
	p := connect(t, k.start(t))
	refused := func(what string, change func(resources.Values)) {
		t.Helper()
		op := k.operation(t, resources.Create)
		change(op.Resource.Properties)
		_, err := k.run(t, p, op)
		if !resources.IsKind(err, resources.Invalid) || len(resources.AsError(err).Faults) == 0 {
			t.Errorf("%s: %v, want a fault with its path", what, err)
		}
		if faults, err := p.Validate(t.Context(), op.Resource); err != nil || len(faults) == 0 {
			t.Errorf("%s: validate finds no fault (%v)", what, err)
		}
	}
	refused("a property that the schema does not have", func(v resources.Values) { v["no such property"] = "x" })
	for name, property := range k.typ.Properties {
		if property.Required && property.Default == nil {
			refused("without the required property "+name, func(v resources.Values) { delete(v, name) })
		}
	}
	k.exist(t, "after what was refused", 0)
	op := k.operation(t, resources.Create)
	op.Resource.Type = "No::Such::Type"
	if _, err := k.run(t, p, op); !resources.IsKind(err, resources.Unsupported) {
		t.Errorf("a type that the provider does not have: %v, want an error of kind unsupported", err)
	}
}
