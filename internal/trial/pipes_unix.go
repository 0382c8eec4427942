//go:build unix

package trial

import "golang.org/x/sys/unix"

// withoutWaiting keeps an open from waiting for the other end of a pipe.
const withoutWaiting = unix.O_NONBLOCK
