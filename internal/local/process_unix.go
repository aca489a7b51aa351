//go:build unix

package local

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// killGroup tells a process group to end, or makes it.
func killGroup(pid int, hard bool) {
	sig := syscall.SIGTERM
	if hard {
		sig = syscall.SIGKILL
	}
	_ = syscall.Kill(-pid, sig) // it may have ended
}

func groupAlive(pid int) bool { return syscall.Kill(-pid, 0) == nil }

func isTextBusy(err error) bool { return errors.Is(err, syscall.ETXTBSY) }

// exitCode is the code of a process, or 128 and the number of the signal that ended it.
func exitCode(s *os.ProcessState) int {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return s.ExitCode()
}

// processID is a process's number and, where the system tells it, when it started: the number alone may be used again.
func processID(pid int) string {
	id := strconv.Itoa(pid)
	text, err := os.ReadFile("/proc/" + id + "/stat")
	if err != nil {
		return id + " "
	}
	// What stands behind the name, which may hold anything, are fields 3 and on; the start is field 22.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 20 {
		return id + " "
	}
	return id + " " + fields[19]
}
