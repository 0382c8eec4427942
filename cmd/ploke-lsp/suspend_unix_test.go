//go:build linux || darwin

package main

import (
	"syscall"
	"testing"
)

// suspend stops a child process, and returns once it has stopped.
func suspend(t *testing.T, pid int) {
	t.Helper()
	check(t, syscall.Kill(pid, syscall.SIGSTOP))
	var status syscall.WaitStatus
	_, err := syscall.Wait4(pid, &status, syscall.WUNTRACED, nil)
	check(t, err)
}
