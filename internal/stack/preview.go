package stack

import (
	"context"
	"fmt"
	"slices"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/preview"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/resources/catalog"
)

// Input is what a preview reads of a template on its way; parameters are those of the request, or nil.
func (p *Prepared) Input(parameters *source.Node) preview.Input {
	in := preview.Input{Template: p.Bundle.Template, Files: p.Bundle.Files}
	if parameters.Is(source.Map) {
		in.Parameters = parameters.Pairs
	}
	for _, url := range p.Bundle.EnvironmentFiles {
		if n, found := source.Parse(url, []byte(p.Bundle.Files[url])); !found.HasErrors() {
			in.Environments = append(in.Environments, n)
		}
	}
	if len(in.Environments) == 0 {
		in.Environments = []*source.Node{p.Bundle.Environment}
	}
	return in
}

// Place is where the author wrote what a preview speaks of.
func (p *Prepared) Place(at preview.Place) diag.Location {
	if p == nil {
		return diag.Location{}
	}
	return p.Origin.At(at.Template, at.Path)
}

// Input reads back what a stack was made of. What is hidden stays so: preview.Redacted.
func (c *Client) Input(ctx context.Context, ref Ref) (preview.Input, error) {
	in := preview.Input{}
	template, err := c.TemplateOf(ctx, ref)
	if err != nil {
		return in, fmt.Errorf("template of stack %s: %w", ref, err)
	}
	environment, err := c.EnvironmentOf(ctx, ref)
	if err != nil {
		return in, fmt.Errorf("environment of stack %s: %w", ref, err)
	}
	if in.Files, err = c.FilesOf(ctx, ref); err != nil {
		return in, fmt.Errorf("files of stack %s: %w", ref, err)
	}
	var found diag.List
	if in.Template, found = source.Parse("stack "+ref.Name, template); found.HasErrors() {
		return in, fmt.Errorf("template of stack %s: %v", ref, found[0])
	}
	n, found := source.Parse("environment of stack "+ref.Name, environment)
	if found.HasErrors() {
		return in, fmt.Errorf("environment of stack %s: %v", ref, found[0])
	}
	var pairs []source.Pair
	for _, p := range n.Pairs {
		if slices.Contains(hot.EnvironmentSections, p.Key.Text) && hot.Truthy(p.Value) {
			pairs = append(pairs, p)
		}
	}
	in.Environments = []*source.Node{source.NewMap(n, pairs...)}
	return in, nil
}

// Patched is a stack's input with another on top, as Heat puts them together for a patch: parameters that the template
// does not have are dropped, and so are those that are cleared from what was there.
func Patched(old, by preview.Input, cleared []string) preview.Input {
	out := preview.Input{Template: by.Template, Files: map[string]string{}, Parameters: by.Parameters}
	if out.Template == nil {
		out.Template = old.Template
	}
	for _, files := range []map[string]string{old.Files, by.Files} {
		for url, text := range files {
			out.Files[url] = text
		}
	}
	names := map[string]bool{}
	t, _ := hot.LoadTemplate(out.Template)
	for _, p := range t.Parameters {
		names[p.Name.Text] = true
	}
	for i, env := range append(slices.Clone(old.Environments), by.Environments...) {
		was := i < len(old.Environments)
		pairs := slices.Clone(env.Pairs)
		for k, p := range pairs {
			if p.Key.Text == "parameters" && p.Value.Is(source.Map) {
				kept := slices.DeleteFunc(slices.Clone(p.Value.Pairs), func(q source.Pair) bool {
					return !names[q.Key.Text] || was && slices.Contains(cleared, q.Key.Text)
				})
				pairs[k].Value = source.NewMap(p.Value, kept...)
			}
		}
		out.Environments = append(out.Environments, source.NewMap(env, pairs...))
	}
	return out
}

// States are the states of a stack's resources, and of those nested in it, by their paths.
func (c *Client) States(ctx context.Context, ref Ref) (map[string]string, error) {
	list, err := c.Resources(ctx, ref, MaxDepth)
	if err != nil {
		return nil, err
	}
	tree := NewTree(ref)
	tree.Load(list)
	out := map[string]string{}
	var walk func([]*Node)
	walk = func(nodes []*Node) {
		for _, n := range nodes {
			out[n.Path()] = n.Status
			walk(n.Children)
		}
	}
	walk(tree.Top)
	return out, nil
}

// Settle takes from a plan what it leaves open and Heat knows: the values of hidden parameters. What Heat's own preview
// says is unchanged is so.
func Settle(plan *preview.Plan, changes *Changes) {
	unchanged := map[string]bool{}
	for _, r := range changes.Unchanged {
		if r.Parent == "" {
			unchanged[r.Name] = true
		}
	}
	for i := range plan.Changes {
		if c := &plan.Changes[i]; c.Possible && unchanged[c.Path] {
			c.Action, c.Possible, c.Causes = preview.Keep, false, nil
		}
	}
}

// Sides loads what is and what would be.
func Sides(before, after preview.Input, types *catalog.Catalog) (x, y *preview.Side, found diag.List) {
	x, _ = preview.Load(before, types) // Heat took it
	y, found = preview.Load(after, types)
	return x, y, found
}
