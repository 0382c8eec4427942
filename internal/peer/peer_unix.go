//go:build linux || darwin

package peer

import (
	"io/fs"
	"os"
	"syscall"
)

func supported() error { return nil }

// isOwn reports whether a file belongs to the user.
func isOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
