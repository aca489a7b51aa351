// Command hotloom-provider-bed is a provider for the tests of the Heat bridge. Its things are lines in files of the folder
// $BED_FOLDER, so that a test sees what was made, how often, and what is left.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/hotloom/hotloom/plugins/sdk"
)

func folder() string { return os.Getenv("BED_FOLDER") }

// record appends a line to the file that counts what was done.
func record(format string, args ...any) error {
	f, err := os.OpenFile(filepath.Join(folder(), "done"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, format+"\n", args...)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// Thing takes its time: in this process, which is then lost with it, or by itself.
type Thing struct {
	Label   string  `hot:"label,required,update" length:"1..40" pattern:"[a-z-]+"`
	Seconds float64 `hot:"seconds,update" default:"0" range:"0..600"`
	Alone   bool    `hot:"alone" default:"false" doc:"the work goes on by itself, as a cloud's does"`
	Early   bool    `hot:"early" default:"false" doc:"the thing is there from the beginning of the work, and its id is known"`
	Place   string  `hot:"place" default:"here" doc:"cannot change in place"`
	Fail    bool    `hot:"fail" default:"false"`
	Forbid  string  `hot:"forbid,update" default:"" doc:"a label that must not be the label"`
	Secret  string  `hot:"secret,update,secret" default:""`

	Path  string `attr:"path" doc:"the file that is the thing"`
	Signs int    `attr:"signals,nocache" doc:"how many signals have come in"`
}

func (t *Thing) Validate(_ context.Context, c *sdk.Call) []sdk.Fault {
	if t.Forbid != "" && t.Forbid == t.Label {
		return []sdk.Fault{{Path: []string{"label"}, Message: fmt.Sprintf("must not be %q", t.Forbid)}}
	}
	return nil
}

func file(id string) string { return filepath.Join(folder(), "thing-"+id) }

func (t *Thing) Create(ctx context.Context, c *sdk.Call) error {
	if err := record("begin %s %s", c.Name, c.Key); err != nil {
		return err
	}
	if t.Fail {
		return fmt.Errorf("the thing %s does not want to be made", t.Label)
	}
	c.Progress(10, "making %s", t.Label)
	if t.Alone {
		c.SetID(c.Key)
		if err := os.WriteFile(file(c.Key), []byte("building"), 0o600); err != nil {
			return err
		}
		c.Later(fmt.Sprint(time.Now().Add(time.Duration(t.Seconds*float64(time.Second))).UnixMilli()), time.Second/2)
		return nil
	}
	if t.Early {
		c.SetID(c.Key)
		if err := os.WriteFile(file(c.Key), []byte("building"), 0o600); err != nil {
			return err
		}
	}
	select {
	case <-time.After(time.Duration(t.Seconds * float64(time.Second))):
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	c.SetID(c.Key)
	return t.made(c)
}

func (t *Thing) made(c *sdk.Call) error {
	t.Path = file(c.ID())
	if err := os.WriteFile(t.Path, []byte(t.Label), 0o600); err != nil {
		return err
	}
	return record("made %s %s", c.Name, c.ID())
}

// Poll asks how the thing that is made by itself stands.
func (t *Thing) Poll(_ context.Context, c *sdk.Call) error {
	var until int64
	if _, err := fmt.Sscan(c.Token, &until); err != nil {
		return err
	}
	if time.Now().UnixMilli() < until {
		c.Later(c.Token, time.Second/2)
		return nil
	}
	return t.made(c)
}

func (t *Thing) Update(_ context.Context, c *sdk.Call) error {
	t.Path = file(c.ID())
	if err := os.WriteFile(t.Path, []byte(t.Label), 0o600); err != nil {
		return err
	}
	return record("update %s %s %v>%s", c.Name, c.ID(), c.Prior("label"), t.Label)
}

func (t *Thing) Check(_ context.Context, c *sdk.Call) error {
	if _, err := os.Stat(file(c.ID())); err != nil {
		return fmt.Errorf("the thing %s is gone", c.Name)
	}
	return nil
}

func (t *Thing) Suspend(_ context.Context, c *sdk.Call) error { return record("suspend %s", c.Name) }
func (t *Thing) Resume(_ context.Context, c *sdk.Call) error  { return record("resume %s", c.Name) }

func (t *Thing) Signal(_ context.Context, c *sdk.Call, details any) error {
	n, _ := c.Get("signals").(int64)
	c.Set("signals", n+1)
	c.SetOutput(fmt.Sprintf("signal %d", n+1))
	return record("signal %s %v authentic=%v", c.Name, details, c.Authentic)
}

func (t *Thing) Read(_ context.Context, c *sdk.Call) error {
	n, _ := c.Get("signals").(int64)
	t.Signs, t.Path = int(n), file(c.ID())
	return nil
}

func (t *Thing) Delete(_ context.Context, c *sdk.Call) error {
	if c.ID() == "" {
		return record("nothing to delete %s", c.Name)
	}
	if err := os.Remove(file(c.ID())); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return record("delete %s %s", c.Name, c.ID())
}

// Found is a thing that is there before its id is known, and that is found again by the key of its create.
type Found struct{ Thing }

func (f *Found) Create(ctx context.Context, c *sdk.Call) error {
	if err := os.WriteFile(file(c.Key), []byte("building"), 0o600); err != nil {
		return err
	}
	return f.Thing.Create(ctx, c)
}

// Recover goes on where another process has ended.
func (f *Found) Recover(_ context.Context, c *sdk.Call) error {
	if c.Action != "CREATE" {
		return fmt.Errorf("the %s was interrupted", c.Action)
	}
	if err := record("recover %s %s", c.Name, c.Key); err != nil {
		return err
	}
	c.SetID(c.Key)
	return f.made(c)
}

// Quick is as little as a resource can be.
type Quick struct {
	Value string `hot:"value,update" default:""`
	Shown string `attr:"shown"`
}

func (q *Quick) Create(_ context.Context, c *sdk.Call) error {
	c.SetID(c.Key)
	q.Shown = q.Value
	return nil
}
func (q *Quick) Update(_ context.Context, c *sdk.Call) error { q.Shown = q.Value; return nil }
func (q *Quick) Delete(context.Context, *sdk.Call) error     { return nil }

func main() {
	sdk.Serve(sdk.Provider{
		Name: "bed", Version: "1.0.0", Summary: "things for tests",
		Types: sdk.Types{
			"Bed::Thing": func() sdk.Resource { return new(Thing) },
			"Bed::Found": func() sdk.Resource { return new(Found) },
			"Bed::Quick": func() sdk.Resource { return new(Quick) },
		},
	})
}
