package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/internal/local"
)

// lastLines is how much of a failing step's output is shown.
const lastLines = 10

// printOutcome says how an up or down ended: outputs on stdout, everything else on stderr.
func printOutcome(c *cli.Context, root, name string, out *local.Outcome) error {
	w := c.App.ErrWriter
	down := c.Command.Name == "down"
	switch {
	case out.Paused:
		fmt.Fprintf(w, "hotloom: paused; go on with: hotloom %s %s%s\n", c.Command.Name, stateWords(c), name)
	case out.Reason != "":
		printFailed(c, root, name, out)
	case down:
		fmt.Fprintf(w, "hotloom: stack %s is removed\n", name)
	case out.Changed == 0:
		fmt.Fprintf(w, "hotloom: stack %s: nothing has changed, nothing was run\n", name)
	default:
		fmt.Fprintf(w, "hotloom: stack %s is complete\n", name)
	}
	switch {
	case down:
		return nil
	case c.String("format") == "json":
		outputs := any(value.NewMap(0))
		if out.Outputs.Map != nil {
			outputs = out.Outputs.Map
		}
		text, err := value.JSON(value.MapOf("outputs", outputs), value.JSONOptions{Compact: true, Unicode: true})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(c.App.Writer, text)
		return err
	}
	return printOutputs(c, out.Outputs)
}

// stateWords repeats the flag for the state folder where it was given.
func stateWords(c *cli.Context) string {
	if dir := c.String("state"); dir != "" {
		return "--state " + dir + " "
	}
	return ""
}

func printOutputs(c *cli.Context, outputs local.Values) error {
	if outputs.Map == nil {
		return nil
	}
	for k, v := range outputs.All() {
		text, ok := v.(string)
		if !ok {
			var err error
			if text, err = value.JSON(v, value.JSONOptions{Unicode: true}); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintf(c.App.Writer, "%s: %s\n", value.Str(k), text); err != nil {
			return err
		}
	}
	return nil
}

func printFailed(c *cli.Context, root, name string, out *local.Outcome) {
	w := c.App.ErrWriter
	fmt.Fprintf(w, "hotloom: stack %s failed\n", name)
	if len(out.Failed) == 0 {
		fmt.Fprintf(w, "  %s\n", out.Reason)
	}
	s, err := local.OpenState(root, name)
	for _, rec := range out.Failed {
		fmt.Fprintf(w, "  %s\n", strings.ReplaceAll(rec.Reason, "\n", "\n    "))
		if err != nil {
			continue
		}
		for _, line := range s.LastLines(rec, lastLines) {
			fmt.Fprintf(w, "    | %s\n", line)
		}
	}
	fmt.Fprintf(w, "  hotloom logs %s%s shows all that they wrote; mend it and say up again\n", stateWords(c), name)
}
