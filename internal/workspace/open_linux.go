package workspace

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// openDirect opens a file with no symbolic link on the way to it. It waits for no pipe's
// other end.
func openDirect(path string) (*os.File, error) {
	return openNoLinks(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC)
}

// openNoLinks opens what no symbolic link is on the way to. The kernel says so in the
// same breath, so that none can take a folder's place in between. Kernels before 5.6,
// and sandboxes that know no newer one, don't support it.
func openNoLinks(path string, flags uint64) (*os.File, error) {
	how := unix.OpenHow{Flags: flags, Resolve: unix.RESOLVE_NO_SYMLINKS}
	for {
		fd, err := unix.Openat2(unix.AT_FDCWD, path, &how)
		switch err {
		case nil:
			return os.NewFile(uintptr(fd), path), nil
		case unix.EINTR:
		case unix.ENOSYS, unix.EPERM: // the latter from sandboxes
			return nil, errors.ErrUnsupported
		default:
			return nil, &os.PathError{Op: "openat2", Path: path, Err: err}
		}
	}
}
