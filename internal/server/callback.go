// Package server answers HTTP requests about what an engine runs, in the words of Mistral's API.
package server

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/internal/engine"
)

// maxBody is the largest request in bytes; a result may have 1 MiB by default.
const maxBody = 4 << 20

// Callbacks serves PUT /v2/action_executions/ID, with which the other side of an asynchronous action (std.mistral_http,
// std.async_noop) reports its end: {"state": "SUCCESS"|"ERROR"|"CANCELLED", "output": result}; PAUSED and RUNNING too.
// Who knows an action's id may complete it: an id is as good as a password, and is told only to that other side.
func Callbacks(e *engine.Engine) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("PUT /v2/action_executions/{id}", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			fault(w, http.StatusRequestEntityTooLarge, "Client", err)
			return
		}
		request, err := completion(r.PathValue("id"), body)
		if err != nil {
			fault(w, http.StatusBadRequest, "Client", err)
			return
		}
		var refusal *engine.Refusal
		switch err := e.Do(r.Context(), request); {
		case errors.As(err, &refusal):
			fault(w, http.StatusBadRequest, "Client", err)
		case err != nil:
			fault(w, http.StatusInternalServerError, "Server", err)
		default:
			answer(w, http.StatusOK, map[string]string{"id": request.ID, "state": request.State})
		}
	})
	return mux
}

// completion reads the body of a request. As in Mistral the output may be JSON text within the JSON.
func completion(id string, body []byte) (engine.Request, error) {
	v, err := value.ParseJSON(string(body))
	if err != nil {
		return engine.Request{}, err
	}
	m, ok := v.(*value.Map)
	if !ok {
		return engine.Request{}, errors.New("want a JSON object with state and output")
	}
	state, _ := m.GetStr("state")
	output, _ := m.GetStr("output")
	if text, isText := output.(string); isText {
		if inner, err := value.ParseJSON(text); err == nil {
			output = inner
		}
	}
	r := engine.Request{Do: "complete", ID: id, State: value.Str(state), Result: output}
	if r.State == "PAUSED" || r.State == "RUNNING" {
		r.Do, r.Result = "update", nil
	}
	return r, nil
}

func fault(w http.ResponseWriter, status int, code string, err error) {
	answer(w, status, map[string]any{"debuginfo": nil, "faultcode": code, "faultstring": err.Error()})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client is gone: there is nobody to tell
}
