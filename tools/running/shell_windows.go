package running

import "syscall"

// Shell returns the program that runs a line of a shell.
func Shell(line string) []string { return []string{"cmd", "/d", "/s", "/c", line} }

// fileSizeSignal is none of the system's.
const fileSizeSignal = syscall.Signal(0)
