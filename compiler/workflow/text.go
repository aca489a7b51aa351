package workflow

import (
	"bytes"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
)

// Mistral reads YAML with anchors and aliases switched off: "&", "*" and "@" begin a plain scalar like any letter. The
// three are therefore exchanged for letters of a private area before the YAML reader sees the text, and put back in
// every scalar. Lines and columns stay what they are.
var (
	toPrivate   = strings.NewReplacer("&", "\uE026", "*", "\uE02A", "@", "\uE040")
	fromPrivate = strings.NewReplacer("\uE026", "&", "\uE02A", "*", "\uE040", "@")
)

// readYAML reads a text as Mistral's YAML loader does.
func readYAML(file *source.File) (*source.Node, diag.List) {
	opts := source.Options{Reader: source.YAML}
	if !bytes.ContainsAny(file.Text, "&*@") {
		return source.ParseFile(file, opts)
	}
	private := &source.File{Path: file.Path, Text: []byte(toPrivate.Replace(string(file.Text)))}
	root, findings := source.ParseFile(private, opts)
	for i := range findings {
		findings[i].Message = fromPrivate.Replace(findings[i].Message)
		findings[i].Suggestion = fromPrivate.Replace(findings[i].Suggestion)
	}
	return restore(root, file), findings
}

// restore copies a tree with the original characters put back.
func restore(n *source.Node, file *source.File) *source.Node {
	if n == nil {
		return nil
	}
	out := &source.Node{
		Kind: n.Kind, Style: n.Style, File: file, Start: n.Start, End: n.End,
		Text: fromPrivate.Replace(n.Text), Scalar: n.Scalar,
	}
	for _, item := range n.Items {
		out.Items = append(out.Items, restore(item, file))
	}
	for _, p := range n.Pairs {
		out.Pairs = append(out.Pairs, source.Pair{Key: restore(p.Key, file), Value: restore(p.Value, file)})
	}
	return out
}
