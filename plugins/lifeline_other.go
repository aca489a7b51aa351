//go:build !unix

package plugins

func closeOnExec(int) {}
