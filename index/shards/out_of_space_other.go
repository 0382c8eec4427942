//go:build !windows

package shards

import (
	"errors"
	"syscall"
)

// outOfSpace reports whether the disk is full, or a quota or a limit on file sizes is
// reached.
func outOfSpace(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
