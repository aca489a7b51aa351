package stack

import (
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"time"

	"github.com/hotloom/hotloom/compiler"
	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/emit"
	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
	"github.com/hotloom/hotloom/internal/stack/bundle"
)

// Prepared is a template on its way to Heat.
type Prepared struct {
	Bundle *bundle.Bundle
	Origin *Origin
	// Hidden are the names of the hidden parameters; Secrets their values, as far as environments and defaults give them.
	Hidden, Secrets []string
	// Steps are the components' names, HOST.COMPONENT, by the place of their declarations.
	Steps map[diag.Location]string
	// Workflows are the files of workflows that Mistral has to know before the stack is created or updated.
	Workflows []plain.File
	// Resources is the number of resources that the template itself has.
	Resources int
}

// PrepareOptions say how a template is made ready.
type PrepareOptions struct {
	Target       emit.Target // for templates that have components
	Options      plain.Options
	Environments []string
	NoLint       bool // what Heat would refuse is not looked for
	// Fetch reads http and https names; nil refuses them.
	Fetch func(url string) ([]byte, error)
}

// Prepare checks a template, compiles it where it has components, and bundles it. With an error among the findings there
// is nothing to send, and the result is nil.
func Prepare(unit *compiler.Unit, o PrepareOptions) (*Prepared, diag.List) {
	program, woven := unit.Weave()
	p := &Prepared{Steps: map[diag.Location]string{}, Resources: len(unit.Template.Resources)}
	disk := source.NewFiles(source.FilesOptions{Fetch: o.Fetch})
	var found diag.List
	var lines *plain.SourceMap
	files, path := disk, unit.Path
	if program.Plain() {
		if !o.NoLint {
			found = unit.Check()
		}
	} else {
		var out *plain.Output
		if out, found = unit.Compile(o.Target, o.Options); out != nil {
			files, path, lines = memory(out, o.Fetch), CompiledFolder+"/"+plain.StackFile, out.SourceMap
			for _, f := range out.Files {
				if strings.HasPrefix(f.Name, plain.WorkflowFolder) {
					p.Workflows = append(p.Workflows, f)
				}
			}
		}
		p.addSteps(program)
		_ = woven // Compile tells them too
	}
	if found.HasErrors() {
		return nil, found
	}
	var more diag.List
	p.Bundle, more = bundle.Gather(files, path, disk, o.Environments)
	for _, d := range more {
		if d.Severity == diag.Error { // the others were told by whoever read the same file before
			found.Add(d)
		}
	}
	if found.HasErrors() {
		return nil, found
	}
	p.Origin = NewOrigin(p.Bundle, files, lines)
	p.hide(unit)
	return p, found
}

// memory is a compiled template as a set of files.
func memory(out *plain.Output, fetch func(string) ([]byte, error)) *source.Files {
	return source.NewFiles(source.FilesOptions{Fetch: fetch, Read: func(path string) ([]byte, error) {
		name, ok := strings.CutPrefix(path, CompiledFolder+"/")
		if f := out.File(name); ok && f != nil {
			return f.Text, nil
		}
		return nil, fs.ErrNotExist
	}})
}

func (p *Prepared) addSteps(program *weave.Program) {
	for _, h := range program.Hosts {
		for _, c := range h.Components {
			p.Steps[start(c.Decl.Name.At())] = c.ID()
		}
	}
	for _, nested := range program.Nested {
		p.addSteps(nested)
	}
}

// Step is the component that a place belongs to, or "".
func (p *Prepared) Step(at diag.Location) string {
	if p == nil {
		return ""
	}
	return p.Steps[start(at)]
}

func start(at diag.Location) diag.Location { return diag.Location{Path: at.Path, Start: at.Start} }

// hide collects the values that must not be shown.
func (p *Prepared) hide(unit *compiler.Unit) {
	for _, parameter := range unit.Template.Parameters {
		if !parameter.Hidden {
			continue
		}
		name := parameter.Name.Str()
		p.Hidden = append(p.Hidden, name)
		for _, section := range []string{"parameters", "parameter_defaults"} {
			p.secret(p.Bundle.Environment.Get(section).Get(name))
		}
		p.secret(parameter.Default)
	}
}

// HideParameters takes in the values of hidden parameters that a request gives.
func (p *Prepared) HideParameters(parameters *source.Node) {
	for _, name := range p.Hidden {
		p.secret(parameters.Get(name))
	}
}

// secret takes in every text within a value.
func (p *Prepared) secret(n *source.Node) {
	n.Walk(func(n *source.Node) bool {
		if n.Is(source.String) {
			p.Secrets = append(p.Secrets, n.Text)
		}
		return true
	})
}

// Fetch reads what a template names by http or https, as heatclient does.
func Fetch(url string) ([]byte, error) {
	client := http.Client{Timeout: 30 * time.Second}
	resp, err := client.Get(url)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %s", url, resp.Status)
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, source.MaxBytes+1))
	if err == nil && len(text) > source.MaxBytes {
		err = fmt.Errorf("%s has more than %d bytes", url, source.MaxBytes)
	}
	return text, err
}
