//go:build !windows

package main

import "os"

// prepareConsole does nothing: terminals understand the sequence that erases a line.
func prepareConsole(*os.File) {}
