//go:build !linux

package trial

import (
	"io/fs"
	"os"
	"time"
)

// ChangedAt returns the time of modification of a file.
func ChangedAt(info fs.FileInfo) time.Time { return info.ModTime() }

func entryChangedAt(_ *os.File, entry fs.DirEntry) (time.Time, error) {
	info, err := entry.Info()
	if err != nil {
		return time.Time{}, err
	}
	return ChangedAt(info), nil
}
