package local

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
)

// Info is what is known of a stack as a whole.
type Info struct {
	Name, ID, Salt string
	Template       string // as it was given
	Status, Reason string
	Port           int    `json:",omitempty"` // where signals come in
	Outputs        Values `json:",omitempty"` // without secrets
	Created        time.Time
	Updated        time.Time
}

// State is the folder of one stack. It may be used from any goroutine; one process at a time changes it, which the
// engine's lock sees to.
//
//	stack.json     Info
//	source.json    the template with all files that belong to it
//	workflow.yaml  what the engine runs
//	nodes/         a Record each
//	hosts/         a folder for each host that is bound to none
//	logs/          a file for each action on each node
//	engine/        the engine's
type State struct {
	Dir  string
	root string // the folder of all stacks

	mu      sync.Mutex
	info    Info
	records map[string]*Record
}

// NotThere says that there is no stack of a name.
type NotThere struct{ Name string }

func (e *NotThere) Error() string { return fmt.Sprintf("there is no stack %s on this machine", e.Name) }

// ValidName reports what keeps a name from being a stack's: Heat's rule.
func ValidName(name string) bool {
	if name == "" || len(name) > 255 {
		return false
	}
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || (r < '0' || r > '9') && !strings.ContainsRune("_.-", r)) {
			return false
		}
	}
	return true
}

// Names lists the stacks of a state folder.
func Names(root string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(root, "stacks"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []string
	for _, e := range entries {
		if _, err := os.Stat(filepath.Join(root, "stacks", e.Name(), infoFile)); err == nil {
			out = append(out, e.Name())
		}
	}
	return out, err
}

const infoFile = "stack.json"

// OpenState reads the folder of a stack. The error is a *NotThere where there is none.
func OpenState(root, name string) (*State, error) {
	if !ValidName(name) {
		return nil, &NotThere{name}
	}
	s := &State{Dir: filepath.Join(root, "stacks", name), root: root, records: map[string]*Record{}}
	if err := s.load(); errors.Is(err, fs.ErrNotExist) {
		return nil, &NotThere{name}
	} else if err != nil {
		return nil, err
	}
	return s, nil
}

// NewState makes the folder of a stack that is not there yet.
func NewState(root, name string) (*State, error) {
	s := &State{Dir: filepath.Join(root, "stacks", name), root: root, records: map[string]*Record{}}
	for _, sub := range []string{"nodes", "hosts", "logs"} {
		if err := os.MkdirAll(filepath.Join(s.Dir, sub), 0o700); err != nil {
			return nil, fmt.Errorf("state folder: %w", err)
		}
	}
	if err := os.Chmod(s.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("state folder: %w", err)
	}
	s.info = Info{Name: name, ID: newUUID(), Salt: rand.Text(), Created: time.Now().UTC()}
	return s, s.SetInfo(func(*Info) {})
}

// load reads what is on the disk.
func (s *State) load() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.records = map[string]*Record{}
	if err := readJSON(filepath.Join(s.Dir, infoFile), &s.info); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(globEscape(s.Dir), "nodes", "*.json"))
	if err != nil {
		return err
	}
	for _, f := range files {
		r := &Record{}
		if err := readJSON(f, r); err != nil {
			return err
		}
		s.records[r.Key] = r
	}
	return nil
}

var globEscape = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace

// Info is the stack as it stands.
func (s *State) Info() Info {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.info
}

// SetInfo changes what is known of the stack.
func (s *State) SetInfo(change func(*Info)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.info)
	s.info.Updated = time.Now().UTC()
	return writeJSON(filepath.Join(s.Dir, infoFile), s.info)
}

// Record gives a copy of what is known of a node, or nil.
func (s *State) Record(key string) *Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.records[key]
	if r == nil {
		return nil
	}
	c := *r
	return &c
}

// Records gives all records in the order in which the nodes were made.
func (s *State) Records() []*Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]*Record, 0, len(s.records))
	for _, r := range s.records {
		c := *r
		out = append(out, &c)
	}
	slices.SortFunc(out, func(a, b *Record) int {
		if a.Serial != b.Serial {
			return a.Serial - b.Serial
		}
		return strings.Compare(a.Key, b.Key)
	})
	return out
}

// Put keeps a record.
func (s *State) Put(r *Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Serial == 0 {
		for _, other := range s.records {
			r.Serial = max(r.Serial, other.Serial)
		}
		r.Serial++
	}
	c := *r
	if err := writeJSON(s.recordFile(r.Key), &c); err != nil {
		return err
	}
	s.records[r.Key] = &c
	return nil
}

// Change changes a record that is there, whoever else does.
func (s *State) Change(key string, change func(*Record) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.records[key]
	if r == nil {
		return nil
	}
	c := *r
	if err := change(&c); err != nil {
		return err
	}
	if err := writeJSON(s.recordFile(key), &c); err != nil {
		return err
	}
	s.records[key] = &c
	return nil
}

// Forget drops a record.
func (s *State) Forget(key string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.records, key)
	if err := os.Remove(s.recordFile(key)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("state folder: %w", err)
	}
	return nil
}

// Remove drops the whole stack.
func (s *State) Remove() error {
	return os.RemoveAll(s.Dir)
}

func (s *State) recordFile(key string) string {
	return filepath.Join(s.Dir, "nodes", fileName(key)+".json")
}

// LogFile is where the output of an action on a node goes.
func (s *State) LogFile(key, action string) string {
	return filepath.Join(s.Dir, "logs", fileName(key)+"."+action+".log")
}

// fileName makes a file name of a key, one for each.
func fileName(key string) string {
	name := url.PathEscape(key)
	if strings.HasPrefix(name, ".") {
		name = "%2E" + name[1:]
	}
	if len(name) > 180 { // file systems take 255 bytes
		sum := sha256.Sum256([]byte(key))
		name = strings.ToValidUTF8(name[:140], "") + "~" + hex.EncodeToString(sum[:12])
	}
	return name
}

// digest is a salted digest of a value.
func (s *State) digest(v any) string {
	text, err := value.JSON(v, value.JSONOptions{SortKeys: true, Compact: true})
	if err != nil {
		text = value.Repr(v)
	}
	sum := sha256.Sum256([]byte(s.info.Salt + "\x00" + text))
	return hex.EncodeToString(sum[:16])
}

func readJSON(file string, into any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s is damaged: %w", file, err)
	}
	return nil
}

// writeJSON puts a file in the place of an older one, whole or not at all.
func writeJSON(file string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("state folder: %w", err)
	}
	return writeFile(file, append(text, '\n'))
}

func writeFile(file string, text []byte) (err error) {
	temporary, err := os.CreateTemp(filepath.Dir(file), ".new-*") // with mode 0600
	if err != nil {
		return fmt.Errorf("state folder: %w", err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temporary.Name())
			err = fmt.Errorf("state folder: %w", err)
		}
	}()
	_, err = temporary.Write(text)
	if err = errors.Join(err, temporary.Sync(), temporary.Close()); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), file)
}

func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // ends the program where the system has no randomness
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
