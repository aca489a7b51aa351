package tool

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Shell writes a shell program. User data gets into it only quoted, or as the content of a file.
type Shell struct{ b strings.Builder }

// NewShell begins a program that works in the folder where its outputs go, which only its user can read and which is
// removed afterwards. What it needs on the host is looked for first: one of the programs.
func NewShell(programs ...string) *Shell {
	s := &Shell{}
	s.Line(`#!/bin/sh`)
	s.Line(`umask 077`)
	s.Line(`cd "${heat_outputs_path%/*}" || exit 126`)
	s.Line(`hotloom_dir=$(pwd)`)
	if len(programs) > 0 {
		s.Line(`hotloom_program=`)
		for _, p := range programs {
			s.Line(`[ -n "$hotloom_program" ] || hotloom_program=$(command -v %s)`, Quote(p))
		}
		s.Line(`if [ -z "$hotloom_program" ]; then`)
		s.Line(`	echo %s >&2`, Quote(strings.Join(programs, " or ")+" is not installed on this host"))
		s.Line(`	exit 127`)
		s.Line(`fi`)
	}
	return s
}

// Line adds a line. The format is the tool's own; arguments from outside go through Quote.
func (s *Shell) Line(format string, args ...any) {
	if len(args) == 0 {
		s.b.WriteString(format + "\n")
		return
	}
	fmt.Fprintf(&s.b, format+"\n", args...)
}

// File writes a file with a content, to a path that is quoted already or the tool's own.
func (s *Shell) File(path, content string) {
	sum := sha256.Sum256([]byte(content))
	end := "HOTLOOM_" + hex.EncodeToString(sum[:12]) // stands in no content that one could make for it
	s.Line(`cat >%s <<'%s' || exit 126`, path, end)
	s.b.WriteString(strings.TrimSuffix(content, "\n") + "\n" + end + "\n")
}

// String is the program.
func (s *Shell) String() string { return s.b.String() }

// Quote makes one word for the shell of a text.
func Quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// Words quotes several.
func Words(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = Quote(w)
	}
	return strings.Join(quoted, " ")
}
