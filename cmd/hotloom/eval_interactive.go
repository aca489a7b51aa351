package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/peterh/liner"
	"github.com/urfave/cli/v2"

	"github.com/hotloom/hotloom/cmd/internal/command"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/yaql"
)

// converse computes one expression after the other until the input ends. An expression goes on over further lines while
// brackets or quotes are open, where a line ends in a backslash, and in YAML behind a line that ends in a colon, up to
// an empty line.
func converse(c *cli.Context, compute computation) error {
	line := liner.NewLiner()
	defer line.Close()
	line.SetCtrlCAborts(true)
	line.SetWordCompleter(wordCompleter(evalWords(c)))
	history := historyPath()
	if f, err := os.Open(history); err == nil {
		_, _ = line.ReadHistory(f) // a broken history is none
		f.Close()
	}
	fmt.Fprintln(c.App.ErrWriter, "An expression a line; open brackets go on. Ctrl-D ends.")
	isYAML := !c.Bool("yaql") && !c.Bool("jinja")
	var text []string
	for {
		prompt := "> "
		if len(text) > 0 {
			prompt = "… "
		}
		next, err := line.Prompt(prompt)
		switch {
		case errors.Is(err, liner.ErrPromptAborted):
			text = nil
			continue
		case errors.Is(err, io.EOF):
			fmt.Fprintln(c.App.ErrWriter)
			return saveHistory(line, history)
		case err != nil:
			return fmt.Errorf("eval: %w", err)
		}
		text = append(text, next)
		whole := strings.ReplaceAll(strings.Join(text, "\n"), "\\\n", "\n")
		if next != "" && unfinished(whole, isYAML) {
			continue
		}
		text = nil
		if strings.TrimSpace(whole) == "" {
			continue
		}
		line.AppendHistory(strings.Join(strings.Fields(whole), " "))
		if err := showValue(c, compute, "", whole); err != nil && !errors.Is(err, command.ErrFindings) {
			return err
		}
	}
}

// unfinished reports whether more lines belong to an expression.
func unfinished(text string, isYAML bool) bool {
	last := text[strings.LastIndexByte(text, '\n')+1:]
	if strings.HasSuffix(last, "\\") {
		return true
	}
	if isYAML && !strings.ContainsAny(text[:1], "{[\"'") && (strings.Contains(text, "\n") || strings.HasSuffix(strings.TrimSpace(last), ":") || strings.HasPrefix(last, "- ")) {
		return true // a block goes on until an empty line
	}
	depth := 0
	var quote rune
	escaped := false
	for _, r := range text {
		switch {
		case escaped:
			escaped = false
		case quote != 0:
			escaped = r == '\\' && quote == '"'
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '\'':
			quote = r
		case strings.ContainsRune("([{", r):
			depth++
		case strings.ContainsRune(")]}", r):
			depth--
		}
	}
	return depth > 0 || quote == '"'
}

// evalWords are the names that can be completed.
func evalWords(c *cli.Context) []string {
	var words []string
	switch {
	case c.Bool("yaql"):
		dialect := yaql.Heat
		if c.String("dialect") == "mistral" {
			dialect = yaql.Mistral
		}
		words = append(yaql.Names(dialect, false), yaql.Names(dialect, true)...)
	case c.Bool("jinja"):
		return nil
	default:
		for _, f := range function.All() {
			words = append(words, f.Name)
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

func wordCompleter(words []string) liner.WordCompleter {
	return func(line string, pos int) (head string, found []string, tail string) {
		runes := []rune(line)
		start := pos
		for start > 0 && (runes[start-1] == '_' || runes[start-1] == ':' || isLetter(runes[start-1])) {
			start--
		}
		prefix := string(runes[start:pos])
		for _, w := range words {
			if prefix != "" && strings.HasPrefix(w, prefix) {
				found = append(found, w)
			}
		}
		return string(runes[:start]), found, string(runes[pos:])
	}
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// historyPath is where expressions are kept between sessions, "" for nowhere.
func historyPath() string {
	folder := os.Getenv("XDG_STATE_HOME")
	if folder == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		folder = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(folder, "hotloom", "eval_history")
}

// saveHistory writes what was typed for the user alone to read: there may be secrets in it.
func saveHistory(line *liner.State, path string) error {
	if path == "" {
		return nil
	}
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	var f *os.File
	if err == nil {
		f, err = os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	}
	if err == nil {
		_, err = line.WriteHistory(f)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return fmt.Errorf("eval: the history is not kept: %w", err)
	}
	return nil
}
