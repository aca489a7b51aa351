package heat

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Installation is what Install writes.
type Installation struct {
	Dir   string // a folder of heat.conf's plugin_dirs
	State string // the state folder
	// Unit is the file of the systemd unit, "" for none; it runs Command as User.
	Unit    string
	User    string
	Command []string
}

// stateLine is the line of the Python file that Install fills in.
var stateLine = regexp.MustCompile(`(?m)^STATE = .*$`)

// Install writes the Python file and the unit. It overwrites what it has written before, and no file of anybody else's.
func Install(i Installation) error {
	if !filepath.IsAbs(i.State) {
		return fmt.Errorf("state folder %s: give an absolute path", i.State)
	}
	if len(filepath.Join(i.State, socketName))+len(".new") > 107 {
		return fmt.Errorf("state folder %s: its path is too long for a socket", i.State)
	}
	// A string of Go's in quotes is one of Python's too.
	text := stateLine.ReplaceAllLiteralString(Plugin, "STATE = "+strconv.QuoteToASCII(i.State))
	if err := replace(filepath.Join(i.Dir, PluginName), text, firstLine(Plugin)); err != nil {
		return err
	}
	if i.Unit == "" {
		return nil
	}
	unit, err := unit(i)
	if err != nil {
		return err
	}
	return replace(i.Unit, unit, firstLine(unit))
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// replace writes a file unless there is one that begins otherwise.
func replace(path, text, first string) error {
	old, err := os.ReadFile(path)
	switch {
	case err == nil && firstLine(string(old)) != first:
		return fmt.Errorf("%s is there, and not by this command: move it away", path)
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return err
	}
	if err := os.WriteFile(path+".new", []byte(text), 0o644); err != nil { //nolint:gosec // the engine reads it, as its user
		return err
	}
	if err := os.Rename(path+".new", path); err != nil {
		_ = os.Remove(path + ".new")
		return err
	}
	return nil
}

// unit is a systemd unit. It is ready when engines can connect, which start after it.
func unit(i Installation) (string, error) {
	words := make([]string, len(i.Command))
	for n, w := range i.Command {
		if strings.ContainsAny(w, "\n\r") {
			return "", fmt.Errorf("%q cannot stand in a unit", w)
		}
		words[n] = quoteUnit(w)
	}
	lines := []string{
		"# hotloom: providers of resource types for heat-engine",
		"[Unit]",
		"Description=resource types of hotloom for heat-engine",
		"Before=heat-engine.service openstack-heat-engine.service",
		"After=network-online.target",
		"Wants=network-online.target",
		"",
		"[Service]",
		"Type=notify",
		"User=" + i.User,
		"ExecStart=" + strings.Join(words, " "),
		"Restart=always",
		"RestartSec=1",
		"UMask=0077",
		"NoNewPrivileges=yes",
	}
	if name, ok := strings.CutPrefix(i.State, "/var/lib/"); ok && !strings.Contains(name, "/") {
		lines = append(lines, "StateDirectory="+quoteUnit(name), "StateDirectoryMode=0700")
	}
	lines = append(lines, "", "[Install]", "WantedBy=multi-user.target", "")
	return strings.Join(lines, "\n"), nil
}

// quoteUnit makes one word of a unit's line of a text.
func quoteUnit(w string) string {
	w = strings.NewReplacer(`%`, `%%`, `$`, `$$`).Replace(w)
	if strings.ContainsAny(w, " \t\"'\\;") {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(w) + `"`
	}
	return w
}
