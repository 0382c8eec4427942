package lease

import (
	"errors"
	"strconv"

	"golang.org/x/sys/windows"
)

// startOf returns when the process began, in nanoseconds of Unix time, and whether it lives.
func startOf(pid int) (started string, lives bool) {
	p, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION|windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return "", !errors.Is(err, windows.ERROR_INVALID_PARAMETER) // else there is no such process
	}
	defer windows.CloseHandle(p)
	if event, err := windows.WaitForSingleObject(p, 0); err == nil && event == windows.WAIT_OBJECT_0 {
		return "", false // it has ended, and a process still holds a handle
	}
	var created, exited, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(p, &created, &exited, &kernel, &user); err != nil {
		return "", true
	}
	return strconv.FormatInt(created.Nanoseconds(), 10), true
}
