package lint

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// Marker begins a comment that silences rules on its line, or on the next line if the comment stands alone. The rules
// follow it, with commas between them.
const Marker = "# hotloom: ignore="

// silence says that a resource's metadata silences a rule in the whole resource.
type silence struct {
	diag.Location
	rule string
}

// silences reads `metadata: {hotloom: {ignore: [RULE]}}` of the resources of a template.
func silences(t *hot.Template) []silence {
	var out []silence
	for _, r := range t.Resources {
		ignore := r.Metadata.Get("hotloom").Get("ignore")
		rules := []*source.Node{ignore}
		if ignore.Is(source.List) {
			rules = ignore.Items
		}
		for _, rule := range rules {
			if rule.Is(source.String) {
				loc := r.Name.At()
				loc.End = r.Node.End
				out = append(out, silence{loc, rule.Text})
			}
		}
	}
	return out
}

func (s silence) covers(d diag.Diagnostic) bool {
	return s.rule == d.Rule && s.Path == d.Path && !d.Start.Before(s.Start) && d.Start.Before(s.End)
}

// dropIgnored leaves out the findings that a comment or a resource's metadata silences.
func dropIgnored(l diag.List, sources map[string][]byte, silent []silence) diag.List {
	byPath := map[string]map[int][]string{}
	return slices.DeleteFunc(l, func(d diag.Diagnostic) bool {
		if slices.ContainsFunc(silent, func(s silence) bool { return s.covers(d) }) {
			return true
		}
		lines, ok := byPath[d.Path]
		if !ok {
			lines = ignoredLines(sources[d.Path])
			byPath[d.Path] = lines
		}
		return lines != nil && slices.Contains(lines[d.Start.Line], d.Rule)
	})
}

// ignoredLines gives for each line the rules that are silenced there.
func ignoredLines(text []byte) map[int][]string {
	if !bytes.Contains(text, []byte(Marker)) {
		return nil
	}
	out := map[int][]string{}
	for i, line := range bytes.Split(text, []byte("\n")) {
		at := bytes.Index(line, []byte(Marker))
		if at < 0 {
			continue
		}
		number := i + 1
		list := string(line[at+len(Marker):])
		if end := strings.IndexAny(list, " \t\r"); end >= 0 {
			list = list[:end]
		}
		if len(bytes.TrimSpace(line[:at])) == 0 {
			number++
		}
		for _, rule := range strings.Split(list, ",") {
			if rule != "" {
				out[number] = append(out[number], rule)
			}
		}
	}
	return out
}
