package openstack

import (
	"context"
	"errors"
	"net/http"
	"regexp"

	"github.com/hotloom/hotloom/compiler/value"
)

var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}$`)

// workflowKey is the field of a request that names a workflow.
func workflowKey(identifier string) string {
	if uuid.MatchString(identifier) {
		return "workflow_id"
	}
	return "workflow_name"
}

func executionsCreate(ctx context.Context, s *session, in *inputs) (any, error) {
	body := value.MapOf("description", in.text("description"))
	workflow, from := in.text("wf_identifier"), in.text("source_execution_id")
	if workflow == "" && from == "" {
		return nil, errors.New(`Execution is missing field "workflow_identifier"`)
	}
	if from != "" {
		body.SetStr("source_execution_id", from)
	}
	if workflow != "" {
		body.SetStr(workflowKey(workflow), workflow)
	}
	if v := in.text("namespace"); v != "" {
		body.SetStr("workflow_namespace", v)
	}
	if in.on("workflow_input") {
		body.SetStr("input", in.get("workflow_input"))
	}
	if rest := in.rest(); rest.Len() > 0 {
		body.SetStr("params", rest)
	}
	return s.json(ctx, request{method: http.MethodPost, path: "executions", body: body})
}

func executionsUpdate(ctx context.Context, s *session, in *inputs) (any, error) {
	path, err := fill("executions/{id}", in)
	if err != nil {
		return nil, err
	}
	body := value.NewMap(3)
	for _, name := range []string{"state", "description"} {
		if in.on(name) {
			body.SetStr(name, in.get(name))
		}
	}
	if in.on("env") {
		body.SetStr("params", value.MapOf("env", in.get("env")))
	}
	return s.json(ctx, request{method: http.MethodPut, path: path, body: body})
}

func tasksRerun(ctx context.Context, s *session, in *inputs) (any, error) {
	path, err := fill("tasks/{task_ex_id}", in)
	if err != nil {
		return nil, err
	}
	body := value.MapOf("id", in.text("task_ex_id"), "state", "RUNNING", "reset", in.on("reset"))
	if in.on("env") {
		body.SetStr("env", in.get("env"))
	}
	return s.json(ctx, request{method: http.MethodPut, path: path, body: body})
}

func cronTriggersCreate(ctx context.Context, s *session, in *inputs) (any, error) {
	workflow := in.text("workflow_identifier")
	body := value.MapOf("name", in.text("name"), "pattern", in.get("pattern"), "first_execution_time", in.get("first_time"),
		"remaining_executions", in.get("count"), workflowKey(workflow), workflow)
	for _, name := range []string{"workflow_input", "workflow_params"} {
		if in.on(name) {
			body.SetStr(name, in.get(name))
		}
	}
	return s.json(ctx, request{method: http.MethodPost, path: "cron_triggers", body: body})
}
