package workflowhandle

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"

	"github.com/hotloom/hotloom/resources"
)

const (
	success = "SUCCESS"
	failure = "FAILURE"
)

// State is what is known of one handle.
type State struct {
	Token        string        `json:"token"`
	Count        int           `json:"count"`
	Participants []Participant `json:"participants,omitempty"` // in order of their first report
}

// Participant is one participant's last report.
type Participant struct {
	ID     string `json:"id"`
	Status string `json:"status"`
	Reason string `json:"reason,omitempty"`
	Data   any    `json:"data,omitempty"`
}

func (s *State) add(p Participant) {
	for i := range s.Participants {
		if s.Participants[i].ID == p.ID {
			s.Participants[i] = p
			return
		}
	}
	s.Participants = append(s.Participants, p)
}

// Complete reports whether as many have reported as have to.
func (s *State) Complete() bool { return len(s.Participants) >= s.Count }

// Failed is the first participant that reported a failure, nil where none has.
func (s *State) Failed() *Participant {
	for i := range s.Participants {
		if s.Participants[i].Status == failure {
			return &s.Participants[i]
		}
	}
	return nil
}

// List is the participants as values.
func (s *State) List() []any {
	out := make([]any, len(s.Participants))
	for i, p := range s.Participants {
		out[i] = map[string]any{"id": p.ID, "status": p.Status, "reason": p.Reason, "data": p.Data}
	}
	return out
}

// Store keeps the states of handles as files in a folder that only the user can read. Each change is whole on the disk
// before it is seen. One process at a time may use a folder.
type Store struct {
	dir string
	mu  sync.Mutex
}

// NewStore uses a folder, which is made when it is first needed.
func NewStore(dir string) *Store { return &Store{dir: dir} }

// idOf makes a handle's id of an operation's key: the same for every try.
func idOf(key string) string {
	sum := sha256.Sum256([]byte("workflow handle " + key))
	return hex.EncodeToString(sum[:16])
}

var goodID = regexp.MustCompile(`^[0-9a-f]{32}$`)

func (s *Store) path(id string) (string, error) {
	if !goodID.MatchString(id) { // it comes from templates, and becomes a file's name
		return "", resources.Errorf(resources.NotFound, "there is no workflow handle %q: use get_resource of one", id)
	}
	return filepath.Join(s.dir, id+".json"), nil
}

// Get reads a handle's state. The error is of kind NotFound where there is none.
func (s *Store) Get(id string) (*State, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.read(id)
}

func (s *Store) read(id string) (*State, error) {
	path, err := s.path(id)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, resources.Errorf(resources.NotFound, "there is no workflow handle %s", id)
	}
	if err != nil {
		return nil, err
	}
	v, err := resources.Decode(text) // so that whole numbers in data stay whole
	if err != nil {
		return nil, err
	}
	var out State
	if err := json.Unmarshal(text, &out); err != nil {
		return nil, err
	}
	if list, ok := v.(map[string]any)["participants"].([]any); ok && len(list) == len(out.Participants) {
		for i, p := range list {
			out.Participants[i].Data = p.(map[string]any)["data"]
		}
	}
	return &out, nil
}

// update changes a handle's state; with create set it makes one where there is none.
func (s *Store) update(id string, create bool, change func(*State) error) (*State, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	path, err := s.path(id)
	if err != nil {
		return nil, err
	}
	state, err := s.read(id)
	if create && resources.IsKind(err, resources.NotFound) {
		state, err = &State{}, nil
	}
	if err != nil {
		return nil, err
	}
	if err := change(state); err != nil {
		return nil, err
	}
	text, err := json.Marshal(state)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, err
	}
	return state, replaceFile(path, text)
}

// replaceFile writes a file so that it has either the old text or the new one, whatever happens.
func replaceFile(path string, text []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".new-") // mode 0600
	if err != nil {
		return err
	}
	_, err = tmp.Write(text)
	if err == nil {
		err = tmp.Sync()
	}
	if closed := tmp.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
	}
	return err
}

func (s *Store) remove(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	path, err := s.path(id)
	if err != nil {
		return nil //nolint:nilerr // what has no such id was never made
	}
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
