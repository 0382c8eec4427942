package trial

import (
	"io/fs"
	"syscall"
	"time"
)

// ChangedAt returns when the system last changed a file or what it keeps of it.
func ChangedAt(info fs.FileInfo) time.Time {
	at := info.Sys().(*syscall.Stat_t).Ctimespec
	return time.Unix(at.Sec, at.Nsec)
}
