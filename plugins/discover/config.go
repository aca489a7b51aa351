package discover

import (
	"encoding/hex"
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/source"
)

// Config is what a project's hotloom.yaml says about providers:
//
//	plugins:
//	  folders: [providers]           # with files named hotloom-provider-NAME
//	  pinned: true                   # refuse providers without a checksum here
//	  providers:
//	    notes: {path: bin/notes, sha256: 9f86d08…}
//	    other: /opt/hotloom/other
//	    workflow:                    # found elsewhere; settings as any may have
//	      env: {HOTLOOM_WORKFLOW_ENGINE: mistral}
//	      log: debug                 # or info, warn, error
//	      start_timeout: 60          # seconds
//	      call_timeout: 120
type Config struct {
	Path      string
	Folders   []string
	Pinned    bool
	Providers []Source
}

// LoadConfig reads the section plugins of a hotloom.yaml; "" gives nil. Paths are relative to the file's folder. Every
// mistake is one line of the error.
func LoadConfig(path string) (*Config, error) {
	if path == "" {
		return nil, nil
	}
	file, err := source.NewFiles(source.FilesOptions{}).Open(path)
	if err != nil {
		return nil, err
	}
	root, found := source.ParseFile(file, source.Options{Reader: source.YAML})
	r := configReader{c: &Config{Path: path}, found: found}
	if root.Is(source.Map) {
		for _, pair := range root.Pairs {
			if pair.Key.Text == "plugins" {
				r.section(pair.Value)
			}
		}
	}
	var problems []string
	for _, d := range r.found {
		if d.Severity == diag.Error {
			problems = append(problems, d.String())
		}
	}
	if len(problems) > 0 {
		return nil, errors.New(strings.Join(problems, "\n"))
	}
	return r.c, nil
}

type configReader struct {
	c     *Config
	found diag.List
}

func (r *configReader) wrong(n *source.Node, format string, args ...any) {
	r.found.Add(diag.Errorf(n.At(), "config", format, args...))
}

func (r *configReader) unknown(n *source.Node, what string, known []string) {
	d := diag.Errorf(n.At(), "config", "%s has no setting %q", what, n.Text)
	if near := diag.Nearest(n.Text, known); near != "" {
		d = d.With("did you mean %q?", near)
	}
	r.found.Add(d)
}

func (r *configReader) section(n *source.Node) {
	if n.IsNull() {
		return
	}
	if !n.Is(source.Map) {
		r.wrong(n, "plugins must be a map of settings")
		return
	}
	for _, pair := range n.Pairs {
		switch pair.Key.Text {
		case "folders":
			if !pair.Value.Is(source.List) {
				r.wrong(pair.Value, "folders must be a list")
			}
			for _, item := range pair.Value.Items {
				r.c.Folders = append(r.c.Folders, r.path(item))
			}
		case "pinned":
			b, ok := pair.Value.Scalar.(bool)
			if !ok {
				r.wrong(pair.Value, "pinned must be true or false")
			}
			r.c.Pinned = b
		case "providers":
			if !pair.Value.Is(source.Map) {
				r.wrong(pair.Value, "providers must be a map from name to path, or to path and sha256")
			}
			for _, p := range pair.Value.Pairs {
				r.provider(p)
			}
		default:
			r.unknown(pair.Key, "plugins", []string{"folders", "pinned", "providers"})
		}
	}
}

func (r *configReader) provider(pair source.Pair) {
	s := Source{Name: pair.Key.Text, Origin: r.c.Path}
	if !goodName.MatchString(s.Name) {
		r.wrong(pair.Key, "a provider's name has lower-case letters, digits and -, not %q", s.Name)
	}
	if pair.Value.Is(source.String) {
		s.Path = r.path(pair.Value)
	} else if pair.Value.Is(source.Map) {
		for _, p := range pair.Value.Pairs {
			switch p.Key.Text {
			case "path":
				s.Path = r.path(p.Value)
			case "sha256":
				s.SHA256 = strings.ToLower(p.Value.Text)
				if b, err := hex.DecodeString(s.SHA256); err != nil || len(b) != 32 {
					r.wrong(p.Value, "sha256 must have 64 hexadecimal digits")
				}
			case "env":
				s.Env = r.env(p.Value)
			case "log":
				if s.Log = p.Value.Text; !slices.Contains(logLevels, s.Log) {
					r.wrong(p.Value, "log must be one of %s", strings.Join(logLevels, ", "))
				}
			case "start_timeout":
				s.StartTimeout = r.seconds(p.Key.Text, p.Value)
			case "call_timeout":
				s.CallTimeout = r.seconds(p.Key.Text, p.Value)
			default:
				r.unknown(p.Key, "a provider", []string{"path", "sha256", "env", "log", "start_timeout", "call_timeout"})
			}
		}
	} else {
		r.wrong(pair.Value, "provider %s must be a path, or a map of settings", s.Name)
	}
	r.c.Providers = append(r.c.Providers, s)
}

// logLevels are those that a provider's log can be cut at.
var logLevels = []string{"debug", "info", "warn", "error"}

var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// env is a map of environment variables.
func (r *configReader) env(n *source.Node) []string {
	if !n.Is(source.Map) {
		r.wrong(n, "env must be a map of variables")
		return nil
	}
	var out []string
	for _, p := range n.Pairs {
		if !variable.MatchString(p.Key.Text) || p.Value.Is(source.Map) || p.Value.Is(source.List) || strings.ContainsRune(p.Value.Text, 0) {
			r.wrong(p.Key, "env has names of variables with texts")
			continue
		}
		out = append(out, p.Key.Text+"="+p.Value.Text)
	}
	return out
}

// seconds is a time that is given as a number of seconds.
func (r *configReader) seconds(what string, n *source.Node) time.Duration {
	f, err := strconv.ParseFloat(n.Text, 64)
	if err != nil || !(f > 0 && f <= 86400) {
		r.wrong(n, "%s must be a number of seconds above 0", what)
		return 0
	}
	return time.Duration(f * float64(time.Second))
}

// path is a file's name as seen from the configuration's folder.
func (r *configReader) path(n *source.Node) string {
	if !n.Is(source.String) || n.Text == "" {
		r.wrong(n, "a path must be text")
		return ""
	}
	if filepath.IsAbs(n.Text) {
		return n.Text
	}
	path, err := filepath.Abs(filepath.Join(filepath.Dir(r.c.Path), n.Text))
	if err != nil {
		r.wrong(n, "%v", err)
	}
	return path
}
