package lsp

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/sourcegraph/jsonrpc2"

	"github.com/hotloom/hotloom/compiler/lint"
)

const bad = "heat_template_version: 2018-08-31\nresources:\n  net: {type: OS::Neutron::Net, properties: {nmae: inside}}\n"

func code(t *testing.T, c *client) int {
	t.Helper()
	select {
	case code := <-c.exit:
		return code
	case <-time.After(tooLong):
		t.Fatal("the server does not end")
		return 0
	}
}

func TestExitCodesAreTheProtocols(t *testing.T) {
	t.Parallel()
	t.Run("shutdown and exit", func(t *testing.T) {
		t.Parallel()
		c := start(t, modern, nil)
		c.call("shutdown", nil, nil)
		c.notify("exit", nil)
		if got := code(t, c); got != 0 {
			t.Errorf("exit code %d", got)
		}
	})
	t.Run("exit alone", func(t *testing.T) {
		t.Parallel()
		c := start(t, modern, nil)
		c.notify("exit", nil)
		if got := code(t, c); got != 1 {
			t.Errorf("exit code %d", got)
		}
	})
	t.Run("the client goes away", func(t *testing.T) {
		t.Parallel()
		c := start(t, modern, nil)
		_ = c.conn.Close()
		if got := code(t, c); got != 1 {
			t.Errorf("exit code %d", got)
		}
	})
	t.Run("no protocol", func(t *testing.T) {
		t.Parallel()
		if got := Serve(t.Context(), strings.NewReader("hello\r\n\r\n"), io.Discard, Options{}); got != 1 {
			t.Errorf("exit code %d", got)
		}
	})
}

func TestRequestsOutOfTurnAreRefused(t *testing.T) {
	t.Parallel()
	c := connect(t, Options{})
	refused := func(method string, want int64) {
		t.Helper()
		var fault *jsonrpc2.Error
		if err := c.try(method, struct{}{}, nil); !errors.As(err, &fault) || fault.Code != want {
			t.Errorf("%s: %v, want code %d", method, err, want)
		}
	}
	refused("textDocument/hover", codeServerNotInitialized)
	c.initialize(modern)
	refused("initialize", jsonrpc2.CodeInvalidRequest)
	refused("no/such", jsonrpc2.CodeMethodNotFound)
	var fault *jsonrpc2.Error
	if err := c.try("textDocument/hover", []int{1}, nil); !errors.As(err, &fault) || fault.Code != jsonrpc2.CodeInvalidParams {
		t.Errorf("%v", err)
	}
	c.call("shutdown", nil, nil)
	refused("textDocument/hover", jsonrpc2.CodeInvalidRequest)
}

func TestPositionsAreCountedAsTheClientWants(t *testing.T) {
	t.Parallel()
	const text = "heat_template_version: 2018-08-31\nresources:\n  net: {properties: {name: ä😀, nmae: x}, type: OS::Neutron::Net}\n"
	for offered, want := range map[string]struct {
		unit encoding
		at   int
	}{`[]`: {utf16Units, 32}, `["utf-16"]`: {utf16Units, 32}, `["utf-16","utf-8"]`: {utf8Units, 35}, `["utf-32"]`: {utf32Units, 31}} {
		c := start(t, `{"general": {"positionEncodings": `+offered+`}}`, nil)
		c.open("t.yaml", text)
		found := c.await("t.yaml", 1)
		if c.init.Capabilities.PositionEncoding != want.unit || len(found) != 1 || found[0].Range.Start.Character != want.at {
			t.Errorf("%s: %s, %+v; want %+v", offered, c.init.Capabilities.PositionEncoding, found, want)
		}
	}
}

func TestFindingsFollowEdits(t *testing.T) {
	t.Parallel()
	c := start(t, modern, nil)
	c.open("t.yaml", bad)
	found := c.await("t.yaml", 1)
	if rules(found) != "unknown-property:3" {
		t.Fatalf("got %+v", found)
	}
	want := diagnostic{
		Range: span{position{2, 45}, position{2, 49}}, Severity: severityError, Code: "unknown-property", Source: "hotloom",
		Description: &codeDescription{Href: lint.PageURL("unknown-property")},
		Message:     "OS::Neutron::Net has no property \"nmae\"\ndid you mean \"name\"?",
	}
	if diff := cmp.Diff(want, found[0]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	c.change("t.yaml", 2, contentChange{Range: &span{position{2, 45}, position{2, 49}}, Text: "name"})
	if found := c.await("t.yaml", 2); len(found) != 0 {
		t.Errorf("got %+v", found)
	}
	c.change("t.yaml", 3, contentChange{Text: "heat_template_version: 2018-08-31\nresources:\n  net: {type: [}\n"})
	if found := c.await("t.yaml", 3); rules(found) != "yaml-syntax:3" {
		t.Errorf("one message, not %+v", found)
	}
	c.change("t.yaml", 4, contentChange{Text: bad})
	c.await("t.yaml", 4)
	c.close("t.yaml")
	if found := c.await("t.yaml", 0); len(found) != 0 {
		t.Errorf("a closed document that nothing reads has %+v", found)
	}
}

func TestOtherFilesStaySilent(t *testing.T) {
	t.Parallel()
	c := start(t, modern, nil)
	for name, text := range map[string]string{
		"pod.yaml": "apiVersion: v1\nkind: Pod\n", "broken.yaml": "a: [\n", "compose.yaml": "version: '3'\nservices: {a: {image: b}}\n",
		"empty.yaml": "", "values.yaml": "parameters: 1\nother: 2\n",
	} {
		c.open(name, text)
		if found := c.await(name, 1); len(found) != 0 {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

func TestKindsAreKept(t *testing.T) {
	t.Parallel()
	c := start(t, modern, nil)
	c.open("env.yaml", "parameters: {a: 1}\n")
	c.await("env.yaml", 1)
	c.change("env.yaml", 2, contentChange{Text: "parameters: {a: 1}\nparameter_default: {b: 1}\n"})
	if found := c.await("env.yaml", 2); !strings.Contains(rules(found), "section:2") {
		t.Errorf("an environment with a wrong section is none any more: %+v", found)
	}
	c.open("flow.yaml", "version: '2.0'\nmain:\n  tasks:\n    a: {action: std.noop, on-success: b}\n")
	if found := c.await("flow.yaml", 1); rules(found) != "workflow-unknown-task:4" {
		t.Errorf("got %+v", found)
	}
	c.change("flow.yaml", 2, contentChange{Text: "version: '2.0'\nmain:\n  tasks:\n    a: {action: std.noop\n"})
	if found := c.await("flow.yaml", 2); rules(found) != "yaml-syntax:4" {
		t.Errorf("got %+v", found)
	}
}

const (
	outer = "heat_template_version: 2018-08-31\nresources:\n  inner: {type: inner.yaml, properties: {size: 1}}\noutputs:\n  x: {value: {get_attr: [inner, port]}}\n"
	inner = "heat_template_version: 2018-08-31\nparameters:\n  size: {type: number}\nresources:\n  v: {type: OS::Heat::Value, properties: {value: {get_param: size}}}\noutputs:\n  port: {value: 1}\n"
)

func TestNestedTemplatesAreCheckedWithThoseThatNestThem(t *testing.T) {
	t.Parallel()
	c := start(t, modern, map[string]string{"inner.yaml": inner})
	c.open("outer.yaml", outer)
	if found := c.await("outer.yaml", 1); len(found) != 0 {
		t.Fatalf("got %+v", found)
	}
	// What the editor shows counts, not what is on the disk.
	c.open("inner.yaml", strings.ReplaceAll(inner, "size", "width"))
	if found := c.await("outer.yaml", 1); !strings.HasPrefix(rules(found), "missing-required-property:3 unknown-property:3") {
		t.Errorf("got %s", rules(found))
	}
	c.close("inner.yaml")
	if found := c.await("outer.yaml", 1); len(found) != 0 {
		t.Errorf("closed without saving: %+v", found)
	}
	// A nested template that is not open shows what is wrong with it as long as it is.
	c.write("inner.yaml", inner+"bad_section: 1\n")
	c.notify("workspace/didChangeWatchedFiles", json.RawMessage(`{"changes": [{"uri": "`+c.uri("inner.yaml")+`", "type": 2}]}`))
	if found := c.await("inner.yaml", 0); len(found) != 1 {
		t.Errorf("got %+v", found)
	}
	c.close("outer.yaml")
	if found := c.await("inner.yaml", 0); len(found) != 0 {
		t.Errorf("nothing open reads it: %+v", found)
	}
}

// TestFindingsOfRootsAreNotThoseOfNestedTemplates: what is wrong with a template that stands alone is not while an open one
// nests it.
func TestFindingsOfRootsAreNotThoseOfNestedTemplates(t *testing.T) {
	t.Parallel()
	c := start(t, modern, nil)
	facade := strings.Replace(inner, "{get_param: size}", "{a: {get_param: size}, b: {resource_facade: metadata}}", 1)
	c.open("inner.yaml", facade)
	if found := c.await("inner.yaml", 1); rules(found) != "root-facade:5" {
		t.Fatalf("got %s", rules(found))
	}
	c.open("outer.yaml", outer)
	if found := c.await("inner.yaml", 1); len(found) != 0 {
		t.Errorf("got %s", rules(found))
	}
	c.change("inner.yaml", 2, contentChange{Text: facade + "# more\n"})
	if found := c.await("inner.yaml", 2); len(found) != 0 {
		t.Errorf("got %s", rules(found))
	}
	c.close("outer.yaml")
	if found := c.await("inner.yaml", 2); rules(found) != "root-facade:5" {
		t.Errorf("got %s", rules(found))
	}
}

func TestMissingFilesAreNoticedWhenTheyCome(t *testing.T) {
	t.Parallel()
	c := start(t, modern, nil)
	c.open("outer.yaml", outer)
	if found := c.await("outer.yaml", 1); !strings.Contains(rules(found), "missing-file:3") {
		t.Fatalf("got %+v", found)
	}
	c.open("inner.yaml", inner)
	if found := c.await("outer.yaml", 1); len(found) != 0 {
		t.Errorf("got %+v", found)
	}
}

func TestSettingsComeFromTheProject(t *testing.T) {
	t.Parallel()
	c := connect(t, Options{Settings: func(folder string) (lint.Options, error) {
		config, err := lint.FindConfig(folder)
		var o lint.Options
		if err == nil {
			err = config.Apply(&o)
		}
		return o, err
	}})
	c.write("hotloom.yaml", "lint:\n  rules: {unknown-property: off}\n  environments: [env.yaml]\n")
	c.write("env.yaml", "parameters: {no_such: 1}\n")
	c.initialize(modern)
	c.open("t.yaml", bad)
	if found := c.await("t.yaml", 1); strings.Contains(rules(found), "unknown-property") {
		t.Errorf("got %+v", found)
	}
	c.open("env.yaml", "parameters: {no_such: 1}\nwrong: 1\n")
	if found := c.await("t.yaml", 1); !strings.Contains(rules(found), "broken-environment") || len(found[0].Related) == 0 || found[0].Related[0].Location.URI != c.uri("env.yaml") {
		t.Errorf("got %+v", found)
	}
	c.close("env.yaml")
	c.write("hotloom.yaml", "lint:\n  rules: {unknown-property: warning}\n")
	c.notify("workspace/didChangeWatchedFiles", json.RawMessage(`{"changes": [{"uri": "`+c.uri("hotloom.yaml")+`", "type": 2}]}`))
	for {
		if found := c.await("t.yaml", 1); rules(found) == "unknown-property:3" && found[0].Severity == severityWarning {
			break
		}
	}
	c.write("hotloom.yaml", "lint: 1\n")
	c.notify("textDocument/didSave", documentParams{textDocument{c.uri("hotloom.yaml")}})
	select {
	case m := <-c.shown:
		if m.Type != messageError || !strings.Contains(m.Message, "hotloom.yaml:1:7") {
			t.Errorf("got %+v", m)
		}
	case <-time.After(tooLong):
		t.Error("nothing is said of the broken settings")
	}
}

func TestActionsOfOpenDocumentsAreKnown(t *testing.T) {
	t.Parallel()
	c := start(t, modern, nil)
	c.open("flow.yaml", "version: '2.0'\nmain:\n  tasks:\n    a: {action: nova.hello, input: {who: me}}\n")
	if found := c.await("flow.yaml", 1); len(found) != 1 {
		t.Fatalf("got %+v", found)
	}
	c.open("actions.yaml", "version: '2.0'\nnova.hello: {base: std.noop, input: [who]}\n")
	if found := c.await("flow.yaml", 1); len(found) != 0 {
		t.Errorf("got %+v", found)
	}
	c.close("actions.yaml")
	if found := c.await("flow.yaml", 1); len(found) != 1 {
		t.Errorf("got %+v", found)
	}
}

func TestTagsAndTrails(t *testing.T) {
	t.Parallel()
	c := start(t, modern, nil)
	c.open("t.yaml", "heat_template_version: 2018-08-31\nparameters:\n  a: {type: string}\nresources:\n  b: {type: OS::Heat::Value, properties: {value: {get_attr: [c, value]}}}\n  c: {type: OS::Heat::Value, properties: {value: {get_attr: [b, value]}}}\n")
	found := c.await("t.yaml", 1)
	if rules(found) != "unused-parameter:3 circular-dependency:5" {
		t.Fatalf("got %s", rules(found))
	}
	if diff := cmp.Diff([]int{tagUnnecessary}, found[0].Tags); diff != "" {
		t.Error(diff)
	}
	if len(found[1].Related) < 2 || found[1].Related[0].Location.URI != c.uri("t.yaml") {
		t.Errorf("got %+v", found[1].Related)
	}
	old := start(t, `{}`, nil)
	old.open("t.yaml", "heat_template_version: 2018-08-31\nparameters:\n  a: {type: string}\nresources:\n  b: {type: OS::Heat::Value, properties: {value: {get_attr: [c, value]}}}\n  c: {type: OS::Heat::Value, properties: {value: {get_attr: [b, value]}}}\n")
	if found := old.await("t.yaml", 1); found[0].Tags != nil || found[0].Description != nil || found[1].Related != nil || !strings.Contains(found[1].Message, "t.yaml:5") {
		t.Errorf("a client that asks for less gets %+v", found)
	}
}

func TestLargeDocumentsAreRefusedWithOneMessage(t *testing.T) {
	t.Parallel()
	c := start(t, modern, nil)
	c.open("t.yaml", bad+strings.Repeat("# a long comment\n", 300_000))
	if found := c.await("t.yaml", 1); rules(found) != "limit:1" {
		t.Errorf("got %+v", found)
	}
	c.change("t.yaml", 2, contentChange{Range: &span{position{0, 0}, position{0, 1}}, Text: "x"})
	if found := c.await("t.yaml", 2); rules(found) != "limit:1" {
		t.Errorf("got %+v", found)
	}
	c.change("t.yaml", 3, contentChange{Text: bad})
	if found := c.await("t.yaml", 3); rules(found) != "unknown-property:3" {
		t.Errorf("got %+v", found)
	}
}

// endless is a document of as many bytes as somebody reads.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestMessagesWithoutMeasureArePassedOver(t *testing.T) {
	t.Parallel()
	const size = 100 << 20
	passed := int64(0)
	c := codec{tooLong: func(n int64) { passed = n }, broken: func(error) { t.Error("broken") }}
	r := io.MultiReader(strings.NewReader("Content-Length: "+itoa(size)+"\r\n\r\n"), io.LimitReader(endless{}, size),
		strings.NewReader("content-type: x\r\nContent-Length: 2\r\n\r\n{}"))
	var got map[string]any
	if err := c.ReadObject(bufio.NewReader(r), &got); err != nil || passed != size || got == nil {
		t.Errorf("%v, %v, %d bytes passed over", err, got, passed)
	}
	s := newServer(Options{})
	s.tooLong(size)
	s.tooLong(size + 1)
	if len(s.said) != 1 {
		t.Errorf("said %v", s.said)
	}
}

func TestHeadersAreBounded(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "Content-Length", "Content-Length: x\r\n\r\n", "Content-Length: -1\r\n\r\n", "A: b\r\n\r\n", "Content-Length: 5\r\n\r\n{}"} {
		if err := (codec{}).ReadObject(bufio.NewReader(strings.NewReader(text)), new(any)); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
	if err := (codec{}).ReadObject(bufio.NewReader(endless{}), new(any)); err == nil {
		t.Error("an endless header is taken")
	}
}

func TestRequestsAreCancelled(t *testing.T) {
	t.Parallel()
	s := newServer(Options{})
	defer close(s.exit)
	for range maxWorking { // nobody works
		s.slots <- struct{}{}
	}
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	conn := jsonrpc2.NewConn(t.Context(), jsonrpc2.NewBufferedStream(pipe{in, out}, codec{}), s)
	defer conn.Close()
	peer := &client{t: t, conn: jsonrpc2.NewConn(t.Context(), jsonrpc2.NewBufferedStream(pipe{fromServer, toServer}, jsonrpc2.VSCodeObjectCodec{}), &client{t: t})}
	defer peer.conn.Close()
	peer.initialize(`{}`)
	waiting, err := peer.conn.DispatchCall(t.Context(), "textDocument/hover", positionParams{}, jsonrpc2.PickID(jsonrpc2.ID{Str: "seven", IsString: true}))
	if err != nil {
		t.Fatal(err)
	}
	peer.notify("$/cancelRequest", json.RawMessage(`{"id": "seven"}`))
	var fault *jsonrpc2.Error
	if err := waiting.Wait(t.Context(), nil); !errors.As(err, &fault) || fault.Code != codeRequestCancelled {
		t.Errorf("got %v", err)
	}
}

func TestFaultsEndOneRequestAlone(t *testing.T) {
	t.Parallel()
	var fails atomic.Bool
	c := connect(t, Options{Settings: func(folder string) (lint.Options, error) {
		if fails.Load() && filepath.Base(folder) == "bad" {
			panic("swordfish")
		}
		return lint.Options{}, nil
	}})
	c.initialize(modern)
	c.open("bad/t.yaml", bad)
	c.await("bad/t.yaml", 1)
	fails.Store(true)
	c.notify("workspace/didChangeConfiguration", struct{}{})
	var fault *jsonrpc2.Error
	err := c.try("textDocument/hover", positionParams{Document: textDocument{c.uri("bad/t.yaml")}}, nil)
	if !errors.As(err, &fault) || fault.Code != jsonrpc2.CodeInternalError {
		t.Errorf("got %v", err)
	}
	c.open("t.yaml", bad)
	c.await("t.yaml", 1)
	if text := c.log.String(); !strings.Contains(text, "a fault of hotloom's") || strings.Contains(text, "swordfish") {
		t.Errorf("the log says %s", text)
	}
}

func TestBrokenMessagesArePassedOver(t *testing.T) {
	t.Parallel()
	c := start(t, modern, nil)
	c.notify("textDocument/didOpen", []int{1})
	c.notify("textDocument/didChange", json.RawMessage(`{"textDocument": {"uri": "file:///none"}}`))
	c.open("t.yaml", bad)
	c.await("t.yaml", 1)
}
