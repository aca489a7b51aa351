//go:build unix

package plugins

import "syscall"

func closeOnExec(fd int) { syscall.CloseOnExec(fd) }
