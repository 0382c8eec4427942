//go:build unix

package testbed

import (
	"os/signal"
	"syscall"
)

// NamedPipe makes a named pipe in a folder.
func NamedPipe(path string) error { return syscall.Mkfifo(path, 0o600) }

// LimitFiles lets this process write no file longer than a number of bytes, until lift is called.
// That is the closest to a full disk that needs no privileges.
func LimitFiles(bytes uint64) (lift func() error, err error) {
	signal.Ignore(syscall.SIGXFSZ)
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return nil, err
	}
	lift = func() error { return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit) }
	return lift, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: bytes, Max: limit.Max})
}
