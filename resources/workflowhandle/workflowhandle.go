// Package workflowhandle is OS::Mistral::WorkflowHandle of the 2013 proposal: it gathers the participants of a workflow.
//
// Each participant signals the handle once it is ready; a Workflow that names the handle starts when all have. What was
// gathered lies in a Store, since a Workflow is given no more of a handle than its id.
package workflowhandle

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"fmt"

	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/typed"
)

// Type is the resource type's name.
const Type = "OS::Mistral::WorkflowHandle"

// Handle is the resource.
type Handle struct {
	Count int `hot:"count,update" default:"1" range:"0..10000" doc:"how many participants have to report"`

	Endpoint     string         `attr:"endpoint" doc:"URL that takes signals"`
	Token        string         `attr:"token,secret" doc:"what a signal has to carry as its token"`
	Curl         string         `attr:"curl_cli,secret" doc:"command that signals; append --data-binary '{\"id\": …, \"data\": …}'"`
	Received     int            `attr:"received,nocache" doc:"how many participants have reported"`
	Complete     bool           `attr:"complete,nocache" doc:"whether all have reported"`
	Participants []any          `attr:"participants,nocache" doc:"what they said, in order: id, status, reason, data"`
	Data         map[string]any `attr:"data,nocache" doc:"the participants' data by their ids"`

	store *Store
}

// New gives the type's constructor for a provider.
func New(s *Store) func() typed.Resource { return func() typed.Resource { return &Handle{store: s} } }

var (
	_ typed.Updater   = (*Handle)(nil)
	_ typed.Reader    = (*Handle)(nil)
	_ typed.Signaler  = (*Handle)(nil)
	_ typed.Recoverer = (*Handle)(nil)
)

// Create makes an empty handle. Its id is the operation's key, so that a second try finds the first one's.
func (h *Handle) Create(_ context.Context, c *typed.Call) error {
	id := idOf(c.Key)
	c.SetID(id)
	s, err := h.store.update(id, true, func(s *State) error {
		s.Count = h.Count
		if s.Token == "" {
			s.Token = rand.Text()
		}
		return nil
	})
	if err == nil {
		h.show(c, s)
	}
	return err
}

// Update changes the number of participants.
func (h *Handle) Update(_ context.Context, c *typed.Call) error {
	s, err := h.store.update(c.ID(), false, func(s *State) error { s.Count = h.Count; return nil })
	if err == nil {
		h.show(c, s)
	}
	return err
}

// Recover ends what a crash has interrupted: all that is done here may be done twice.
func (h *Handle) Recover(ctx context.Context, c *typed.Call) error {
	if c.Action == resources.Create {
		return h.Create(ctx, c)
	}
	return h.Update(ctx, c)
}

// Read shows what has come in.
func (h *Handle) Read(_ context.Context, c *typed.Call) error {
	s, err := h.store.Get(c.ID())
	if err == nil {
		h.show(c, s)
	}
	return err
}

// Delete forgets the handle.
func (h *Handle) Delete(_ context.Context, c *typed.Call) error {
	if c.ID() == "" {
		return nil
	}
	return h.store.remove(c.ID())
}

// Signal takes the report of one participant: {"id", "status": "SUCCESS" or "FAILURE", "reason", "data", "token"}. Without
// an id the participants are numbered. The last report of an id counts. A sender that the host does not know has to show
// the handle's token.
func (h *Handle) Signal(_ context.Context, c *typed.Call, details any) error {
	body, ok := details.(map[string]any)
	if details != nil && !ok {
		return resources.InvalidAt([]string{"details"}, "a signal is a JSON object")
	}
	s, err := h.store.update(c.ID(), false, func(s *State) error {
		token, _ := body["token"].(string)
		if !c.Authentic && subtle.ConstantTimeCompare([]byte(token), []byte(s.Token)) != 1 {
			return resources.InvalidAt([]string{"details", "token"}, "the token is missing or another handle's")
		}
		p, err := participant(body, len(s.Participants)+1)
		if err == nil {
			s.add(p)
		}
		return err
	})
	if err != nil {
		return err
	}
	h.show(c, s)
	c.SetOutput(fmt.Sprintf("%d of %d participants have reported", len(s.Participants), s.Count))
	return nil
}

func participant(body map[string]any, number int) (Participant, error) {
	p := Participant{ID: fmt.Sprint(number), Status: success}
	for key, v := range body {
		text, isText := v.(string)
		switch key {
		case "id", "status", "reason":
			if !isText && v != nil {
				return p, resources.InvalidAt([]string{"details", key}, "must be text")
			}
		case "data", "token":
			continue
		default:
			return p, resources.InvalidAt([]string{"details", key}, "a signal has id, status, reason, data and token")
		}
		switch {
		case text == "":
		case key == "id":
			p.ID = text
		case key == "status":
			p.Status = text
		default:
			p.Reason = text
		}
	}
	p.Data = body["data"]
	if p.Status != success && p.Status != failure {
		return p, resources.InvalidAt([]string{"details", "status"}, "must be %s or %s", success, failure)
	}
	return p, nil
}

// show fills in the attributes.
func (h *Handle) show(c *typed.Call, s *State) {
	h.Endpoint, h.Token = c.SignalURL, s.Token
	if c.SignalURL != "" {
		h.Curl = fmt.Sprintf("curl -sS -X POST -H 'Content-Type: application/json' %s", c.SignalURL)
	}
	h.Received, h.Complete = len(s.Participants), s.Complete()
	h.Participants, h.Data = s.List(), map[string]any{}
	for _, p := range s.Participants {
		h.Data[p.ID] = p.Data
	}
}
