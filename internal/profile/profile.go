// Package profile captures what a cloud has to offer to templates: resource types with their schemas, template versions
// with their functions, limits of the project, and names where they are asked for. catalog.Profile is the file's form, which
// lint reads without a cloud.
//
// What cannot be read is left out and noted in the profile: capture fails only where there is no type at all.
package profile

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hotloom/hotloom/internal/cloud"
	"github.com/hotloom/hotloom/internal/stack"
	"github.com/hotloom/hotloom/resources/catalog"
)

// Kinds of names that Options.Names takes.
var Kinds = []string{"flavors", "images", "networks"}

// Options of Capture. The zero value captures types, versions and limits.
type Options struct {
	Names    []string // of Kinds
	Parallel int      // how many calls are made at once; 0 is eight
	// Progress is told how many of the calls are done, and of how many as far as is known. It is called by one goroutine at a time.
	Progress func(done, of int)
	Now      func() time.Time // nil is time.Now
}

const (
	defaultParallel = 8
	maxParallel     = 64
)

// capture is one Capture.
type capture struct {
	Options
	cloud *cloud.Client
	heat  *stack.Client

	mu       sync.Mutex
	profile  *catalog.Profile
	done, of int
	notes    []string
}

// Capture reads a cloud. The error is for a cloud without types, and for a context that ended.
func Capture(ctx context.Context, c *cloud.Client, o Options) (*catalog.Profile, error) {
	heat, err := stack.New(c)
	if err != nil {
		return nil, err
	}
	for _, n := range o.Names {
		if !slices.Contains(Kinds, n) {
			return nil, fmt.Errorf("names: want some of %s, not %q", strings.Join(Kinds, ", "), n)
		}
	}
	if o.Parallel <= 0 {
		o.Parallel = defaultParallel
	}
	o.Parallel = min(o.Parallel, maxParallel)
	if o.Now == nil {
		o.Now = time.Now
	}
	k := &capture{Options: o, cloud: c, heat: heat, profile: &catalog.Profile{Types: map[string]json.RawMessage{}}}
	k.profile.Version, k.profile.Captured = 1, o.Now().UTC().Truncate(time.Second)
	k.profile.Endpoint, k.profile.Region = c.AuthURL, c.Region
	names, err := k.typeNames(ctx)
	if err != nil {
		return nil, err
	}
	k.run(ctx, k.jobs(ctx, names))
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	if len(k.profile.Types) == 0 {
		return nil, errors.New("none of the resource types could be read: " + strings.Join(k.notes[:min(3, len(k.notes))], "; "))
	}
	k.finish(names)
	return k.profile, nil
}

func (k *capture) typeNames(ctx context.Context) ([]string, error) {
	var answer struct {
		Types []string `json:"resource_types"`
	}
	if err := k.heat.Get(ctx, "resource_types", nil, &answer); err != nil {
		return nil, fmt.Errorf("resource types: %w", err)
	}
	slices.Sort(answer.Types)
	return answer.Types, nil
}

// job is one piece of what is captured; what names it in a note.
type job struct {
	what string
	run  func(context.Context) error
}

func (k *capture) jobs(ctx context.Context, types []string) []job {
	jobs := []job{{"build", k.build}, {"limits", k.limits}}
	for _, name := range types {
		jobs = append(jobs, job{"type " + name, func(ctx context.Context) error { return k.typeSchema(ctx, name) }})
	}
	versions, err := k.versions(ctx)
	if err != nil {
		k.note("template versions", err)
	}
	for i, v := range versions {
		jobs = append(jobs, job{"functions of " + v, func(ctx context.Context) error { return k.functions(ctx, i, v) }})
	}
	read := map[string]func(context.Context) error{"flavors": k.flavors, "images": k.images, "networks": k.networks}
	for _, n := range Kinds {
		if slices.Contains(k.Names, n) {
			jobs = append(jobs, job{n, read[n]})
		}
	}
	return jobs
}

// run does all jobs, so many at once, and comes back when all are done or the context has ended.
func (k *capture) run(ctx context.Context, jobs []job) {
	k.of = len(jobs)
	queue := make(chan job)
	var workers sync.WaitGroup
	for range k.Parallel {
		workers.Go(func() {
			for j := range queue {
				err := ctx.Err()
				if err == nil {
					err = j.run(ctx)
				}
				k.report(j, err)
			}
		})
	}
	for _, j := range jobs {
		queue <- j
	}
	close(queue)
	workers.Wait()
}

func (k *capture) report(j job, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err != nil {
		k.notes = append(k.notes, fmt.Sprintf("%s: %v", j.what, err))
	}
	k.done++
	if k.Progress != nil {
		k.Progress(k.done, k.of)
	}
}

func (k *capture) note(what string, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.notes = append(k.notes, fmt.Sprintf("%s: %v", what, err))
}

func (k *capture) typeSchema(ctx context.Context, name string) error {
	var answer json.RawMessage
	if err := k.heat.Get(ctx, "resource_types/"+url.PathEscape(name), nil, &answer); err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.profile.Types[name] = answer
	return nil
}

func (k *capture) build(ctx context.Context) error {
	var answer struct {
		Engine struct{ Revision string } `json:"engine"`
	}
	err := k.heat.Get(ctx, "build_info", nil, &answer)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.profile.Build = answer.Engine.Revision
	return err
}

// versions reads the template versions, and gives their names.
func (k *capture) versions(ctx context.Context) ([]string, error) {
	var answer struct {
		Versions []struct {
			Version string
			Aliases []string
		} `json:"template_versions"`
	}
	if err := k.heat.Get(ctx, "template_versions", nil, &answer); err != nil {
		return nil, err
	}
	var names []string
	for _, v := range answer.Versions {
		k.profile.TemplateVersions = append(k.profile.TemplateVersions, catalog.TemplateVersion{Name: v.Version, Aliases: v.Aliases})
		names = append(names, v.Version)
	}
	return names, nil
}

func (k *capture) functions(ctx context.Context, i int, version string) error {
	lists := [2][]string{}
	for n, conditions := range []string{"False", "True"} {
		var answer struct {
			Functions []struct {
				Name string `json:"functions"`
			} `json:"template_functions"`
		}
		path := "template_versions/" + url.PathEscape(version) + "/functions"
		if err := k.heat.Get(ctx, path, url.Values{"with_condition_func": {conditions}}, &answer); err != nil {
			return err
		}
		for _, f := range answer.Functions {
			lists[n] = append(lists[n], f.Name)
		}
		slices.Sort(lists[n])
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	v := &k.profile.TemplateVersions[i]
	v.Functions = lists[0]
	v.ConditionFunctions = slices.DeleteFunc(lists[1], func(f string) bool { return slices.Contains(lists[0], f) })
	return nil
}

// finish puts in what comes of all of it.
func (k *capture) finish(names []string) {
	stock := catalog.Default()
	for _, n := range names {
		if !stock.Knows(n) {
			k.profile.Plugins = append(k.profile.Plugins, n)
		}
	}
	slices.Sort(k.notes)
	k.profile.Incomplete = k.notes
}
