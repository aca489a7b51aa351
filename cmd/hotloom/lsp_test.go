package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// editor is an editor that has started the command.
type editor struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	log bytes.Buffer
}

func startEditor(t *testing.T, args ...string) *editor {
	t.Helper()
	e := &editor{t: t, cmd: exec.CommandContext(t.Context(), "hotloom", append([]string{"lsp"}, args...)...)}
	e.cmd.Stderr = &e.log
	var err error
	if e.in, err = e.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	e.out = bufio.NewReader(out)
	if err := e.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return e
}

func (e *editor) send(message string) {
	e.t.Helper()
	if _, err := fmt.Fprintf(e.in, "Content-Length: %d\r\n\r\n%s", len(message), message); err != nil {
		e.t.Fatalf("%v\n%s", err, e.log.String())
	}
}

// await reads messages up to one that holds a text.
func (e *editor) await(part string) string {
	e.t.Helper()
	for {
		size := 0
		for {
			line, err := e.out.ReadString('\n')
			if err != nil {
				e.t.Fatalf("no %s: %v\n%s", part, err, e.log.String())
			}
			if line = strings.TrimSpace(line); line == "" {
				break
			}
			if value, ok := strings.CutPrefix(line, "Content-Length: "); ok {
				size, _ = strconv.Atoi(value)
			}
		}
		text := make([]byte, size)
		if _, err := io.ReadFull(e.out, text); err != nil || !json.Valid(text) {
			e.t.Fatalf("%v: %s", err, text)
		}
		if bytes.Contains(text, []byte(part)) {
			return string(text)
		}
	}
}

func (e *editor) code() int {
	e.t.Helper()
	err := e.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		e.t.Fatal(err)
	}
	return e.cmd.ProcessState.ExitCode()
}

const opened = `{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///none/t.yaml","languageId":"yaml","version":7,
"text":"heat_template_version: 2018-08-31\nresources:\n  net: {type: OS::Neutron::Net, properties: {nmae: inside}}\n"}}}`

// TestServesAnEditor is the command as an editor starts it.
func TestServesAnEditor(t *testing.T) {
	t.Parallel()
	e := startEditor(t, "--stdio", "--rule", "unknown-property=warning")
	e.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}`)
	if got := e.await(`"id":1`); !strings.Contains(got, `"positionEncoding":"utf-16"`) || !strings.Contains(got, `"name":"hotloom"`) {
		t.Errorf("got %s", got)
	}
	e.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	e.send(opened)
	got := e.await("textDocument/publishDiagnostics")
	for _, part := range []string{`"uri":"file:///none/t.yaml"`, `"version":7`, `"start":{"line":2,"character":45}`, `"severity":2`, `"code":"unknown-property"`} {
		if !strings.Contains(got, part) {
			t.Errorf("%s is not in %s", part, got)
		}
	}
	e.send(`{"jsonrpc":"2.0","id":"two","method":"shutdown"}`)
	if got := e.await(`"id":"two"`); !strings.Contains(got, `"result":null`) {
		t.Errorf("got %s", got)
	}
	e.send(`{"jsonrpc":"2.0","method":"exit"}`)
	if code := e.code(); code != 0 || e.log.Len() > 0 {
		t.Errorf("exit code %d\n%s", code, e.log.String())
	}
}

func TestAnEditorThatGoesAwayIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	e := startEditor(t)
	e.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`)
	e.await(`"id":1`)
	_ = e.in.Close()
	if code := e.code(); code != 1 {
		t.Errorf("exit code %d", code)
	}
}
