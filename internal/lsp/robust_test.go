package lsp

import (
	"testing"

	"github.com/hotloom/hotloom/compiler/lint"
)

// TestNothingIsTooBroken asks everything at many places of documents that end in the midst of things.
func TestNothingIsTooBroken(t *testing.T) {
	t.Parallel()
	const flow = "version: '2.0'\nname: book\nactions:\n  hello: {base: std.noop}\nworkflows:\n  main:\n    input: [a, b: 1]\n    tasks:\n" +
		"      a: {action: hello a=1, on-success: [b], with-items: x in [1]}\n      b:\n        workflow: sub\n        on-error: {next: [fail: <% $.x %>]}\n"
	for name, text := range map[string]string{
		"shop": shop, "types": types, "flow": flow, "env": "parameters: {a: 1}\nresource_registry:\n  A::B: inner.yaml\n  resources: {x: {hooks: pre-create}}\n",
		"CFN":    "AWSTemplateFormatVersion: 2010-09-09\nConditions: {C: {\"Fn::Equals\": [a, b]}}\nResources:\n  a:\n    Type: OS::Nova::Server\n    Properties: {flavor: {Ref: a}}\nOutputs: {x: {Value: {'Fn::GetAtt': [a, b]}}}\n",
		"merges": "heat_template_version: 2018-08-31\nresources:\n  a: &a {type: OS::Heat::Value, properties: &p {value: 1}}\n  b: {<<: *a, depends_on: a}\n  c: *a\n  ? [x]\n  : 1\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(Options{})
			for cut := 0; cut <= len(text); cut += 11 {
				for _, body := range []string{text[:cut], text[:cut] + "\n" + text[min(cut+9, len(text)):]} {
					all(t, s, body, cut)
				}
			}
		})
	}
}

// all asks everything at an offset of a text.
func all(t *testing.T, s *server, body string, at int) {
	t.Helper()
	set := &settings{load: func(string) (lint.Options, error) { return lint.Options{}, nil }, by: map[string]lint.Options{}}
	d := newDocument("file:///none/t.yaml", "/none/t.yaml", 1, newText([]byte(body)), "")
	snap := newSnapshot(map[string]*document{d.path: d}, set, &lastGood{by: map[string]*meaning{}}, utf16Units)
	p := positionParams{textDocument{d.uri}, d.text.position(at, utf16Units)}
	for name, ask := range map[string]func() error{
		"hover":      func() error { _, err := hoverAt(s, snap, p); return err },
		"completion": func() error { _, err := completionAt(s, snap, p); return err },
		"definition": func() error { _, err := definitionAt(s, snap, p); return err },
		"references": func() error { _, err := referencesAt(s, snap, referenceParams{positionParams: p}); return err },
		"symbols":    func() error { _, err := symbolsOf(s, snap, documentParams{p.Document}); return err },
		"actions": func() error {
			_, err := actionsAt(s, snap, codeActionParams{Document: p.Document, Range: span{position{}, p.Position}})
			return err
		},
	} {
		if err := ask(); err != nil {
			t.Errorf("%s at %d of %q: %v", name, at, body, err)
		}
	}
	_, _ = renameAt(s, snap, renameParams{positionParams: p, NewName: "other"}) // most places have no name to change
}
