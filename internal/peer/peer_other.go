//go:build !linux && !darwin

package peer

import (
	"io/fs"
)

func supported() error { return ErrUnsupported }

// userState is never used here.
const userState = ""

// peerOf is never called here.
func peerOf(int) (uid, pid int, err error) { return 0, 0, ErrUnsupported }

// isOwn is never called here.
func isOwn(fs.FileInfo) bool { return false }
