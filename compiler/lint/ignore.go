package lint

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
)

// marker begins a comment that silences rules on its line, or on the next line if the comment stands alone.
const marker = "# hotloom: ignore="

// dropIgnored leaves out the findings that a comment silences.
func dropIgnored(l diag.List, sources map[string][]byte) diag.List {
	byPath := map[string]map[int][]string{}
	return slices.DeleteFunc(l, func(d diag.Diagnostic) bool {
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
	if !bytes.Contains(text, []byte(marker)) {
		return nil
	}
	out := map[int][]string{}
	for i, line := range bytes.Split(text, []byte("\n")) {
		at := bytes.Index(line, []byte(marker))
		if at < 0 {
			continue
		}
		number := i + 1
		list := string(line[at+len(marker):])
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
