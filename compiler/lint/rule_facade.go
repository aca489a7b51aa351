package lint

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
)

var rootFacade = &Rule{
	ID: "root-facade", Severity: diag.Error,
	Summary: "A property reads the resource that the template stands for, and nothing nests the template.",
	Heat:    "Heat refuses it when the template is created as a stack. A template that another one of the same run nests is not asked.",
}

// resolveFacade knows nothing of the value: it is that of the resource in the template above.
func resolveFacade(p *Pass, c function.Call, emit func(diag.Diagnostic)) fact {
	if p.Stack.Parent != nil {
		return unknown(anyKind, "it is that of the resource above")
	}
	emit(diag.Errorf(c.Node.At(), rootFacade.ID, "%s has no value here: this template stands for no resource", c.Function.Name).
		With("nest the template in another one"))
	return failed()
}
