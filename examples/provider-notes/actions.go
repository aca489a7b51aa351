package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/hotloom/hotloom/plugins/sdk"
)

// actions are what tasks of workflows call.
var actions = sdk.Actions{"notes.read": read(), "notes.await": await()}

// read makes the action that gives the lines of a note. It is safe to run again where the provider was killed.
func read() sdk.Action {
	a := sdk.Func("the lines of a note", func(_ context.Context, in struct {
		Path string `hot:"path,required" doc:"file that holds the note"`
		Most int    `hot:"most" default:"100" range:"1..10000" doc:"lines at most"`
	}, _ *sdk.Call,
	) (any, error) {
		text, err := os.ReadFile(in.Path)
		if err != nil {
			return nil, err
		}
		lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
		return lines[:min(in.Most, len(lines))], nil
	})
	a.Repeatable = true
	return a
}

// await makes the action that waits for a note. Nothing runs meanwhile: the token is all that it needs, so that it goes on
// in whichever process there is.
func await() sdk.Action {
	return sdk.Func("waits until there is a note", func(_ context.Context, in struct {
		Path string `hot:"path,required" doc:"file that is to hold the note"`
	}, c *sdk.Call,
	) (any, error) {
		since := c.Token
		if since == "" {
			since = time.Now().UTC().Format(time.RFC3339)
		}
		if _, err := os.Stat(in.Path); errors.Is(err, fs.ErrNotExist) {
			c.Later(since, 100*time.Millisecond)
			return nil, nil
		} else if err != nil {
			return nil, err
		}
		return sdk.Values{"path": in.Path, "since": since}, nil
	})
}
