package peer

import "golang.org/x/sys/unix"

// peerOf returns the user and the id of the process at the other end, as they were when that connected or
// began to listen.
func peerOf(fd int) (uid, pid int, err error) {
	peer, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0, 0, err
	}
	return int(peer.Uid), int(peer.Pid), nil
}
