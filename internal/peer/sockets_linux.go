package peer

import "golang.org/x/sys/unix"

// userState is where the state folder is in a home folder if no variable names another.
const userState = ".local/state/ploke-lsp"

// peerOf returns the user and the id of the process at the other end, as they were when that connected or
// began to listen.
func peerOf(fd int) (uid, pid int, err error) {
	peer, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0, 0, err
	}
	return int(peer.Uid), int(peer.Pid), nil
}
