//go:build unix

package main

import (
	"os"
	"syscall"
	"time"
)

// peakOf returns the largest resident set of a finished process and its children, in bytes.
func peakOf(state *os.ProcessState) (int64, error) {
	return state.SysUsage().(*syscall.Rusage).Maxrss << 10, nil
}

// ownCPUTime returns the user and system time that this process has used so far.
func ownCPUTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // the arguments are constant
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
