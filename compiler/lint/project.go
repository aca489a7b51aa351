package lint

import (
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/project"
)

// Project checks one project that is loaded already; loaded is what loading it found. It finds what Run finds for the
// project's template, except what is wrong with hotloom's own additions, which weaving them tells.
func Project(p *project.Project, loaded diag.List, opts Options) diag.List {
	r := &runner{opts: opts, files: p.Files, on: opts.enabled()}
	c := &templateCheck{Project: p, opts: opts, on: r.on, near: &r.near, found: loaded}
	c.template()
	return r.report(discovery{}, []result{{found: c.found, silent: c.silent}}).Diagnostics
}
