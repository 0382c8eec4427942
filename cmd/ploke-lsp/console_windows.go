package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// terminalInput is the name of the console of a process, to read from.
const terminalInput = "CONIN$"

// prepareConsole makes the console understand the sequence that erases a line. Where the stream is
// no console, there is nothing to do.
func prepareConsole(stream *os.File) {
	handle := windows.Handle(stream.Fd())
	var mode uint32
	if windows.GetConsoleMode(handle, &mode) == nil {
		windows.SetConsoleMode(handle, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING)
	}
}
