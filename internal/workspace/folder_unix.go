//go:build unix

package workspace

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// openDir opens a folder. It fails if the folder is a symbolic link and, where the system
// can tell, if any folder above it is one. Unlike os.Open it does not try to register the
// folder for polling.
func openDir(path string) (*os.File, error) {
	const flags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	if f, err := openNoLinks(path, flags); !errors.Is(err, errors.ErrUnsupported) {
		return f, err
	}
	fd, err := unix.Open(path, flags, 0)
	for err == unix.EINTR {
		fd, err = unix.Open(path, flags, 0)
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(fd), path), nil
}

// statIn returns the attributes of an entry of an open folder. It does not follow symbolic
// links. Starting at the folder takes half the time of resolving a long path.
func statIn(dir *os.File, name string) (stat, error) {
	var st unix.Stat_t
	err := unix.Fstatat(int(dir.Fd()), name, &st, unix.AT_SYMLINK_NOFOLLOW)
	for err == unix.EINTR {
		err = unix.Fstatat(int(dir.Fd()), name, &st, unix.AT_SYMLINK_NOFOLLOW)
	}
	if err != nil {
		return stat{}, err
	}
	return stat{fileMode(uint32(st.Mode)), st.Size, time.Unix(st.Mtim.Unix())}, nil
}

// fileMode converts a mode. All types but regular files, folders and symbolic links become
// irregular.
func fileMode(mode uint32) fs.FileMode {
	perm := fs.FileMode(mode).Perm()
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return perm
	case unix.S_IFDIR:
		return perm | fs.ModeDir
	case unix.S_IFLNK:
		return perm | fs.ModeSymlink
	}
	return perm | fs.ModeIrregular
}
