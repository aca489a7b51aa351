//go:build !unix

package local

import (
	"os"
	"os/exec"
	"strconv"
)

func detach(*exec.Cmd) {}

func killGroup(pid int, _ bool) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
	}
}

func groupAlive(int) bool { return false }

func isTextBusy(error) bool { return false }

func exitCode(s *os.ProcessState) int { return s.ExitCode() }

func processID(pid int) string { return strconv.Itoa(pid) + " " }
