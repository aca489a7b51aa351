package plain

import (
	"github.com/hotloom/hotloom/compiler/diag"
)

func needsMistral(at diag.Location, target, what string) diag.Diagnostic {
	return diag.Errorf(at, "target", "target %s can not realise %s: Heat alone runs no workflows", target, what).
		With("compile with --target mistral, or run it here with hotloom up")
}

func unreadable(at diag.Location, name string, err error) diag.Diagnostic {
	return diag.Errorf(at, "file", "file %s: %v", name, err)
}

func templateTooLarge(at diag.Location, name string, size, limit int) diag.Diagnostic {
	return diag.Errorf(at, "limit", "%s has %d bytes; Heat takes %d for a template", name, size, limit).
		With("move hosts to nested templates, or literal scripts to files")
}

func tooManyResources(at diag.Location, n, limit int) diag.Diagnostic {
	return diag.Errorf(at, "limit", "the stack has %d resources; Heat takes %d", n, limit).
		With("split the template into several stacks")
}

// ValueTooLarge reports a known value that does not fit into a step's input.
func ValueTooLarge(at diag.Location, input string, size, limit int) diag.Diagnostic {
	return diag.Errorf(at, "limit", "the value of input %s has %d bytes; a step takes %d", input, size, limit).
		With("let the step fetch it, or make it part of the script")
}

// SecretLiteral reports a secret that would stand readable in the output.
func SecretLiteral(at diag.Location, input string) diag.Diagnostic {
	return diag.Errorf(at, "secret-literal", "the hidden input %s has a literal value, which would stand readable in the template", input).
		With("give it through a parameter with hidden: true, as {get_param: …}")
}

// BadInputName reports an input that a script can not have.
func BadInputName(at diag.Location, name, why string) diag.Diagnostic {
	return diag.Errorf(at, "target", "input %s can not be an environment variable: %s", name, why).With("rename the input")
}

// BadOutputName reports an output that can not be a file.
func BadOutputName(at diag.Location, name string) diag.Diagnostic {
	return diag.Errorf(at, "target", "output %s can not be a file name: letters, digits, _ - and . may be in it", name).
		With("rename the output")
}

// NotExecutable reports a script that no system starts.
func NotExecutable(at diag.Location, component string) diag.Diagnostic {
	return diag.Warnf(at, "script", "the script of %s does not begin with #!, so it can not be executed", component).
		With("begin it with the interpreter, as in #!/bin/sh")
}

func versionTooOld(at diag.Location, version, what string) diag.Diagnostic {
	return diag.Errorf(at, "target", "%s needs heat_template_version %s or later", what, version).
		With("write heat_template_version: %s", version)
}
