//go:build !windows

package running

import "syscall"

// Shell returns the program that runs a line of a shell.
func Shell(line string) []string { return []string{"sh", "-c", line} }

// fileSizeSignal ends a program that lets a file grow beyond a limit.
const fileSizeSignal = syscall.SIGXFSZ
