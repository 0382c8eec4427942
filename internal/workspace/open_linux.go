package workspace

import (
	"errors"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// openDirect opens a file whose path has no symbolic links. It does not wait for the other
// end of a pipe.
func openDirect(path string) (diskFile, error) {
	fd, err := openat2(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC)
	if err != nil {
		return nil, err
	}
	return &descriptor{fd, path}, nil
}

// openNoLinks opens a path that has no symbolic links.
func openNoLinks(path string, flags uint64) (*os.File, error) {
	fd, err := openat2(path, flags)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), path), nil
}

// openat2 opens a path that has no symbolic links. The kernel checks this while it
// opens the path, so that no link can be swapped in meanwhile. Kernels before 5.6 and
// sandboxes that don't allow openat2 don't support it.
func openat2(path string, flags uint64) (fd int, err error) {
	how := unix.OpenHow{Flags: flags, Resolve: unix.RESOLVE_NO_SYMLINKS}
	switch fd, err := again(func() (int, error) { return unix.Openat2(unix.AT_FDCWD, path, &how) }); err {
	case nil:
		return fd, nil
	case unix.ENOSYS, unix.EPERM: // sandboxes return EPERM
		return 0, errors.ErrUnsupported
	default:
		return 0, &os.PathError{Op: "openat2", Path: path, Err: err}
	}
}

// descriptor is a file that is read without the poller of the runtime, of which an [os.File]
// asks with two more system calls whether it can wait for the file.
type descriptor struct {
	fd   int
	path string
}

func (d *descriptor) stat() (stat, error) {
	var st unix.Stat_t
	if _, err := again(func() (int, error) { return 0, unix.Fstat(d.fd, &st) }); err != nil {
		return stat{}, &os.PathError{Op: "fstat", Path: d.path, Err: err}
	}
	return stat{fileMode(st.Mode), st.Size, time.Unix(st.Mtim.Unix())}, nil
}

func (d *descriptor) Read(p []byte) (int, error) {
	return d.result("read", p, func() (int, error) { return unix.Read(d.fd, p) })
}

func (d *descriptor) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) && err == nil {
		var more int
		more, err = d.result("pread", p[n:], func() (int, error) { return unix.Pread(d.fd, p[n:], off+int64(n)) })
		n += more
	}
	return n, err
}

// result makes the result of a Reader from that of a system call that reads into p.
func (d *descriptor) result(op string, p []byte, read func() (int, error)) (int, error) {
	n, err := again(read)
	switch {
	case err != nil:
		return 0, &os.PathError{Op: op, Path: d.path, Err: err}
	case n == 0 && len(p) > 0:
		return 0, io.EOF
	}
	return n, nil
}

func (d *descriptor) Close() error { return unix.Close(d.fd) }

// again repeats a system call that a signal interrupts.
func again(call func() (int, error)) (n int, err error) {
	for {
		if n, err = call(); err != unix.EINTR {
			return n, err
		}
	}
}
