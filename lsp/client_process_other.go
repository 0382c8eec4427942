//go:build !linux && !windows

package lsp

import (
	"errors"
	"os"
	"syscall"
)

// hasEnded reports whether a process has ended.
func hasEnded(process *os.Process) bool {
	return errors.Is(process.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
