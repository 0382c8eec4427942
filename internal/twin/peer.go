package twin

import (
	"errors"
	"fmt"
	"net"
)

// errForeign says that the process at the other end is not the user's.
var errForeign = errors.New("the process at the other end belongs to another user")

// checkPeer fails unless the process at the other end belongs to the user.
func checkPeer(conn *net.UnixConn, uid int) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	var peer int
	var failure error
	if err := raw.Control(func(fd uintptr) { peer, failure = peerOf(int(fd)) }); err != nil {
		return err
	}
	if failure != nil {
		return fmt.Errorf("asking whose process is at the other end: %w", failure)
	}
	if peer != uid {
		return fmt.Errorf("%w: %d", errForeign, peer)
	}
	return nil
}
