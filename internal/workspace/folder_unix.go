//go:build unix

package workspace

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// openDir opens a folder, unless a link has taken its place; where the system can say
// so, nor if one has taken that of a folder around it. Unlike os.Open it does not ask
// whether the folder could be waited for.
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

// statIn looks at an entry of a folder that is open, a symbolic link itself. It goes
// from there: the way down a long path each time costs as much again.
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

// fileMode tells regular files, folders and links apart; all others are irregular.
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
