//go:build !linux && !darwin && !windows

package lease

import (
	"errors"
	"os"
	"syscall"
)

// startOf reports whether the process lives. This system does not tell when it began.
func startOf(pid int) (started string, lives bool) {
	p, err := os.FindProcess(pid)
	if err != nil {
		return "", false
	}
	defer p.Release()
	return "", !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
