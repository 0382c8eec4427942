//go:build !windows

package tools

import "syscall"

// shellLine returns the program that runs a line of a shell.
func shellLine(line string) []string { return []string{"sh", "-c", line} }

// fileSizeSignal ends a program that lets a file grow beyond a limit.
const fileSizeSignal = syscall.SIGXFSZ
