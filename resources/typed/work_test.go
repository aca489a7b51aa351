package typed

import (
	"context"
	"testing"

	"github.com/hotloom/hotloom/resources"
)

// leaving is a resource whose work goes on elsewhere.
type leaving struct {
	Name string `hot:"name"`
}

func (l *leaving) Create(_ context.Context, c *Call) error {
	c.SetID("thing of " + c.Key)
	c.Later("ticket", 0)
	return nil
}

func (l *leaving) Poll(_ context.Context, c *Call) error {
	if c.Get("asked") == nil {
		c.Set("asked", true)
		c.Later(c.Token, 0)
	}
	return nil
}

func (l *leaving) Delete(context.Context, *Call) error { return nil }

// TestAnswersThatAreLostAreGivenAgain: a host that is killed before it has kept where the work goes on asks once more, and
// must not hear that nobody knows.
func TestAnswersThatAreLostAreGivenAgain(t *testing.T) {
	t.Parallel()
	p, err := New(Provider{Name: "p", Version: "1", Types: map[string]func() Resource{"X::Y": func() Resource { return new(leaving) }}})
	if err != nil {
		t.Fatal(err)
	}
	op := &resources.Operation{Key: "k", Action: resources.Create, Wait: 1e9, Resource: &resources.Instance{Type: "X::Y", Properties: resources.Values{}}}
	first, err := p.Start(t.Context(), op)
	if err != nil {
		t.Fatal(err)
	}
	op.Repeated = true
	again, err := p.Start(t.Context(), op)
	if err != nil || again.Done || again.ID != "thing of k" || again.Token == "" || again.Token != first.Token {
		t.Fatalf("the second answer is %+v, %v; the first was %+v", again, err, first)
	}
	op.Repeated = false
	for range 2 {
		op.Follow(again)
		if again, err = p.Poll(t.Context(), op); err != nil {
			t.Fatal(err)
		}
	}
	if !again.Done {
		t.Errorf("the work has not ended with its second question: %+v", again)
	}
}
