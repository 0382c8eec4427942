//go:build !linux

package workspace

import (
	"errors"
	"os"
)

// openDirect is for systems that open a file and see in one call that no symbolic link
// is on the way to it.
func openDirect(string) (*os.File, error) { return nil, errors.ErrUnsupported }

// openNoLinks is openDirect for anything, with flags of its own.
func openNoLinks(string, uint64) (*os.File, error) { return nil, errors.ErrUnsupported }
