package local

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"

	"github.com/hotloom/hotloom/internal/action"
	"github.com/hotloom/hotloom/plugins/tool"
	"github.com/hotloom/hotloom/resources"
)

// RunTool runs one action of one component on the host that the task names, without a stack: on this machine or over SSH.
// dir is a folder for what it needs while it runs, key names the run. The outputs are the declared ones, deploy_stdout,
// deploy_stderr and deploy_status_code; where the software has failed they are there beside the error.
func RunTool(ctx context.Context, t *tool.Tool, task tool.Task, dir, key string) (resources.Values, error) {
	name := fileName(key)
	work := filepath.Join(dir, name)
	if err := os.MkdirAll(work, 0o700); err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	host, err := toolHost(task, work)
	if err != nil {
		return nil, err
	}
	var redact redactor
	for _, name := range task.Secrets {
		redact.hide(tool.Spelled(task.Inputs[name]))
	}
	stdout := &logWriter{redact: &redact, limit: tailBytes}
	stderr := &logWriter{redact: &redact, limit: tailBytes}
	task.Inputs = withDeploy(task)
	result, err := perform(ctx, t, host, task, Command{Name: name, Stdout: stdout, Stderr: stderr})
	stdout.flush()
	stderr.flush()
	outputs := resources.Values{}
	for name, v := range result.Outputs {
		if outputs[name], err = plainOutput(v, err); err != nil {
			return nil, err
		}
	}
	outputs["deploy_stdout"], outputs["deploy_stderr"] = stdout.text(), stderr.text()
	outputs["deploy_status_code"] = int64(result.Code)
	switch {
	case err != nil:
		return outputs, err
	case result.Code != 0:
		why := "exit code " + strconv.Itoa(result.Code)
		if last := lastLine(stderr.text(), stdout.text()); last != "" {
			why += ": " + last
		}
		return outputs, errors.New(why)
	}
	return outputs, nil
}

func plainOutput(v any, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return plainValue(v)
}

// withDeploy adds what a deployment's inputs have in Heat, as far as it is known.
func withDeploy(task tool.Task) resources.Values {
	all := resources.Values{"deploy_action": string(task.Action), "deploy_resource_name": task.Component}
	for name, v := range task.Inputs {
		all[name] = v
	}
	return all
}

// toolHost is the host that a task names.
func toolHost(task tool.Task, work string) (Host, error) {
	h := task.Host
	if h.Address == "" {
		dir := h.Dir
		if dir == "" {
			dir = filepath.Join(work, "host")
		}
		var host Host = &folderHost{dir: dir, run: work, name: "localhost"}
		if h.Sudo {
			host = rootHost{host}
		}
		return host, nil
	}
	user, port := h.User, h.Port
	if user == "" {
		return nil, resources.InvalidAt([]string{"host", "user"}, "required with an address")
	}
	if port == 0 {
		port = 22
	}
	config := action.Config{}
	if h.Key != "" {
		config.KeyFolder = filepath.Join(work, "keys")
		if err := os.MkdirAll(config.KeyFolder, 0o700); err != nil {
			return nil, err
		}
		if err := writeFile(filepath.Join(config.KeyFolder, "id_ed25519"), []byte(h.Key)); err != nil {
			return nil, err
		}
	}
	if h.KnownHosts != "" {
		config.KnownHosts = filepath.Join(work, "known_hosts")
		if err := writeFile(config.KnownHosts, []byte(h.KnownHosts)); err != nil {
			return nil, err
		}
	}
	var host Host = &sshHost{target: fmt.Sprintf("ssh://%s@%s", user, net.JoinHostPort(h.Address, strconv.Itoa(port))), name: h.Address, stack: "component", config: config}
	if h.Sudo {
		host = rootHost{host}
	}
	return host, nil
}

// rootHost runs programs by sudo, which must ask for no password.
type rootHost struct{ Host }

// Run implements Host.
func (h rootHost) Run(ctx context.Context, c Command) (Finished, error) {
	s := tool.NewShell("sudo")
	s.File("as-root", c.Script)
	s.Line(`chmod 700 as-root || exit 126`)
	s.Line(`"$hotloom_program" -n -E -- "$hotloom_dir/as-root"`)
	s.Line(`hotloom_code=$?`)
	s.Line(`"$hotloom_program" -n chown "$(id -u)" "$heat_outputs_path".* 2>/dev/null`)
	s.Line(`exit "$hotloom_code"`)
	c.Script = s.String()
	return h.Host.Run(ctx, c)
}
