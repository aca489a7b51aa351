package local

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/hotloom/hotloom/compiler"
	"github.com/hotloom/hotloom/compiler/diag"
	target "github.com/hotloom/hotloom/compiler/emit/local"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/templates"
)

// Source is a template as it was given, with what belongs to it. Kept with a stack, it lets a run go on whatever has
// become of the files.
type Source struct {
	Template     string            // absolute
	Path         string            // as it was given, by which Files knows it
	Environments []string          `json:",omitempty"`
	Parameters   map[string]string `json:",omitempty"` // --param
	Bindings     Bindings          `json:",omitempty"` // --host
	Stub         bool              `json:",omitempty"` // --stub-unknown
	Files        map[string][]byte `json:",omitempty"` // by path
}

const sourceFile = "source.json"

// Source is what the stack was made from last.
func (s *State) Source() (*Source, error) {
	var out Source
	err := readJSON(filepath.Join(s.Dir, sourceFile), &out)
	return &out, err
}

// Open gives the files that were kept.
func (s *Source) Open() *source.Files {
	return source.NewFiles(source.FilesOptions{
		Mounts: map[string]fs.FS{weave.LibraryPath: templates.FS()},
		Read: func(path string) ([]byte, error) {
			if text, ok := s.Files[path]; ok {
				return text, nil
			}
			return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
		},
	})
}

// Prepared is a template that can be made on this machine.
type Prepared struct {
	unit      *compiler.Unit
	source    Source
	plan      *target.Plan
	workflows map[string]*workflow.Workflow
	docs      []*workflow.Document
}

// Prepare checks and plans a template. It is never nil; where a finding is an error it is not to be used.
func Prepare(u *compiler.Unit, src Source, o Options) (*Prepared, diag.List) {
	p := &Prepared{unit: u, source: src}
	found := u.Check()
	program, more := u.Weave()
	found = append(found, more...)
	if !u.Broken {
		found.Add(withoutValue(u)...)
	}
	if u.Broken || found.HasErrors() {
		found.Sort()
		p.plan = &target.Plan{}
		return p, found
	}
	p.plan, more = target.Build(u.Project, program, target.Options{Provides: o.Provides, Stub: src.Stub})
	found = append(found, more...)
	p.workflows, p.docs, more = workflows(u.Project, p.plan)
	found = append(found, more...)
	found.Sort()
	p.source.Files = map[string][]byte{}
	for _, f := range u.Files.All() {
		if !strings.HasPrefix(f.Path, weave.LibraryPath) {
			p.source.Files[f.Path] = f.Text
		}
	}
	return p, found
}

// withoutValue finds the parameters that nobody has given a value, which checks of a template alone do not mind.
func withoutValue(u *compiler.Unit) diag.List {
	var found diag.List
	for _, p := range u.Template.Parameters {
		if _, ok := u.Values[p.Name.Text]; !ok && p.Default == nil && (u.Environment == nil ||
			u.Environment.Parameter(p.Name.Text) == nil && u.Environment.Default(p.Name.Text) == nil) {
			found.Add(diag.Errorf(p.Name.At(), "parameter-value", "parameter %q has no value", p.Name.Text).
				With("give it one with --param %s=VALUE, or in an environment", p.Name.Text))
		}
	}
	return found
}

// Planned is one node of a plan, for those who show it.
type Planned struct{ Key, Kind, Host string }

// Nodes are the nodes of the plan, each behind those that it waits for.
func (p *Prepared) Nodes() []Planned {
	out := make([]Planned, len(p.plan.Nodes))
	for i, n := range p.plan.Nodes {
		out[i] = Planned{Key: n.Key, Kind: string(n.Kind), Host: n.Host}
	}
	return out
}

// Hosts are the names by which --host may call the plan's hosts.
func (p *Prepared) Hosts() []string {
	var out []string
	for _, n := range p.plan.Nodes {
		if n.Kind == target.Host {
			out = append(out, n.Key)
		}
	}
	return out
}

// UnknownBinding is a name of the bindings that no host has, or "".
func (p *Prepared) UnknownBinding() string {
	used := map[string]bool{}
	for _, key := range p.Hosts() {
		name, _ := p.source.Bindings.find(key)
		used[name] = true
	}
	for name := range p.source.Bindings {
		if !used[name] {
			return name
		}
	}
	return ""
}

// Local reports whether software runs on this machine itself: whether a host that has some is bound to no other.
func (p *Prepared) Local() bool {
	for _, n := range p.plan.Nodes {
		if n.Kind != target.Host {
			continue
		}
		if _, to := p.source.Bindings.find(n.Key); !strings.HasPrefix(to, "ssh://") {
			return true
		}
	}
	return false
}

// digest tells plans apart.
func (p *Prepared) digest() (string, error) {
	text, err := json.Marshal(p.source) // keys of maps in order
	if err != nil {
		return "", fmt.Errorf("plan: %w", err)
	}
	h := sha256.New()
	h.Write(text)
	h.Write(target.Emit(p.plan, nil))
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}
