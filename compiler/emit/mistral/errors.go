package mistral

import "github.com/hotloom/hotloom/compiler/diag"

const others = "compile with --target software-deployment"

func structured(at diag.Location, component string) diag.Diagnostic {
	return diag.Errorf(at, "target", "target mistral can not run %s: its config is a map, in which only Heat's own deployments put the inputs", component).
		With("write the config as a text, or %s", others)
}

func computed(at diag.Location, by, component, output, function string) diag.Diagnostic {
	return diag.Errorf(at, "target", "target mistral can not compute %s of output %s of %s for %s: Heat computes values before the workflow runs either",
		function, output, component, by).With("make the read an input of its own and compute in the script, or %s", others)
}

func computedPath(at diag.Location, component, output string) diag.Diagnostic {
	return diag.Errorf(at, "target", "target mistral needs a literal path into output %s of %s", output, component).
		With("write the key or index itself")
}

func notInStack(at diag.Location, what string) diag.Diagnostic {
	return diag.Errorf(at, "target", "an OS::Mistral::Workflow can not express %s of a workflow", what).
		With("compile without --workflows-in-stack, and store the workflow with hotloom workflow push")
}
