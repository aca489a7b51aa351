package lsp

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/lint"
	"github.com/hotloom/hotloom/compiler/source"
)

func completionAt(s *server, snap *snapshot, p positionParams) (*completionList, error) {
	list := &completionList{Items: []completionItem{}}
	at, v := snap.placeAt(p)
	if at == nil {
		return list, nil
	}
	if at.comment {
		list.Items = ignoreItems(v, p.Position, snap.unit)
		return list, nil
	}
	offers := at.offers()
	w := itemWriter{place: at, client: s.capabilities(), uri: v.uri}
	w.json = bytes.HasPrefix(bytes.TrimSpace(v.text.bytes), []byte("{"))
	w.edit.Range = span{v.text.position(at.start, snap.unit), v.text.position(at.end, snap.unit)}
	seen := map[string]bool{}
	for _, o := range offers {
		if o.there || o.call != "" && w.json || seen[o.name] || o.name != at.token && at.key && !at.value && slices.Contains(at.keys, o.name) {
			continue
		}
		seen[o.name] = true
		list.Items = append(list.Items, w.item(o))
	}
	return list, nil
}

// itemWriter writes offers at one place.
type itemWriter struct {
	*place
	client clientCapabilities
	uri    string
	json   bool
	edit   textEdit // its range
}

func (w *itemWriter) item(o offer) completionItem {
	can := w.client.TextDocument.Completion.CompletionItem
	edit := w.edit
	out := completionItem{Label: o.name, Kind: o.kind, Detail: o.detail, SortText: order(o) + o.name, TextEdit: &edit}
	if o.deprecated {
		if slices.Contains(can.TagSupport.ValueSet, 1) {
			out.Tags = []int{1}
		} else {
			out.Deprecated = can.DeprecatedSupport
		}
	}
	switch {
	case o.resource != "":
		out.Data = &completionData{URI: w.uri, Type: o.resource}
	case o.doc != "":
		out.Documentation = markupOf(can.DocumentationFormat, o.doc)
	}
	var snippet bool
	edit.NewText, snippet = w.insertion(o)
	if snippet {
		out.InsertTextFormat = snippetFormat
		if strings.Contains(edit.NewText, "\n") {
			out.InsertTextMode = adjustIndentation
		}
	}
	return out
}

// order puts what has to be there first and what should not be there last.
func order(o offer) string {
	switch {
	case o.required:
		return "0"
	case o.deprecated:
		return "4"
	case o.kind == itemFunction:
		return "2"
	}
	return "1"
}

// insertion is what an offer writes, and whether that is a snippet.
func (w *itemWriter) insertion(o offer) (text string, snippet bool) {
	can := w.client.TextDocument.Completion.CompletionItem
	isKey := w.key && (o.call != "" || o.shape == nested || !w.value || keyKinds[o.kind])
	name := plain(o.name, o.text)
	switch {
	case w.json && (w.colon || !isKey):
		return strconv.Quote(o.name), false
	case w.json:
		return strconv.Quote(o.name) + ": ", false
	case w.colon:
		return name, false
	case o.call != "" && !w.key:
		if can.SnippetSupport {
			return "{" + o.call + "}$0", true
		}
		return "{" + o.name + ": }", false
	case o.call != "":
		if can.SnippetSupport {
			return o.call + "$0", true
		}
		return o.name + ": ", false
	case !isKey:
		return name, false
	case o.shape == nested && !w.flow:
		if can.SnippetSupport && slices.Contains(can.InsertTextModeSupport.ValueSet, adjustIndentation) {
			return escapeSnippet(name) + ":\n  $0", true
		}
		return name + ":", false
	}
	return name + ": ", false
}

// keyKinds are the kinds of offers that are keys where both keys and values may stand.
var keyKinds = map[int]bool{itemField: true, itemProperty: true}

func escapeSnippet(s string) string {
	return strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`).Replace(s)
}

// plain is a word as YAML: in quotes where without them it would be no word, or no text that it has to be. Template
// versions need none.
func plain(word string, text bool) string {
	switch n := alone(word); {
	case n.Is(source.String) && n.Text == word, hot.LookupVersion(hot.HOTKey, word) != nil:
		return word
	case !text && (n.Is(source.Bool) || n.Is(source.Int) || n.Is(source.Float)):
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", "''") + "'"
}

// alone is what a word comes to that stands without quotes; nil where it is no value.
func alone(word string) *source.Node {
	root, found := source.ParseFile(&source.File{Text: []byte("[" + word + "]")}, source.Options{Reader: source.Value})
	if found.HasErrors() || !root.Is(source.List) || len(root.Items) != 1 {
		return nil
	}
	return root.Items[0]
}

// resolveItem adds the description of a resource type.
func resolveItem(s *server, snap *snapshot, i completionItem) (completionItem, error) {
	if i.Data == nil {
		return i, nil
	}
	path, _ := pathOf(i.Data.URI)
	if v := snap.view(path); v != nil {
		if doc := v.Meaning().describeType(i.Data.Type); doc != "" {
			i.Documentation = markupOf(s.capabilities().TextDocument.Completion.CompletionItem.DocumentationFormat, doc)
		}
	}
	return i, nil
}

// ignoreItems are the rules behind the comment that silences some.
func ignoreItems(v *view, p position, e encoding) []completionItem {
	at := v.text.offset(p, e)
	line := v.text.bytes[v.text.starts[p.Line]:at]
	i := strings.LastIndex(string(line), lint.Marker)
	items := []completionItem{}
	if i < 0 {
		return items
	}
	list := string(line[i+len(lint.Marker):])
	if strings.ContainsAny(list, " \t") {
		return items
	}
	typed := list[strings.LastIndexByte(list, ',')+1:]
	for _, id := range lint.RuleIDs() {
		items = append(items, completionItem{
			Label: id, Kind: itemValue, Detail: lint.RuleByID(id).Summary,
			TextEdit: &textEdit{Range: span{v.text.position(at-len(typed), e), p}, NewText: id},
		})
	}
	return items
}
