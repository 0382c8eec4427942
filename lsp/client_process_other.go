//go:build !linux

package lsp

import (
	"errors"
	"os"
	"syscall"
)

// hasEnded reports whether a process has ended. An error means that it can't be known.
func hasEnded(process *os.Process) bool {
	return errors.Is(process.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
