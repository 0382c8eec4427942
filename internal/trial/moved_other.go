//go:build !linux

package trial

import (
	"io/fs"
	"time"
)

func changedAt(info fs.FileInfo) time.Time { return info.ModTime() }
