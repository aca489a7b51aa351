package heat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/hotloom/hotloom/resources"
	"github.com/hotloom/hotloom/resources/catalog"
)

// Offer is what one provider offers.
type Offer struct {
	Provider    resources.Provider
	Description *resources.Description
}

// Options of Serve.
type Options struct {
	// State is the folder with the socket, of mode 0700. It belongs to the user who runs the engine.
	State string
	// Offers asks all providers what they offer, when Serve begins and whenever an engine is started. What is wrong with one
	// is among the errors, and does not keep the others away.
	Offers func(ctx context.Context) ([]Offer, []error)
	Log    *slog.Logger // nil: slog.Default()
	// Ready is called once engines can connect.
	Ready func()
}

// Server answers engines.
type Server struct {
	opts Options
	log  *slog.Logger

	mu     sync.Mutex
	byType map[string]resources.Provider
	specs  map[string]*typeSpec
}

// Serve answers engines until ctx ends. Requests that are being answered then are dropped: their engines ask again.
func Serve(ctx context.Context, o Options) error {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	s := &Server{opts: o, log: o.Log}
	unlock, err := prepareState(o.State)
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.refresh(ctx); err != nil {
		return err
	}
	listener, err := listen(filepath.Join(o.State, socketName))
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = listener.Close() })
	defer stop()
	if o.Ready != nil {
		o.Ready()
	}
	room := make(chan struct{}, maxParallel)
	var running sync.WaitGroup
	defer running.Wait()
	for {
		c, err := listener.AcceptUnix()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			var passing net.Error
			if errors.As(err, &passing) && passing.Timeout() {
				continue
			}
			return fmt.Errorf("%s: %w", listener.Addr(), err)
		}
		room <- struct{}{}
		running.Go(func() {
			defer func() { <-room }()
			defer c.Close()
			s.serve(ctx, c)
		})
	}
}

// listen makes the socket. It gets its name when it takes connections, so that an engine finds either the old one or it.
func listen(path string) (*net.UnixListener, error) {
	fresh := path + ".new"
	if err := os.Remove(fresh); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: fresh, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("socket: %w", err)
	}
	l.SetUnlinkOnClose(false)
	if err = os.Chmod(fresh, 0o600); err == nil {
		err = os.Rename(fresh, path)
	}
	if err != nil {
		_ = l.Close()
		return nil, fmt.Errorf("socket: %w", err)
	}
	return l, nil
}

// refresh asks the providers what they offer, and keeps the types where an engine finds them while nobody serves.
func (s *Server) refresh(ctx context.Context) error {
	offers, errs := s.opts.Offers(ctx)
	for _, err := range errs {
		s.log.Error("a provider is left out", "error", err)
	}
	byType, specs := map[string]resources.Provider{}, map[string]*typeSpec{}
	for _, o := range offers {
		types, faults := loadable(o.Description)
		for _, f := range faults {
			s.log.Error("a resource type is left out: Heat could not load it", "provider", o.Description.Name, "fault", f)
		}
		for name, t := range types {
			if byType[name] != nil {
				s.log.Error("a resource type is offered twice; the first counts", "type", name, "provider", o.Description.Name)
				continue
			}
			byType[name], specs[name] = o.Provider, specOf(named(name, t))
		}
	}
	s.mu.Lock()
	s.byType, s.specs = byType, specs
	s.mu.Unlock()
	text, err := json.Marshal(answer{Done: true, Types: specs})
	if err != nil {
		return err
	}
	path := filepath.Join(s.opts.State, typesName)
	if err = os.WriteFile(path+".new", text, 0o600); err == nil {
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		return fmt.Errorf("state folder: %w", err)
	}
	return nil
}

func named(name string, t *catalog.Type) *catalog.Type {
	out := *t
	out.Name = name
	return &out
}

// provider gives the provider of a type.
func (s *Server) provider(_ context.Context, name string) (resources.Provider, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.byType[name]; p != nil {
		return p, nil
	}
	return nil, resources.Errorf(resources.Unsupported, "no provider offers resource type %s any more", name)
}

// Types are the names of the types that engines can load.
func (s *Server) types(ctx context.Context) (*answer, error) {
	if err := s.refresh(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return &answer{Done: true, Types: maps.Clone(s.specs)}, nil
}

// serve answers one request.
func (s *Server) serve(ctx context.Context, c *net.UnixConn) {
	if err := checkPeer(c); err != nil {
		s.log.Warn("a connection is refused", "error", err)
		return
	}
	_ = c.SetReadDeadline(time.Now().Add(readTimeout))
	text, err := io.ReadAll(io.LimitReader(c, maxRequest+1))
	if err != nil {
		s.log.Warn("a request cannot be read", "error", err)
		return
	}
	if len(text) > maxRequest { // read on, so that the engine hears why
		_, _ = io.Copy(io.Discard, io.LimitReader(c, 4*maxRequest))
	}
	a := s.answer(ctx, text)
	if ctx.Err() != nil {
		return // what it says may only be that we are ending; the engine asks again
	}
	out, err := json.Marshal(a)
	if err != nil {
		out, _ = json.Marshal(answer{Error: &failure{Message: "the provider's answer is not JSON: " + err.Error()}})
	}
	_ = c.SetWriteDeadline(time.Now().Add(readTimeout))
	if _, err := c.Write(out); err != nil {
		s.log.Warn("an answer cannot be written", "error", err)
	}
}

// calls are what an engine may ask.
var calls = map[string]func(*Server, context.Context, *request, *kept) (*answer, error){
	"begin":      (*Server).begin,
	"step":       (*Server).step,
	"adopt":      (*Server).adopt,
	"cancel":     (*Server).cancel,
	"validate":   (*Server).validate,
	"attributes": (*Server).attributes,
	"signal":     (*Server).signal,
}

func (s *Server) answer(ctx context.Context, text []byte) *answer {
	refuse := func(err error) *answer { return &answer{Error: failureOf(err)} }
	if len(text) > maxRequest {
		return refuse(fmt.Errorf("the request is larger than %d bytes", maxRequest))
	}
	var r request
	if err := json.Unmarshal(text, &r); err != nil {
		return refuse(fmt.Errorf("the request cannot be read: %w", err))
	}
	if r.Call == "types" {
		a, err := s.types(ctx)
		if err != nil {
			return refuse(err)
		}
		return a
	}
	call := calls[r.Call]
	if call == nil {
		return refuse(fmt.Errorf("there is no call %q: is the file %s of another version of hotloom?", r.Call, PluginName))
	}
	k, err := readKept(r.Data)
	if err != nil {
		return refuse(err)
	}
	a, err := call(s, ctx, &r, k)
	if a == nil {
		a = &answer{}
	}
	a.Error = failureOf(err)
	if r.Call == "validate" || r.Call == "attributes" || r.Call == "cancel" {
		return a
	}
	if a.Keep, err = k.changes(r.Data); err != nil {
		a.Done, a.Error = false, failureOf(err)
	}
	return a
}
