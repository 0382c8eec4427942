package peer

import "golang.org/x/sys/unix"

// userState is where the state folder is in a home folder if no variable names another.
const userState = "Library/Application Support/ploke-lsp"

// peerOf returns the user and the id of the process at the other end, as they were when that connected or
// began to listen.
func peerOf(fd int) (uid, pid int, err error) {
	peer, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return 0, 0, err
	}
	pid, err = unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID)
	return int(peer.Uid), pid, err
}
