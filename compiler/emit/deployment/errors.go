package deployment

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
)

func memberRead(at diag.Location, by, component, output string) diag.Diagnostic {
	return diag.Errorf(at, "target", "target software-deployment can not give %s the output %s of %s on the same member: a deployment group has the same values for all members",
		by, output, component).With("compile with --target cloud-init, or hand the value over in a file on the machine")
}

func mustNotFail(at diag.Location, component, tool string) diag.Diagnostic {
	return diag.Errorf(at, "target", "target software-deployment can not let the stack go on when %s fails: the hook of tool %s reports the failure to Heat itself", component, tool).
		With("write it as a script that calls the tool")
}

func noTimeLimit(at diag.Location, component, tool string) diag.Diagnostic {
	return diag.Warnf(at, "timeout", "the time limit of %s is not kept: a deployment has none, and only for tool script hotloom adds one", component).
		With("let a script call %s, or rely on the stack's timeout", tool)
}

func unknownTransport(at diag.Location, option, value string, known []string) diag.Diagnostic {
	return diag.Errorf(at, "target", "target software-deployment has no %s %s, only %s", option, value, strings.Join(known, ", "))
}
