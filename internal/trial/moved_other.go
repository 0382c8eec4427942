//go:build !linux

package trial

import (
	"io/fs"
	"time"
)

func ChangedAt(info fs.FileInfo) time.Time { return info.ModTime() }
