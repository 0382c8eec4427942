//go:build !windows

package main

import "os"

// terminalInput is the name of the terminal of a process, to read from.
const terminalInput = "/dev/tty"

// prepareConsole does nothing: terminals understand the sequence that erases a line.
func prepareConsole(*os.File) {}
