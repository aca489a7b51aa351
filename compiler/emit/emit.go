// Package emit turns woven programs into what stock OpenStack services take: one package for each target, and this
// registry of them. What all targets share is in package plain.
package emit

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/emit/cloudinit"
	"github.com/hotloom/hotloom/compiler/emit/deployment"
	"github.com/hotloom/hotloom/compiler/emit/mistral"
	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/weave"
)

// Target realises programs in one way.
type Target interface {
	Name() string    // what --target takes
	Summary() string // what it is for, in one line
	// Emit makes the output. It is never nil; where a finding is an error it is incomplete and not to be used.
	Emit(p *weave.Program, o plain.Options) (*plain.Output, diag.List)
}

// Targets are all targets; the first is the default.
var Targets = []Target{
	cloudinit.Target{},
	deployment.Target{},
	mistral.Target{},
}

// Find finds a target by name, or nil.
func Find(name string) Target {
	for _, t := range Targets {
		if t.Name() == name {
			return t
		}
	}
	return nil
}
