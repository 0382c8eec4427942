package main

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// hideMemory keeps this user's other processes, such as the checks that a model runs, from
// reading the process's environment and memory through /proc or a debugger.
func hideMemory() error {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("hide the memory from other processes: %w", err)
	}
	return nil
}
