package lint

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/workflow"
	"github.com/hotloom/hotloom/resources/catalog"
)

// Options of a run. The zero value checks against what any known Heat release accepts, with all rules that are on by
// default.
type Options struct {
	Environments []string                       // environment files for every template, later ones on top
	Parameters   map[string]string              // values of parameters, on top of those of the environments
	Catalog      *catalog.Catalog               // nil: catalog.Default()
	Actions      map[string]*workflow.Signature // workflow actions besides Mistral's own
	Unknown      catalog.UnknownTypes           // what types mean that the catalog does not know
	Rules        map[string]Level               // settings by rule id; others have their own severity
	Exclude      []string                       // patterns of path.Match on paths, or on one of their elements, that a folder's search leaves out
	Baseline     *Baseline                      // known findings, which are left out
	Jobs         int                            // files at a time; 0: as many as there are processors
	Files        *source.Files                  // nil: from the disk, without the library
	Workflows    bool                           // files are documents of Mistral, whatever they look like; folders are searched for these alone
	Given        bool                           // the paths are files that Files has, whether or not they are on the disk
	Beside       []string                       // files that are not checked and whose ad-hoc actions count
	Kinds        map[string]Kind                // by path, of files that were given and whose content does not tell; else templates
}

// Level is the setting of a rule: a severity, or off, which keeps the rule from being run.
type Level string

// The levels.
const (
	Off          Level = "off"
	LevelInfo    Level = "info"
	LevelWarning Level = "warning"
	LevelError   Level = "error"
)

var severities = map[Level]diag.Severity{LevelInfo: diag.Info, LevelWarning: diag.Warning, LevelError: diag.Error}

// Run checks files and folders. A folder is searched for templates, environments and workflows by their content. The
// error is for what hotloom cannot do: a path that does not exist, a setting that means nothing, a cancelled context.
func Run(ctx context.Context, paths []string, opts Options) (*Report, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	r := &runner{opts: opts, files: opts.Files, on: opts.enabled()}
	if r.files == nil {
		r.files = source.NewFiles(source.FilesOptions{})
	}
	found, err := discover(paths, opts, r.files)
	if err != nil {
		return nil, err
	}
	r.actions = sync.OnceValue(func() map[string]workflow.ActionInputs {
		return adHocActions(slices.Concat(found.inputs, beside(opts.Beside, r.files)), r.files)
	})
	results := make([]result, len(found.inputs))
	jobs := opts.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	work := make(chan int)
	var wg sync.WaitGroup
	for range min(jobs, max(1, len(found.inputs))) {
		wg.Go(func() {
			for i := range work {
				results[i] = r.input(found.inputs[i])
			}
		})
	}
	for i := range found.inputs {
		if ctx.Err() != nil {
			break
		}
		work <- i
	}
	close(work)
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return r.report(found, results), nil
}

func (o Options) check() error {
	for id, level := range o.Rules {
		if rulesByID()[id] == nil {
			d := diag.Nearest(id, RuleIDs())
			if d != "" {
				return fmt.Errorf("unknown rule %q: did you mean %q?", id, d)
			}
			return fmt.Errorf("unknown rule %q", id)
		}
		if _, ok := severities[level]; !ok && level != Off {
			return fmt.Errorf("rule %s: unknown level %q: want error, warning, info or off", id, level)
		}
	}
	return o.Unknown.Check()
}

// enabled is the set of rules that run.
func (o Options) enabled() map[string]bool {
	on := make(map[string]bool, len(registry))
	for _, r := range registry {
		level, set := o.Rules[r.ID]
		on[r.ID] = set && level != Off || !set && !r.Off
	}
	return on
}

// runner is one run.
type runner struct {
	opts  Options
	files *source.Files
	on    map[string]bool
	// actions are the ad-hoc actions of the run's files, by name.
	actions func() map[string]workflow.ActionInputs
	near    sync.Map // unknown type → the type that it probably misspells
}

// result is what one input came to.
type result struct {
	file   File
	found  diag.List
	fixes  []Fix
	silent []silence
	nested []string // templates that this one nests
}

// report joins the results: severities as set, ignored and known findings left out.
func (r *runner) report(found discovery, results []result) *Report {
	out := &Report{Sources: map[string][]byte{}, Skipped: found.skipped}
	for _, f := range r.files.All() {
		out.Sources[f.Path] = f.Text
	}
	var all diag.List
	var silent []silence
	nested := map[string]bool{}
	for _, res := range results {
		for _, path := range res.nested {
			nested[path] = true
		}
		all = append(all, res.found...)
		out.Fixes = append(out.Fixes, res.fixes...)
		silent = append(silent, res.silent...)
	}
	all = slices.DeleteFunc(all, func(d diag.Diagnostic) bool { return rulesByID()[d.Rule] != nil && !r.on[d.Rule] })
	all = dropNested(all, nested)
	out.nested = nested
	for i := range all {
		if level, ok := r.opts.Rules[all[i].Rule]; ok {
			all[i].Severity = severities[level]
		}
	}
	all = dropIgnored(all, out.Sources, silent)
	all.Sort()
	all = dropWeaker(all)
	invalid := map[string]bool{}
	for _, d := range all {
		if d.Severity == diag.Error {
			invalid[d.Path] = true
		}
	}
	for _, res := range results {
		f := res.file
		f.Valid = !invalid[f.Path]
		out.Files = append(out.Files, f)
	}
	out.Diagnostics = all
	if r.opts.Baseline != nil {
		out.Diagnostics, out.Known = r.opts.Baseline.filter(all)
	}
	out.Fixes = keepFixes(out.Fixes, out.Diagnostics)
	return out
}

// dropWeaker leaves out a finding that another one at the same place repeats with a higher severity, which happens where
// a nested template is checked on its own and as part of another.
func dropWeaker(l diag.List) diag.List {
	type key struct {
		diag.Location
		rule string
	}
	best := map[key]diag.Severity{}
	for _, d := range l {
		k := key{d.Location, d.Rule}
		if s, seen := best[k]; !seen || d.Severity < s {
			best[k] = d.Severity
		}
	}
	return slices.DeleteFunc(l, func(d diag.Diagnostic) bool { return d.Severity > best[key{d.Location, d.Rule}] })
}
