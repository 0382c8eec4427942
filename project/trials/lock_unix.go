//go:build unix

package trials

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// newLock makes a file, and locks it until it is closed, or the process ends.
func newLock(file string) (io.Closer, error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// isLocked reports whether a process, this one or another, has locked a file.
func isLocked(file string) bool {
	lock, err := newLock(file)
	if err == nil {
		lock.Close()
	}
	return errors.Is(err, unix.EWOULDBLOCK)
}
