package project

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

func unreadable(at diag.Location, what string, err error) diag.Diagnostic {
	return diag.Errorf(at, "missing-file", "%s cannot be read: %v", what, err)
}

func missingBelow(origin *source.Node) diag.Diagnostic {
	return diag.Errorf(origin.At(), "missing-file", "%s needs a file that cannot be read", quote(origin.Text))
}

func remote(name *source.Node) diag.Diagnostic {
	return diag.Infof(name.At(), "remote-file", "%s is not fetched, so what it says is not checked", name.Text)
}

func noTemplate(name *source.Node) diag.Diagnostic {
	return diag.Errorf(name.At(), "broken-template", "%s is no template that Heat can read", name.Text)
}

const ruleBrokenEnvironment = "broken-environment"

func refusedWith(template, environment string) diag.Diagnostic {
	start := diag.Pos{Line: 1, Column: 1}
	return diag.Errorf(diag.Location{Path: template, Start: start, End: start}, ruleBrokenEnvironment,
		"Heat refuses the template together with %s", environment)
}

// emptyParameters finds parameters that an environment gives no value: null counts as not given, yet keeps everything
// else from giving one.
func emptyParameters(t *hot.Template, env *hot.Environment) diag.List {
	var found diag.List
	for _, p := range env.Parameters {
		def := t.Parameter(p.Key.Text)
		if p.Value.IsNull() && def != nil && def.Default.IsNull() && env.Default(p.Key.Text).IsNull() {
			found.Add(diag.Errorf(p.Key.At(), "parameter-value", "parameter %q is given nothing, and has no default", p.Key.Text).
				With("write a value"))
		}
	}
	return found
}
