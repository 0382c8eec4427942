//go:build linux || darwin

package peer

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// maxPath is the length in bytes of the longest path of a socket that all systems take.
const maxPath = 103

// currentUser names the user whom this process runs as.
func currentUser() (string, error) { return strconv.Itoa(os.Geteuid()), nil }

// lastPlace is the place of all folders for disks without sockets, and for users without a home folder.
func lastPlace() string { return filepath.Join("/tmp", "ploke-lsp-"+strconv.Itoa(os.Geteuid())) }

// isPrivate reports whether only the user can enter a folder.
func isPrivate(folder fs.FileInfo) bool { return folder.Mode().Perm() == 0o700 && isOwn(folder) }

// isOwn reports whether a file belongs to the user.
func isOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// isAddress reports whether a file is an address, by its type.
func isAddress(file fs.DirEntry) bool { return file.Type() == fs.ModeSocket }

// listenAt listens on a socket. It has its name only once this process listens on it.
func listenAt(path, _ string) (net.Listener, error) {
	if len(path+newSuffix) > maxPath {
		return nil, fmt.Errorf("the path of the socket %s is too long", path)
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path + newSuffix, Net: "unix"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false)
	if err := os.Rename(path+newSuffix, path); err != nil {
		return nil, errors.Join(err, l.Close(), os.Remove(path+newSuffix))
	}
	return l, nil
}

// dialAt connects to a process. It does not wait: the system answers at once whether one listens. If none does, the
// error is errNobody.
func dialAt(path string) (net.Conn, error) {
	conn, err := net.Dial("unix", path)
	if errors.Is(err, syscall.ECONNREFUSED) {
		err = fmt.Errorf("%w: %w", errNobody, err)
	}
	return conn, err
}

// checkServer returns the id of the process that was dialed. It fails unless that belongs to the user.
func checkServer(conn net.Conn, user string) (pid int, err error) { return checkPeer(conn, user) }

// checkClient fails unless the process that has connected belongs to the user.
func checkClient(conn net.Conn, user string) error {
	_, err := checkPeer(conn, user)
	return err
}

// checkPeer returns the id of the process at the other end. It fails unless that belongs to the user.
func checkPeer(conn net.Conn, user string) (pid int, err error) {
	raw, err := conn.(*net.UnixConn).SyscallConn()
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
	if strconv.Itoa(owner) != user {
		return 0, foreign(strconv.Itoa(owner))
	}
	return pid, nil
}
