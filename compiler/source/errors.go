package source

import (
	"fmt"

	"github.com/hotloom/hotloom/compiler/diag"
)

func tooLarge(at diag.Location, size, limit int) diag.Diagnostic {
	return diag.Errorf(at, "limit", "the text has %d bytes; at most %d are read", size, limit).
		With("split the file; Heat itself takes 512 KiB for a template")
}

func tooDeep(at diag.Location, limit int) diag.Diagnostic {
	return diag.Errorf(at, "limit", "more than %d levels of nesting", limit).With("move the inner part to a file of its own")
}

func tooLong(at diag.Location, size, limit int) diag.Diagnostic {
	return diag.Errorf(at, "limit", "the value has %d bytes; at most %d are read", size, limit).
		With("put it in a file and use get_file")
}

func tooExpanded(at diag.Location) diag.Diagnostic {
	return diag.Errorf(at, "limit", "the aliases of this document expand to more than %d times its own size", MaxExpansion).
		With("write the repeated part once and refer to it through a parameter or a nested template")
}

func notUTF8(at diag.Location, b byte) diag.Diagnostic {
	return diag.Errorf(at, "yaml-syntax", "the text is not UTF-8: unexpected byte 0x%02x", b).With("save the file as UTF-8")
}

func syntax(at diag.Location, message string) diag.Diagnostic {
	return diag.Errorf(at, "yaml-syntax", "%s", message)
}

func jsonSyntax(at diag.Location, message string) diag.Diagnostic {
	return diag.Errorf(at, "json-syntax", "%s", message)
}

func controlCharacter(at diag.Location, r rune) diag.Diagnostic {
	return diag.Errorf(at, "yaml-syntax", "the control character U+%04X is not allowed in YAML", r).
		With("delete it, or write it as an escape in double quotes")
}

func duplicateAnchor(at diag.Location, name string, first diag.Location) diag.Diagnostic {
	return diag.Errorf(at, "yaml-alias", "the anchor &%s is defined twice", name).With("rename one of the two").
		Via(first, "the first &%s", name)
}

func unknownAnchor(at diag.Location, name string) diag.Diagnostic {
	return diag.Errorf(at, "yaml-alias", "the alias *%s names no anchor before it", name).
		With("quote the text if a `*` is meant: \"*%s\"", name)
}

func aliasCycle(at diag.Location, name string, anchor diag.Location) diag.Diagnostic {
	return diag.Errorf(at, "yaml-alias", "the alias *%s stands inside the value that it names", name).
		Via(anchor, "the anchor &%s", name)
}

func unknownTag(at diag.Location, tag string) diag.Diagnostic {
	return diag.Errorf(at, "yaml-tag", "unknown tag %s: Heat's loader knows the types of YAML 1.1 only", tag).
		With("write functions in the long form, such as {get_param: NAME}, or quote the text")
}

func wrongKindForTag(at diag.Location, tag, want, got string) diag.Diagnostic {
	return diag.Errorf(at, "yaml-tag", "the tag %s needs a %s, not a %s", tag, want, got)
}

func badValue(at diag.Location, text, tag, why string) diag.Diagnostic {
	if len(text) > 40 {
		text = text[:40] + "…"
	}
	return diag.Errorf(at, "yaml-value", "%q cannot be read as %s: %s", text, tag, why).With("quote it if text is meant")
}

func badMerge(at diag.Location, got string) diag.Diagnostic {
	return diag.Errorf(at, "yaml-value", "a merge key `<<` takes a map or a list of maps, not a %s", got)
}

func unhashableKey(at diag.Location, kind Kind) diag.Diagnostic {
	return diag.Errorf(at, "yaml-key", "a %s cannot be a key", kind).
		With("quote it if text such as \"{{ name }}\" is meant")
}

func duplicateKey(first, second *Node) diag.Diagnostic {
	return diag.Warnf(second.At(), "duplicate-key", "duplicate key %s: this entry silently replaces the one at line %d", describeKey(second), first.Start.Line).
		With("delete or rename one of the two").Via(first.At(), "the first %s", describeKey(first))
}

func describeKey(n *Node) string {
	if n.Kind == String {
		return fmt.Sprintf("%q", n.Text)
	}
	return n.Text
}

func fileCircle(at diag.Location, path string) diag.Diagnostic {
	return diag.Errorf(at, "file-circle", "%s pulls itself in again", path).With("take one of the names on this way out")
}

func missingBlank(at diag.Location, refused bool) diag.Diagnostic {
	d := diag.Errorf(at, "yaml-blank", "a blank is missing after this `:`").With("write `: `")
	if !refused {
		d.Severity = diag.Warning
		d.Message += "; Heat reads the document with its slower loader, and would not if it held an unquoted date"
	}
	return d
}
