package local

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

const rule = "target"

func unknownHere(typ *source.Node, name string) diag.Diagnostic {
	return diag.Errorf(typ.At(), rule, "a resource of type %s can not be made on this machine", name).
		With("let Heat make it (hotloom compile), or let it pass as one that does nothing with --stub-unknown")
}

func unknownTool(tool *source.Node, c *weave.Component) diag.Diagnostic {
	return diag.Errorf(tool.At(), rule, "tool %s of %s is not there on this machine", tool.Str(), c.ID()).
		With("target software-deployment runs it through the agent in the image")
}

func unknownCount(n *source.Node, node *Node) diag.Diagnostic {
	return diag.Errorf(n.At(), rule, "how many members %s has is known only when other resources exist; on this machine it has to be known before", node.Key).
		With("take the number from a parameter")
}

func badCount(n *source.Node, node *Node) diag.Diagnostic {
	return diag.Errorf(n.At(), rule, "the number of members of %s is not a whole number from 0 to %d", node.Key, MaxMembers)
}
