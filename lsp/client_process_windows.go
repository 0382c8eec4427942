package lsp

import (
	"os"

	"golang.org/x/sys/windows"
)

// hasEnded reports whether a process has ended, even if somebody still holds a handle of it.
func hasEnded(process *os.Process) (ended bool) {
	err := process.WithHandle(func(handle uintptr) {
		event, err := windows.WaitForSingleObject(windows.Handle(handle), 0)
		ended = err == nil && event == windows.WAIT_OBJECT_0
	})
	return err != nil || ended
}
