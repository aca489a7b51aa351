// Package discover finds providers: executables named hotloom-provider-NAME in folders, and those that hotloom.yaml
// names. It starts nothing, and imports nothing of the plugin protocol, so that commands which only want to know what
// there is (lint above all) stay quick.
package discover

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Prefix begins the file name of each provider.
const Prefix = "hotloom-provider-"

// FoldersEnv names folders with providers, separated as in PATH.
const FoldersEnv = "HOTLOOM_PLUGINS"

// Source says where a provider comes from.
type Source struct {
	Name   string   `json:"name"`
	Path   string   `json:"path"`
	Args   []string `json:"args,omitempty"`
	Env    []string `json:"-"`                // NAME=VALUE, besides the environment of hotloom itself
	SHA256 string   `json:"pinned,omitempty"` // the file must have this checksum; "" is not pinned
	Origin string   `json:"origin"`           // what named it: bundled, a folder, a configuration file
	Cache  string   `json:"-"`                // folder for descriptions; "" is the user's cache folder

	Log          string        `json:"-"` // least level of its log that is shown: debug, info, warn or error; "" is the host's
	StartTimeout time.Duration `json:"-"` // from start to handshake; 0 is the host's
	CallTimeout  time.Duration `json:"-"` // for one call; 0 is the host's
}

// settle gives a source what a configuration sets for it.
func (s Source) settle(by Source) Source {
	s.Env = append(slices.Clone(s.Env), by.Env...)
	s.Log, s.StartTimeout, s.CallTimeout = by.Log, by.StartTimeout, by.CallTimeout
	if by.SHA256 != "" {
		s.SHA256 = by.SHA256
	}
	return s
}

// Bundled is Source.Origin of providers that are part of hotloom.
const Bundled = "bundled"

var goodName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// Find gives the providers in order of their names: those of the configuration, else those in the folders that the
// configuration, the environment variable and the user's data folder give, else bundled ones. What comes first counts.
// A folder that does not exist is an error only if the configuration or the environment names it.
func Find(c *Config, bundled []Source) ([]Source, error) {
	found := map[string]Source{}
	var problems []error
	add := func(s Source) {
		if _, known := found[s.Name]; !known {
			found[s.Name] = s
		}
	}
	var folders []string
	set := map[string]Source{} // for those that are found elsewhere
	if c != nil {
		for _, s := range c.Providers {
			if s.Path == "" {
				set[s.Name] = s
				continue
			}
			add(s)
		}
		folders = append(folders, c.Folders...)
	}
	for _, f := range filepath.SplitList(os.Getenv(FoldersEnv)) {
		if f != "" {
			folders = append(folders, f)
		}
	}
	for _, folder := range folders {
		in, err := inFolder(folder)
		if err != nil {
			problems = append(problems, fmt.Errorf("providers: %w", err))
		}
		for _, s := range in {
			add(s)
		}
	}
	if own := userFolder(); own != "" {
		in, err := inFolder(own)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			problems = append(problems, fmt.Errorf("providers: %w", err))
		}
		for _, s := range in {
			add(s)
		}
	}
	for _, s := range bundled {
		s.Origin = Bundled
		add(s)
	}
	for name, by := range set {
		s, there := found[name]
		switch {
		case there:
			found[name] = s.settle(by)
		case bundled != nil: // else it may be one of those
			problems = append(problems, fmt.Errorf("%s has settings for the provider %s, which is nowhere: give its path", c.Path, name))
		}
	}
	if c != nil && c.Pinned {
		for name, s := range found {
			if s.SHA256 == "" && s.Origin != Bundled {
				problems = append(problems, fmt.Errorf("provider %s (%s) is not pinned, and %s asks for that: add its sha256 there", name, s.Path, c.Path))
				delete(found, name)
			}
		}
	}
	out := make([]Source, 0, len(found))
	for _, s := range found {
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b Source) int { return cmp.Compare(a.Name, b.Name) })
	return out, errors.Join(problems...)
}

// userFolder is where a user's own providers lie.
func userFolder() string {
	if data := os.Getenv("XDG_DATA_HOME"); data != "" {
		return filepath.Join(data, "hotloom", "providers")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".local", "share", "hotloom", "providers")
}

func inFolder(folder string) ([]Source, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var out []Source
	for _, e := range entries {
		name, ok := strings.CutPrefix(strings.TrimSuffix(e.Name(), ".exe"), Prefix)
		if !ok || e.IsDir() || !goodName.MatchString(name) {
			continue
		}
		path := filepath.Join(folder, e.Name())
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode()&0o111 == 0 {
			continue // not for execution: a checksum file, a half copied one
		}
		out = append(out, Source{Name: name, Path: path, Origin: folder})
	}
	return out, nil
}
