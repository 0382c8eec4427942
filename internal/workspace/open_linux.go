package workspace

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// openDirect opens a file whose path has no symbolic links. It does not wait for the other
// end of a pipe.
func openDirect(path string) (*os.File, error) {
	return openNoLinks(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC)
}

// openNoLinks opens a path that has no symbolic links. The kernel checks this while it
// opens the path, so that no link can be swapped in meanwhile. Kernels before 5.6 and
// sandboxes that don't allow openat2 don't support it.
func openNoLinks(path string, flags uint64) (*os.File, error) {
	how := unix.OpenHow{Flags: flags, Resolve: unix.RESOLVE_NO_SYMLINKS}
	for {
		fd, err := unix.Openat2(unix.AT_FDCWD, path, &how)
		switch err {
		case nil:
			return os.NewFile(uintptr(fd), path), nil
		case unix.EINTR:
		case unix.ENOSYS, unix.EPERM: // sandboxes return EPERM
			return nil, errors.ErrUnsupported
		default:
			return nil, &os.PathError{Op: "openat2", Path: path, Err: err}
		}
	}
}
