package bundle

import (
	"strconv"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
)

func quote(s string) string { return strconv.Quote(s) }

func unreadable(at diag.Location, what string, err error) diag.Diagnostic {
	return diag.Errorf(at, "missing-file", "%s cannot be read: %v", what, err)
}

func noTemplate(at diag.Location, path string) diag.Diagnostic {
	return diag.Errorf(at, "missing-version", "%s has no heat_template_version: Heat's clients do not send it", path)
}

func circle(at diag.Location, path string) diag.Diagnostic {
	return diag.Errorf(at, "file-circle", "%s pulls itself in again", path).With("take one of the names on this way out")
}

func noEnvironment(at diag.Location) diag.Diagnostic {
	return diag.Errorf(at, "environment-section-type", "an environment is a map")
}

func wrongSection(at diag.Location, name string) diag.Diagnostic {
	return diag.Errorf(at, "unknown-environment-section", "%s is no section of an environment", quote(name))
}

func mapOverScalar(key, below *source.Node) diag.Diagnostic {
	return diag.Errorf(key.At(), "environment-merge", "%s is a map here and a %s in an environment before it: Heat's client cannot merge them", quote(key.Text), below.Kind).
		Via(below.At(), "the value before")
}
