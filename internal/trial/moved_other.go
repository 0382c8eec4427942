//go:build !linux

package trial

import (
	"io/fs"
	"os"
	"time"
)

// Tick returns the time: [ChangedAt] of each change from now on is not before it, and of each one until now is.
func Tick() time.Time { return time.Now() }

func entryChangedAt(_ *os.File, entry fs.DirEntry) (time.Time, error) {
	info, err := entry.Info()
	if err != nil {
		return time.Time{}, err
	}
	return ChangedAt(info), nil
}
