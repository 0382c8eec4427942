package main

import (
	"testing"

	"golang.org/x/sys/windows"
)

// suspend stops all threads of a process.
func suspend(t *testing.T, pid int) {
	t.Helper()
	process, err := windows.OpenProcess(windows.PROCESS_SUSPEND_RESUME, false, uint32(pid))
	check(t, err)
	defer windows.CloseHandle(process)
	if status, _, _ := windows.NewLazySystemDLL("ntdll.dll").NewProc("NtSuspendProcess").Call(uintptr(process)); status != 0 {
		t.Fatalf("the process is not suspended: status %x", status)
	}
}
