// Command hotloom-provider-notes is a provider as a third party writes it: a module of its own, with a resource type and, in actions.go,
// two actions of workflows.
package main

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/hotloom/hotloom/plugins/sdk"
)

// Note is a text file on this machine.
type Note struct {
	Path string `hot:"path,required" length:"1..4096" doc:"file that holds the note; its folder must exist"`
	Text string `hot:"text,update" default:"" doc:"what the note says"`
	Seal string `hot:"seal,update,secret" default:"" doc:"last line of the file; it is not shown"`
	Size int    `attr:"size" doc:"bytes in the file"`
}

func (n *Note) write(c *sdk.Call) error {
	c.SetID(n.Path)
	text := n.Text + "\n" + n.Seal
	n.Size = len(text)
	return os.WriteFile(n.Path, []byte(text), 0o600)
}

func (n *Note) Create(_ context.Context, c *sdk.Call) error { return n.write(c) }
func (n *Note) Update(_ context.Context, c *sdk.Call) error { return n.write(c) }

// Recover runs after a crash: writing once more is as good as once.
func (n *Note) Recover(_ context.Context, c *sdk.Call) error { return n.write(c) }

func (n *Note) Delete(_ context.Context, c *sdk.Call) error {
	if err := os.Remove(c.ID()); c.ID() != "" && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Read is asked for attributes, and when the stack is checked.
func (n *Note) Read(_ context.Context, c *sdk.Call) error {
	info, err := os.Stat(c.ID())
	if errors.Is(err, fs.ErrNotExist) {
		return sdk.NotFound("the note %s is gone", c.ID())
	}
	if err == nil {
		n.Size = int(info.Size())
	}
	return err
}

var provider = sdk.Provider{
	Name: "notes", Version: "1.0.0", Summary: "text files as resources and for workflows",
	Types:   sdk.Types{"Example::Note": func() sdk.Resource { return new(Note) }},
	Actions: actions,
}

func main() { sdk.Serve(provider) }
