package lsp

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// hasEnded reports whether a process has ended, even if nobody has waited for it yet. An
// error means that it can't be known.
func hasEnded(process *os.Process) bool {
	var ended bool
	err := process.WithHandle(func(handle uintptr) {
		polled := []unix.PollFd{{Fd: int32(handle), Events: unix.POLLIN}}
		n, err := unix.Poll(polled, 0)
		ended = err == nil && n == 1
	})
	if errors.Is(err, os.ErrNoHandle) { // a process that did not exist, or an old system
		return errors.Is(process.Signal(syscall.Signal(0)), os.ErrProcessDone)
	}
	return ended
}
