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

// coarse returns the time that a change gets now, if not a later one. It goes on in ticks of at most 10 ms.
func coarse() time.Time {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_REALTIME_COARSE, &now); err != nil {
		panic(err) // every Linux has it
	}
	return time.Unix(now.Unix())
}

// Tick waits until the clock by which the system notes changes has gone on, and returns its time: [ChangedAt] of each
// change from now on is not before it, and of each one until now is.
func Tick() time.Time {
	// Some changes get a finer time, of a clock that is up to two ticks ahead.
	for began := time.Now(); ; time.Sleep(time.Millisecond / 4) {
		if now := coarse(); now.After(began) || time.Since(began) > maxTick { // the clock may be set back meanwhile
			return now
		}
	}
}

// maxTick is longer than two ticks.
const maxTick = 50 * time.Millisecond

// entryChangedAt is ChangedAt for a file in an open folder.
func entryChangedAt(folder *os.File, entry fs.DirEntry) (time.Time, error) {
	var stat unix.Stat_t
	err := unix.Fstatat(int(folder.Fd()), entry.Name(), &stat, unix.AT_SYMLINK_NOFOLLOW)
	return time.Unix(stat.Ctim.Sec, stat.Ctim.Nsec), err
}
