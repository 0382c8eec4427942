package twin

import "golang.org/x/sys/unix"

// peerOf returns the user id of the process at the other end, as it was when that connected or
// began to listen.
func peerOf(fd int) (uid int, err error) {
	peer, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return 0, err
	}
	return int(peer.Uid), nil
}
