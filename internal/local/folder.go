package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// folderHost is a host that is a folder of this machine. Scripts run as the user whom hotloom runs as; they have their
// own HOME, TMPDIR and environment, begin in the folder, and find it as HOTLOOM_ROOT.
type folderHost struct {
	dir     string
	run     string // where scripts and their outputs stand
	name    string
	address string
}

var _ Host = (*folderHost)(nil)

// inherited are the variables that scripts get from hotloom's own environment.
var inherited = []string{"PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ"}

func (h *folderHost) Run(ctx context.Context, c Command) (Finished, error) {
	work := filepath.Join(h.run, c.Name)
	if err := endLeftover(work); err != nil {
		return Finished{}, err
	}
	home, tmp := filepath.Join(h.dir, "home"), filepath.Join(h.dir, "tmp")
	for _, dir := range []string{work, h.dir, home, tmp} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return Finished{}, err
		}
	}
	file := filepath.Join(work, "script")
	if err := writeScript(file, c.Script); err != nil {
		return Finished{}, err
	}
	outputs := filepath.Join(work, "output")
	for _, name := range c.Outputs { // of an earlier run
		if err := os.Remove(outputs + "." + name); err != nil && !errors.Is(err, os.ErrNotExist) {
			return Finished{}, err
		}
	}
	var env []string
	for _, name := range inherited {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	env = append(append(env, c.Env...), "HOME="+home, "TMPDIR="+tmp, "heat_outputs_path="+outputs,
		"HOTLOOM_ROOT="+h.dir, "HOTLOOM_HOST="+h.name, "HOTLOOM_ADDRESS="+h.address)
	code, err := runGroup(ctx, work, func() *exec.Cmd {
		cmd := exec.Command(file) // its context is watched in runGroup, so that the whole group ends
		cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = h.dir, env, c.Stdout, c.Stderr
		cmd.WaitDelay = time.Second // what the script leaves behind may hold its output open
		detach(cmd)
		return cmd
	})
	if err != nil {
		return Finished{}, err
	}
	done := Finished{Code: code, Outputs: map[string]string{}}
	for _, name := range c.Outputs {
		text, err := readOutput(outputs+"."+name, name)
		if err != nil {
			return done, err
		}
		if text != nil {
			done.Outputs[name] = *text
		}
	}
	return done, os.RemoveAll(work)
}

// writeScript writes a script such that no process holds it open for writing when it is executed.
func writeScript(file, text string) error {
	_ = os.Remove(file)
	return os.WriteFile(file, []byte(text), 0o700)
}

// runGroup runs a command in a session of its own, notes it for the case that hotloom is killed, and kills all of it when
// ctx ends.
func runGroup(ctx context.Context, work string, command func() *exec.Cmd) (int, error) {
	cmd, err := start(command)
	if err != nil {
		return 0, err
	}
	if err := writeFile(filepath.Join(work, "process"), []byte(processID(cmd.Process.Pid))); err != nil {
		killGroup(cmd.Process.Pid, true)
		return 0, errors.Join(err, ignoreExit(cmd.Wait()))
	}
	ended, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case <-ended:
			return
		case <-ctx.Done():
		}
		killGroup(cmd.Process.Pid, false)
		timer := time.NewTimer(grace)
		defer timer.Stop()
		select {
		case <-ended:
		case <-timer.C:
		}
		killGroup(cmd.Process.Pid, true)
	}()
	err = cmd.Wait()
	close(ended)
	<-watched
	return exitCode(cmd.ProcessState), ignoreExit(err)
}

// start starts a command. A script that was just written may be busy for a moment: another process that is being forked
// has a copy of its file until it executes.
func start(command func() *exec.Cmd) (*exec.Cmd, error) {
	for try := 0; ; try++ {
		cmd := command()
		err := cmd.Start()
		switch {
		case err == nil:
			return cmd, nil
		case errors.Is(err, os.ErrNotExist):
			return nil, errors.New("the program that the script's first line names is not there")
		case try == 20 || !isTextBusy(err):
			return nil, err
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func ignoreExit(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) || errors.Is(err, exec.ErrWaitDelay) {
		return nil
	}
	return err
}

// readOutput reads one output; nil where the script did not write it.
func readOutput(file, name string) (*string, error) {
	info, err := os.Lstat(file)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("output %s is no regular file", name)
	case info.Size() > maxOutput:
		return nil, fmt.Errorf("output %s has %d bytes; at most %d are taken", name, info.Size(), maxOutput)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxOutput))
	s := strings.ToValidUTF8(string(text), "\uFFFD")
	return &s, err
}

// endLeftover ends what an earlier hotloom, which was killed, left running of the same command.
func endLeftover(work string) error {
	text, err := os.ReadFile(filepath.Join(work, "process"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	number, _, _ := strings.Cut(string(text), " ")
	pid, err := strconv.Atoi(number)
	if err != nil || pid <= 1 {
		return nil
	}
	// The leader may have ended and left others, whose group has its number still; a number that another process took
	// over has another start time.
	if now := processID(pid); now != string(text) && now != number+" " {
		return nil
	}
	killGroup(pid, false)
	begun := time.Now()
	for hard := false; groupAlive(pid); time.Sleep(20 * time.Millisecond) {
		switch late := time.Since(begun); {
		case late > 2*grace: // what nobody has buried still counts as alive
			return nil
		case late > grace && !hard:
			hard = true
			killGroup(pid, true)
		}
	}
	return nil
}
