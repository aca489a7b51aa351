package preview

import (
	"encoding/json"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/value"
)

// jsonPlan is the shape of a plan as JSON. Fields may be added, never changed.
type jsonPlan struct {
	Version  int            `json:"version"`
	Changes  []jsonChange   `json:"changes"`
	Refusals []jsonRefusal  `json:"refusals,omitempty"`
	Summary  map[string]int `json:"summary"`
}

type jsonPlace struct {
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

type jsonChange struct {
	Path     string      `json:"path"`
	Type     string      `json:"type"`
	OldType  string      `json:"old_type,omitempty"`
	Action   Action      `json:"action"`
	Possible bool        `json:"possible,omitempty"`
	Recorded bool        `json:"recorded,omitempty"`
	Location *jsonPlace  `json:"location,omitempty"`
	Causes   []jsonCause `json:"causes,omitempty"`
}

type jsonCause struct {
	What     string          `json:"what"`
	Property string          `json:"property,omitempty"`
	Replaces bool            `json:"replaces,omitempty"`
	Possible bool            `json:"possible,omitempty"`
	Before   json.RawMessage `json:"before,omitempty"`
	After    json.RawMessage `json:"after,omitempty"`
	Sources  []jsonSource    `json:"sources,omitempty"`
	Advice   string          `json:"advice,omitempty"`
	Location *jsonPlace      `json:"location,omitempty"`
}

type jsonSource struct {
	Kind   string          `json:"kind"`
	Name   string          `json:"name"`
	Before json.RawMessage `json:"before,omitempty"`
	After  json.RawMessage `json:"after,omitempty"`
	Action string          `json:"action,omitempty"`
}

type jsonRefusal struct {
	Message  string     `json:"message"`
	Location *jsonPlace `json:"location,omitempty"`
}

// JSON writes a plan for machines. What is known later is {"later": the call as text}; secret values are left out.
func (p *Plan) JSON(labels Labels) ([]byte, error) {
	out := jsonPlan{Version: 1, Changes: []jsonChange{}, Summary: map[string]int{}}
	for _, c := range p.Changes {
		j := jsonChange{
			Path: c.Path, Type: c.Type, OldType: c.OldType, Action: c.Action, Possible: c.Possible, Recorded: c.Recorded,
			Location: labels.json(c.Place),
		}
		for _, cause := range c.Causes {
			j.Causes = append(j.Causes, cause.json(labels))
		}
		out.Changes = append(out.Changes, j)
		if c.Recorded {
			out.Summary["record"]++
		} else {
			out.Summary[c.Action.String()]++
		}
	}
	for _, r := range p.Refusals {
		out.Refusals = append(out.Refusals, jsonRefusal{r.Message, labels.json(r.Place)})
	}
	return json.MarshalIndent(out, "", "  ")
}

func (c Cause) json(labels Labels) jsonCause {
	j := jsonCause{
		What: c.What, Property: c.Property, Replaces: c.Replaces, Possible: c.Possible, Advice: c.Advice, Location: labels.json(c.Place),
	}
	if !c.Secret {
		j.Before, j.After = jsonValue(c.Before), jsonValue(c.After)
	}
	for _, s := range c.Sources {
		js := jsonSource{Kind: s.Kind, Name: s.Name}
		if s.Kind == "resource" || s.Kind == "attribute" {
			js.Action = s.Action.String()
		}
		if !s.Secret && !c.Secret {
			js.Before, js.After = jsonValue(s.Before), jsonValue(s.After)
		}
		j.Sources = append(j.Sources, js)
	}
	return j
}

func (l Labels) json(p Place) *jsonPlace {
	where := p.At
	if l != nil {
		if found := l(p); found.Start.Line > 0 {
			where = found
		}
	}
	if where == (diag.Location{}) || where.Start.Line == 0 {
		return nil
	}
	return &jsonPlace{where.Path, where.Start.Line, where.Start.Column}
}

func jsonValue(v any) json.RawMessage {
	if v == nil {
		return nil
	}
	text, err := value.JSON(told(v), value.JSONOptions{})
	if err != nil {
		return nil
	}
	return json.RawMessage(text)
}

// told is a value with what is known later as a map that says so.
func told(v any) any {
	switch x := v.(type) {
	case *Later:
		return value.MapOf("later", x.String())
	case []any:
		out := make([]any, len(x))
		for i, item := range x {
			out[i] = told(item)
		}
		return out
	case *value.Map:
		out := value.NewMap(x.Len())
		for key, item := range x.All() {
			out.SetStr(value.Str(key), told(item))
		}
		return out
	}
	return v
}
