package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	target "github.com/hotloom/hotloom/compiler/emit/local"
	"github.com/hotloom/hotloom/compiler/value"
)

// removeNode removes a node that is no longer wanted.
func (r *Runtime) removeNode(ctx context.Context, _ *target.Node, key string, _ *value.Map) (any, error) {
	return nil, r.removeRecord(ctx, key)
}

// removeRecord runs what a node has for DELETE, takes away what it is, and forgets it. What was never made needs nothing.
func (r *Runtime) removeRecord(ctx context.Context, key string) error {
	rec := r.state.Record(key)
	if rec == nil {
		return nil
	}
	n := &target.Node{Key: key, Kind: target.Kind(rec.Kind), Type: rec.Type}
	rec.Status, rec.Reason, rec.Started, rec.Ended = remove+inProgress, "", time.Now().UTC(), time.Time{}
	if err := r.start(rec, n); err != nil {
		return err
	}
	if err := r.discard(ctx, rec); err != nil {
		return r.fail(rec, n, err)
	}
	if err := r.state.Forget(key); err != nil {
		return err
	}
	r.event(key, n.Kind, remove+complete, "")
	return nil
}

// discard takes away what a record stands for.
func (r *Runtime) discard(ctx context.Context, rec *Record) error {
	switch target.Kind(rec.Kind) {
	case target.Host:
		return r.removeHost(rec)
	case target.Resource:
		if ofProvider(rec) && r.types[rec.Type] == nil && !r.opts.Abandon {
			return fmt.Errorf("no provider of %s is there, which made %s: put it back, or leave the resource where it is with down --abandon", rec.Type, rec.Key)
		}
		if remover, ok := r.types[rec.Type].(Remover); ok && !r.opts.Abandon {
			return remover.Remove(ctx, r, rec)
		}
	case target.Step:
		if r.opts.Abandon {
			return nil
		}
		return r.runLater(ctx, rec, remove)
	}
	return nil
}

// runLater runs what a node has kept for an action. Where its host is another one by now there is nothing to run on.
func (r *Runtime) runLater(ctx context.Context, rec *Record, action string) error {
	job, host := rec.Later[action], r.state.Record(rec.Host)
	if job == nil || host == nil || host.ID != rec.HostID {
		return nil
	}
	_, err := r.run(ctx, job, host)
	var f *failure
	if errors.As(err, &f) && job.Continue {
		return nil
	}
	return err
}

// removeHost removes a host's folder, unless it is the user's own, and gives its address back.
func (r *Runtime) removeHost(rec *Record) error {
	if rec.Binding == "" && rec.Dir != "" && filepath.Base(rec.Dir) == rec.Dir {
		if err := removeTree(filepath.Join(r.state.Dir, "hosts", rec.Dir)); err != nil {
			return fmt.Errorf("host %s: %w", rec.Key, err)
		}
	}
	r.state.release(rec.Address)
	return nil
}

// removeTree removes a folder with what scripts have made in it, folders that may not be written among them.
func removeTree(dir string) error {
	err := os.RemoveAll(dir)
	if err == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(p, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}
