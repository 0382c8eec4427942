package workspace

import (
	"os"

	"golang.org/x/sys/unix"
)

// openDirect opens a file with no symbolic link on the way to it. The kernel says so in
// the same breath, so that none can take a folder's place in between. It waits for no
// pipe's other end.
func openDirect(path string) (*os.File, error) {
	how := unix.OpenHow{Flags: unix.O_RDONLY | unix.O_NONBLOCK | unix.O_NOCTTY | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS}
	for {
		fd, err := unix.Openat2(unix.AT_FDCWD, path, &how)
		switch err {
		case nil:
			return os.NewFile(uintptr(fd), path), nil
		case unix.EINTR:
		default:
			return nil, &os.PathError{Op: "openat2", Path: path, Err: err}
		}
	}
}
