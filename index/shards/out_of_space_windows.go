package shards

import (
	"errors"

	"golang.org/x/sys/windows"
)

// outOfSpace reports whether the disk is full, or a quota is reached.
func outOfSpace(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL) ||
		errors.Is(err, windows.ERROR_DISK_QUOTA_EXCEEDED)
}
