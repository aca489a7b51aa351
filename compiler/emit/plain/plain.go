// Package plain builds stock HOT from a woven program: the author's template without hotloom's additions, the
// resources that a target puts beside it, the files that it names, and the map from emitted text to the author's.
//
// Targets decide what a step becomes; this package holds what is the same for all of them. A template without
// components comes out with the values that went in.
package plain

import (
	"io/fs"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
)

// The names of the files that every target writes.
const (
	StackFile     = "stack.yaml"
	SourceMapFile = "sourcemap.json"
)

// WorkflowFolder is where the workflows lie that OpenStack Mistral has to know before the stack is made.
const WorkflowFolder = "workflows/"

// File is one file of an output.
type File struct {
	Name string // relative to the output folder, with forward slashes; never leaves it
	Text []byte
	Mode fs.FileMode
}

// Output is what a target makes of a program. Files holds the stack, what it names, and the source map, in the order
// of their names.
type Output struct {
	Files     []File
	SourceMap *SourceMap
}

// File finds a file by name, or nil.
func (o *Output) File(name string) *File {
	for i := range o.Files {
		if o.Files[i].Name == name {
			return &o.Files[i]
		}
	}
	return nil
}

// Options are what a target needs besides the program. The zero value has no files and the standard limits.
type Options struct {
	// Open reads the file that the text at path from calls name: get_file, or a nested template. The path of the
	// file that it gives says where the file lies, as those of the program's nodes do.
	Open func(from, name string) (*source.File, error)

	Limits Limits

	// Name is what the names of the workflows begin with that target mistral makes; empty: the template's name. Behind it
	// stands a digest, so that two versions of a template have workflows of different names.
	Name string

	// WorkflowsInStack has target mistral make its workflows resources of the stack, in place of files that are to be
	// stored in Mistral before. What is the same for all stacks, such as hotloom.step.v1, stays a file.
	WorkflowsInStack bool

	// BootAllowance is the time in seconds that a server gets from ACTIVE to its first step; 0 is 900. It is part
	// of the time that a wait condition, or a workflow, waits for a step. Targets cloud-init and mistral.
	BootAllowance int64

	// SignalTransport is how a deployment reports (HEAT_SIGNAL where empty), ConfigTransport how a server
	// learns of it (POLL_SERVER_HEAT where empty; what the author wrote on a server stands). Targets
	// software-deployment (both) and mistral (ConfigTransport).
	SignalTransport, ConfigTransport string

	within *fileSet // of the stack that this one is nested in; nil for the outermost
	as     string   // the output name of a nested one
}

// Limits are Heat's; 0 is Heat's own default.
type Limits struct {
	TemplateBytes int // of one template: 524,288
	UserDataBytes int // of user_data, base64-encoded: 65,535 (Nova's)
	Resources     int // of one stack: 1,000
}

func (l Limits) withDefaults() Limits {
	for _, limit := range []struct {
		value    *int
		standard int
	}{{&l.TemplateBytes, 512 << 10}, {&l.UserDataBytes, 64<<10 - 1}, {&l.Resources, 1000}} {
		if *limit.value == 0 {
			*limit.value = limit.standard
		}
	}
	return l
}

// Report adds findings to those of the stack.
func (s *Stack) Report(d ...diag.Diagnostic) { s.found.Add(d...) }
