package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/internal/engine"
	"github.com/hotloom/hotloom/internal/engine/flow"
)

// printSnapshot writes an execution in the format of the flag.
func printSnapshot(c *cli.Context, s *engine.Snapshot) error {
	if c.String("format") == "json" {
		text, err := s.JSON()
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(c.App.Writer, text)
		return err
	}
	return writeSnapshot(c.App.Writer, s, "")
}

func writeSnapshot(w io.Writer, s *engine.Snapshot, indent string) error {
	var b strings.Builder
	took := ""
	if s.State.Completed() {
		took = "  " + round(s.Ended.Sub(s.Created))
	}
	fmt.Fprintf(&b, "%s%-9s %s  %s%s%s\n", indent, s.State, s.Workflow, s.ID, took, reason(indent, s.Info))
	for _, t := range s.Tasks {
		fmt.Fprintf(&b, "%s  %-9s %s%s%s\n", indent, t.State, t.Name, facts(t), reason(indent+"  ", t.Info))
		for _, a := range t.Unfinished() {
			fmt.Fprintf(&b, "%s      %-9s %s  %s\n", indent, a.State, a.Name, a.ID)
		}
		for _, sub := range t.Workflows {
			if err := writeSnapshot(&b, sub, indent+"    "); err != nil {
				return err
			}
		}
	}
	if indent == "" && s.Output != nil && s.Output.Len() > 0 && !repeats(s.Output, s.Info) {
		text, err := value.JSON(s.Output, value.JSONOptions{Indent: 2, Unicode: true})
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "output: %s\n", text)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// facts are what stands behind a task's name: how long it took, how often, over how many items, and what came of it.
func facts(t engine.TaskSnapshot) string {
	var out []string
	if !t.Finished.IsZero() && !t.Started.IsZero() {
		out = append(out, round(t.Finished.Sub(t.Started)))
	}
	if t.Retries > 0 {
		out = append(out, fmt.Sprintf("%d retries", t.Retries))
	}
	if done, all := t.Items(); all > 1 {
		out = append(out, fmt.Sprintf("%d of %d items", done, all))
	}
	if t.HasResult && t.Result != nil && t.State == flow.Success {
		text, err := value.JSON(t.Result, value.JSONOptions{Unicode: true})
		if err == nil {
			out = append(out, shorten(text))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "  " + strings.Join(out, "  ")
}

// resultWidth is how much of a result or a reason is shown where it shares a line.
const resultWidth = 72

func shorten(s string) string {
	if runes := []rune(s); len(runes) > resultWidth {
		return string(runes[:resultWidth-1]) + "…"
	}
	return s
}

// repeats reports whether an output is the one that a failure without output-on-error has: the state's information.
func repeats(output *value.Map, info *string) bool {
	result, _ := output.GetStr("result")
	return info != nil && result == *info
}

// reason is the state's information, on lines of its own under a state.
func reason(indent string, info *string) string {
	if info == nil {
		return ""
	}
	var b strings.Builder
	for line := range strings.Lines(*info) {
		if line = strings.TrimRight(line, " \n"); line != "" {
			b.WriteString("\n" + indent + strings.Repeat(" ", 10) + line)
		}
	}
	return b.String()
}
