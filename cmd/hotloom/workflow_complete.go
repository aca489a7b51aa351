package main

import (
	"net"
	"net/http"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/internal/engine"
	"github.com/hotloom/hotloom/internal/server"
)

var endStates = []string{"SUCCESS", "ERROR", "CANCELLED"}

func workflowCompleteCommand() *cli.Command {
	return &cli.Command{
		Name:      "complete",
		Usage:     "report the end of an asynchronous action",
		ArgsUsage: "ID",
		Description: "ID is that of the action, as `show` has it under its task. Actions like std.async_noop and std.mistral_http wait for\n" +
			"this, or for a PUT to their callback address (see --listen of `run`).\n\n" +
			"Examples:\n" +
			"   hotloom workflow complete ID\n" +
			"   hotloom workflow complete ID --result '{\"address\": \"10.0.0.7\"}'\n" +
			"   hotloom workflow complete ID --as ERROR --result '\"no such host\"'",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "as", Usage: "SUCCESS, ERROR or CANCELLED", Value: endStates[0]},
			&cli.StringFlag{Name: "result", Usage: "what the action gives, `JSON`"},
			stateFlag(),
		},
		BashComplete: command.CompleteFlagValues("as", endStates),
		Action: func(c *cli.Context) error {
			args, err := command.Arguments(c) // the flags may stand behind
			if err != nil {
				return err
			}
			r := engine.Request{Do: "complete"}
			if r.State, err = command.Choice(c, "as", endStates); err != nil {
				return err
			}
			if text := c.String("result"); text != "" {
				if r.Result, err = value.ParseJSON(text); err != nil {
					return command.Usagef("complete: --result: %w", err)
				}
			}
			if len(args) != 1 {
				return command.Usagef("complete: want one ID, not %d arguments (%s --help explains)", len(args), c.Command.HelpName)
			}
			r.ID = args[0]
			return doOrAsk(c, r)
		},
	}
}

func listenFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "listen", Usage: "serve callbacks of asynchronous actions at `HOST:PORT`, and tell std.mistral_http of it",
	}
}

// listen opens the port of --listen, if that is given, and has actions told of it.
func listen(c *cli.Context, o *engine.Options) (net.Listener, error) {
	if c.String("listen") == "" {
		return nil, nil
	}
	l, err := net.Listen("tcp", c.String("listen"))
	if err != nil {
		return nil, err
	}
	o.CallbackBase = "http://" + l.Addr().String()
	return l, nil
}

// serve answers callbacks until the work is closed.
func (w *work) serve(l net.Listener) {
	w.callbacks = &http.Server{Handler: server.Callbacks(w.Engine), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute}
	w.serving.Go(func() { _ = w.callbacks.Serve(l) }) // it gives the reason why it ended: that it was closed
}
