package peer

import (
	"errors"
	"fmt"
	"net"
)

// errForeign says that the process at the other end is not the user's.
var errForeign = errors.New("the process at the other end belongs to another user")

// A Peer is another process that has the folder open.
type Peer struct {
	PID     int    // 0 if this process does not see it, such as one outside of its container
	Program string // the version of its program
	State   string // names its state folder; see [StateID]. "" of older programs
}

// checkPeer returns the id of the process at the other end. It fails unless that belongs to the user.
func checkPeer(conn *net.UnixConn, uid int) (pid int, err error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, err
	}
	var owner int
	var failure error
	if err := raw.Control(func(fd uintptr) { owner, pid, failure = peerOf(int(fd)) }); err != nil {
		return 0, err
	}
	if failure != nil {
		return 0, fmt.Errorf("asking whose process is at the other end: %w", failure)
	}
	if owner != uid {
		return 0, fmt.Errorf("%w: %d", errForeign, owner)
	}
	return pid, nil
}
