package local

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/hotloom/hotloom/internal/action"
)

// Host is where software runs.
type Host interface {
	// Run runs a script to its end, with all processes that it starts in one process group. When ctx ends the group is
	// killed. The error is for what kept it from running.
	Run(ctx context.Context, c Command) (Finished, error)
}

// Command is a script to run.
type Command struct {
	Name           string // unique on the host; part of file names
	Script         string
	Env            []string // NAME=VALUE
	Outputs        []string // names of the files $heat_outputs_path.NAME to read
	Stdout, Stderr io.Writer
}

// Finished is a script that has ended. A process that was killed by a signal has the code 128 and the signal's number.
type Finished struct {
	Code    int
	Outputs map[string]string // those that the script wrote
}

// maxOutput bounds one output.
const maxOutput = 1 << 20

// Bindings say which host is what: by key of the node or, for a member of a group, GROUP.0 or GROUP-0 too.
type Bindings map[string]string

// ParseBinding reads NAME=DIR or NAME=ssh://user@address[:port]. A folder is made absolute.
func ParseBinding(text string) (name, target string, err error) {
	name, target, ok := strings.Cut(text, "=")
	if !ok || name == "" || target == "" {
		return "", "", fmt.Errorf("%q is not NAME=DIR or NAME=ssh://user@address", text)
	}
	if strings.HasPrefix(target, "ssh://") {
		_, err = action.ParseSSH(target)
		return name, target, err
	}
	if strings.Contains(target, "://") {
		return "", "", fmt.Errorf("%q: hosts are folders or ssh://user@address", text)
	}
	target, err = filepath.Abs(target)
	return name, target, err
}

// find gives the binding of a host.
func (b Bindings) find(key string) (name, target string) {
	for _, name := range hostNames(key) {
		if t, ok := b[name]; ok {
			return name, t
		}
	}
	return "", ""
}

// hostNames are the names by which --host may call a host.
func hostNames(key string) []string {
	return []string{key, strings.ReplaceAll(key, "/", "."), strings.ReplaceAll(key, "/", "-")}
}

// host gives a host that is made, locked: one thing after the other runs on it, as Heat's agent does it.
func (r *Runtime) host(ctx context.Context, rec *Record) (Host, func(), error) {
	r.mu.Lock()
	lock := r.locks[rec.Key]
	if lock == nil {
		lock = make(chan struct{}, 1)
		r.locks[rec.Key] = lock
	}
	r.mu.Unlock()
	if err := r.enter(ctx, lock); err != nil {
		return nil, nil, err
	}
	if err := r.enter(ctx, r.room); err != nil {
		<-lock
		return nil, nil, err
	}
	if !r.count() {
		<-r.room
		<-lock
		<-ctx.Done()
		return nil, nil, context.Cause(ctx)
	}
	unlock := func() { <-r.room; <-lock; r.running.Done() }
	if strings.HasPrefix(rec.Binding, "ssh://") {
		return &sshHost{target: rec.Binding, name: rec.Key, stack: r.state.Info().Name, config: r.ssh}, unlock, nil
	}
	return &folderHost{dir: r.state.HostFolder(rec), run: filepath.Join(r.state.Dir, "run"), name: rec.Key, address: rec.Address}, unlock, nil
}

// enter takes a place. When no further script may begin it waits for the end: what has not begun begins again later.
func (r *Runtime) enter(ctx context.Context, places chan struct{}) error {
	select {
	case places <- struct{}{}:
		return nil
	case <-r.stopping:
		<-ctx.Done()
	case <-ctx.Done():
	}
	return context.Cause(ctx)
}

// count counts one more script that runs, unless none may begin.
func (r *Runtime) count() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	select {
	case <-r.stopping:
		return false
	default:
		r.running.Add(1)
		return true
	}
}

// stop lets no further script begin.
func (r *Runtime) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	select {
	case <-r.stopping:
	default:
		close(r.stopping)
	}
}

// address finds a loopback address that no other host of this state folder has: 127.0.0.2 and on.
func (s *State) address(owner string) (string, error) {
	dir := filepath.Join(s.root, "addresses")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("state folder: %w", err)
	}
	for i := 2; i < 1<<16; i++ {
		address := fmt.Sprintf("127.0.%d.%d", i>>8, i&0xff)
		file := filepath.Join(dir, address)
		f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if os.IsExist(err) {
			if text, err := os.ReadFile(file); err == nil && string(text) == owner {
				return address, nil // from a time when hotloom was killed in the middle
			}
			continue
		}
		if err != nil {
			return "", fmt.Errorf("state folder: %w", err)
		}
		_, err = f.WriteString(owner)
		if closed := f.Close(); err == nil {
			err = closed
		}
		return address, err
	}
	return "", fmt.Errorf("state folder %s: no address is left", s.root)
}

// release gives an address back.
func (s *State) release(address string) {
	if address != "" && filepath.Base(address) == address {
		_ = os.Remove(filepath.Join(s.root, "addresses", address))
	}
}
