package lint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/resources/catalog"
)

// ConfigName is the file in a project's folder that configures hotloom.
const ConfigName = "hotloom.yaml"

// Config is what a project's hotloom.yaml says about lint:
//
//	profile: zed                        # a Heat release, or the file of a captured profile
//	lint:
//	  unknown_types: {default: warn, "Contrail::*": ignore}
//	  rules: {unused-parameter: off, open-ingress: error}
//	  exclude: [vendor]
//	  environments: [env/common.yaml]
//	  baseline: lint-baseline.json
//	  max_warnings: 20
type Config struct {
	Path         string
	Profile      string
	Unknown      catalog.UnknownTypes
	Rules        map[string]Level
	Exclude      []string
	Environments []string
	Baseline     string
	MaxWarnings  int // -1: no limit
}

// FindConfig looks for hotloom.yaml in dir and the folders above it, up to the one with the .git folder. The config is
// nil where there is none.
func FindConfig(dir string) (*Config, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	for {
		path := filepath.Join(dir, ConfigName)
		c, err := LoadConfig(path)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return c, err
		}
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil || filepath.Dir(dir) == dir {
			return nil, nil
		}
		dir = filepath.Dir(dir)
	}
}

// LoadConfig reads one. Names of files in it are relative to its folder. Every mistake in it is one error that says
// where.
func LoadConfig(path string) (*Config, error) {
	file, err := source.NewFiles(source.FilesOptions{}).Open(path)
	if err != nil {
		return nil, err
	}
	root, found := source.ParseFile(file, source.Options{Reader: source.YAML})
	c := &Config{Path: path, MaxWarnings: -1, Rules: map[string]Level{}}
	r := configReader{c: c, found: found}
	r.root(root)
	var problems []string
	for _, d := range r.found {
		if d.Severity == diag.Error {
			problems = append(problems, d.String())
		}
	}
	if len(problems) > 0 {
		return nil, errors.New(strings.Join(problems, "\n"))
	}
	return c, nil
}

type configReader struct {
	c     *Config
	found diag.List
}

func (r *configReader) wrong(n *source.Node, format string, args ...any) {
	r.found.Add(diag.Errorf(n.At(), "config", format, args...))
}

func (r *configReader) root(n *source.Node) {
	if n.IsNull() {
		return
	}
	if !n.Is(source.Map) {
		r.wrong(n, "the configuration must be a map")
		return
	}
	for _, pair := range n.Pairs {
		switch hot.KeyText(pair.Key) {
		case "profile":
			r.c.Profile = r.text(pair)
			if _, err := catalog.ParseRelease(r.c.Profile); err != nil {
				r.c.Profile = r.path(r.c.Profile)
			}
		case "lint":
			r.lint(pair.Value)
		} // other sections belong to other commands
	}
}

// lintKeys are the settings of the section lint.
var lintKeys = []string{"unknown_types", "rules", "exclude", "environments", "baseline", "max_warnings"}

func (r *configReader) lint(n *source.Node) {
	if n.IsNull() {
		return
	}
	if !n.Is(source.Map) {
		r.wrong(n, "lint must be a map of settings")
		return
	}
	for _, pair := range n.Pairs {
		switch key := hot.KeyText(pair.Key); key {
		case "unknown_types":
			r.unknownTypes(pair.Value)
		case "rules":
			r.rules(pair.Value)
		case "exclude":
			r.c.Exclude = r.texts(pair)
		case "environments":
			for _, e := range r.texts(pair) {
				r.c.Environments = append(r.c.Environments, r.path(e))
			}
		case "baseline":
			r.c.Baseline = r.path(r.text(pair))
		case "max_warnings":
			v, ok := pair.Value.Int64()
			if !ok || v < 0 {
				r.wrong(pair.Value, "max_warnings must be a number, 0 or more")
			}
			r.c.MaxWarnings = int(v)
		default:
			d := diag.Errorf(pair.Key.At(), "config", "lint has no setting %q", key)
			if near := diag.Nearest(key, lintKeys); near != "" {
				d = d.With("did you mean %q?", near)
			}
			r.found.Add(d)
		}
	}
}

func (r *configReader) unknownTypes(n *source.Node) {
	if n.Is(source.String) {
		r.c.Unknown.Default = catalog.Policy(n.Text)
	} else if n.Is(source.Map) {
		for _, pair := range n.Pairs {
			if key := hot.KeyText(pair.Key); key == "default" {
				r.c.Unknown.Default = catalog.Policy(r.text(pair))
			} else {
				r.c.Unknown.Rules = append(r.c.Unknown.Rules, catalog.UnknownRule{Pattern: key, Policy: catalog.Policy(r.text(pair))})
			}
		}
	} else {
		r.wrong(n, "unknown_types must be error, warn or ignore, or a map from pattern to one of them")
	}
	if err := r.c.Unknown.Check(); err != nil {
		r.wrong(n, "%v", err)
	}
}

func (r *configReader) rules(n *source.Node) {
	if !n.Is(source.Map) {
		r.wrong(n, "rules must be a map from rule to error, warning, info or off")
		return
	}
	for _, pair := range n.Pairs {
		id := hot.KeyText(pair.Key)
		level := Level(pair.Value.Text)
		if pair.Value.Is(source.Bool) && pair.Value.Scalar == false { // YAML 1.1 reads off as false
			level = Off
		}
		if rulesByID()[id] == nil {
			d := diag.Errorf(pair.Key.At(), "config", "there is no rule %q", id)
			if near := diag.Nearest(id, RuleIDs()); near != "" {
				d = d.With("did you mean %q?", near)
			}
			r.found.Add(d)
		}
		if _, ok := severities[level]; !ok && level != Off {
			r.wrong(pair.Value, "the level of %s must be error, warning, info or off", id)
		}
		r.c.Rules[id] = level
	}
}

func (r *configReader) text(pair source.Pair) string {
	if !pair.Value.Is(source.String) && !pair.Value.Is(source.Int) && !pair.Value.Is(source.Float) {
		r.wrong(pair.Value, "%s must be text", hot.KeyText(pair.Key))
	}
	return pair.Value.Text
}

func (r *configReader) texts(pair source.Pair) []string {
	if pair.Value.Is(source.String) {
		return []string{pair.Value.Text}
	}
	if !pair.Value.Is(source.List) {
		r.wrong(pair.Value, "%s must be a list of texts", hot.KeyText(pair.Key))
	}
	var out []string
	for _, item := range pair.Value.Items {
		if !item.Is(source.String) {
			r.wrong(item, "an item of %s must be text", hot.KeyText(pair.Key))
		}
		out = append(out, item.Text)
	}
	return out
}

// path is a file's name as seen from the configuration's folder.
func (r *configReader) path(name string) string {
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(r.c.Path), name)
}

// Apply sets what the options leave open; what they set counts more. A nil config changes nothing.
func (c *Config) Apply(o *Options) error {
	if c == nil {
		return nil
	}
	if o.Catalog == nil && c.Profile != "" {
		types, err := LoadProfile(c.Profile)
		if err != nil {
			return err
		}
		o.Catalog = types
	}
	if o.Unknown.Default == "" && len(o.Unknown.Rules) == 0 {
		o.Unknown = c.Unknown
	}
	rules := make(map[string]Level, len(c.Rules)+len(o.Rules))
	for id, level := range c.Rules {
		rules[id] = level
	}
	for id, level := range o.Rules {
		rules[id] = level
	}
	o.Rules = rules
	o.Exclude = append(slices.Clone(c.Exclude), o.Exclude...)
	if len(o.Environments) == 0 {
		o.Environments = c.Environments
	}
	if o.Baseline == nil && c.Baseline != "" {
		b, err := LoadBaseline(c.Baseline)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		o.Baseline = b
	}
	return nil
}

// LoadProfile gives the types of a Heat release by its name, or of a captured profile by its file.
func LoadProfile(name string) (*catalog.Catalog, error) {
	if r, err := catalog.ParseRelease(name); err == nil {
		return catalog.For(r), nil
	} else if _, statErr := os.Stat(name); statErr != nil {
		return nil, fmt.Errorf("profile %q is no file and no release: %w", name, err)
	}
	return catalog.LoadProfile(name)
}
