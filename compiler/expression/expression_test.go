package expression_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hotloom/hotloom/compiler/expression"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/yaql"
)

// running is a workflow that answers with what it was asked.
type running struct{ asked []any }

func (r *running) Task(_ context.Context, name string) (any, error) {
	return value.MapOf("name", name), nil
}

func (r *running) Tasks(_ context.Context, q yaql.TaskQuery) ([]any, error) {
	r.asked = append(r.asked, q)
	return []any{"t"}, nil
}
func (r *running) Execution(context.Context) (any, error) { return value.MapOf("id", "e"), nil }

func (r *running) Executions(_ context.Context, q yaql.ExecutionQuery) ([]any, error) {
	r.asked = append(r.asked, q)
	return []any{"x"}, nil
}
func (r *running) Global(_ context.Context, name string) (any, error) { return name + "!", nil }

// TestEvaluate shows which language a text is in, and Mistral's functions in both.
func TestEvaluate(t *testing.T) {
	t.Parallel()
	data := value.MapOf("a", int64(1), "__env", value.MapOf("k", "v"), "__execution", value.MapOf("id", "e"), "__task_execution", nil)
	for text, want := range map[string]any{
		"plain":                           "plain",
		"<% $.a %>":                       int64(1),
		"<% $.a %>, <% $.a + 1 %>":        "1, 2",
		"{{ _.a }}":                       int64(1),
		"{{ _.a }} <% $.a %>":             "1 <% $.a %>", // Jinja goes first
		"<% $.a\n %>":                     "<% $.a\n %>",
		"{% if _.a %}x{% endif %}":        "!list index out of range",
		"{% if _.a %}x{% endif %}{{ 1}}":  "x1",
		"<% env().k %>":                   "v",
		"{{ env().k }}":                   "v",
		"<% task(b).name %>":              "b",
		"{{ task('b').name }}":            "b",
		"<% execution().id %>":            "e",
		"{{ execution().id }}":            "e",
		"<% global(g) %>":                 "g!",
		"{{ global('g') }}":               "g!",
		"{{ [1] | json_dump }}":           "!json_dump_() missing 1 required positional argument: 'data'", // the list is the context
		"{{ json_dump([1]) }}":            "[\n    1\n]",
		"{{ [1] | json_pp }}":             "[\n    1\n]",
		"{{ json_parse('[1]')[0] }}":      int64(1),
		"{{ yaml_dump({'a': 1}) }}":       "a: 1\n",
		"{{ yaml_parse('a: 1').a }}":      int64(1),
		"{{ tasks('id', true) }}":         []any{"t"},
		"{{ executions(state='ERROR') }}": []any{"x"},
		"{{ nope }}":                      "!'nope' is undefined",
		"<% $.b %>":                       "!'b'",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			v, err := expression.Evaluate(context.Background(), text, data, expression.Options{YAQL: yaql.Options{Workflow: &running{}}})
			if w, fails := want.(string); fails && strings.HasPrefix(w, "!") {
				if err == nil || !strings.Contains(err.Error(), w[1:]) {
					t.Fatalf("got %v and error %v, want error %s", v, err, w[1:])
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, v); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFunctionsReachTheWorkflow(t *testing.T) {
	t.Parallel()
	w := &running{}
	o := expression.Options{YAQL: yaql.Options{Workflow: w}}
	for _, text := range []string{
		"{{ tasks('id', recursive=true, state='ERROR', flat=true) }}", "<% tasks(id, true, ERROR, true) %>",
	} {
		if _, err := expression.Evaluate(context.Background(), text, value.MapOf("a", int64(1)), o); err != nil {
			t.Fatal(err)
		}
	}
	q := yaql.TaskQuery{WorkflowExecutionID: "id", Recursive: true, State: "ERROR", Flat: true}
	if diff := cmp.Diff([]any{q, q}, w.asked); diff != "" {
		t.Error(diff)
	}
	_, err := expression.Evaluate(context.Background(), "{{ tasks() }}", value.MapOf("a", int64(1)), expression.Options{})
	if err == nil {
		t.Error("tasks() answers without a workflow")
	}
}
