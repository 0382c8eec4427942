package trial

import (
	"io/fs"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// ChangedAt returns when the system last changed a file or what it keeps of it.
func ChangedAt(info fs.FileInfo) time.Time {
	at := info.Sys().(*syscall.Stat_t).Ctim
	return time.Unix(at.Sec, at.Nsec)
}

// entryChangedAt is ChangedAt for a file in an open folder.
func entryChangedAt(folder *os.File, entry fs.DirEntry) (time.Time, error) {
	var stat unix.Stat_t
	err := unix.Fstatat(int(folder.Fd()), entry.Name(), &stat, unix.AT_SYMLINK_NOFOLLOW)
	return time.Unix(stat.Ctim.Sec, stat.Ctim.Nsec), err
}
