//go:build !linux

package workspace

import (
	"errors"
	"os"
)

// openDirect is implemented on systems that check for symbolic links while they open a
// path.
func openDirect(string) (diskFile, error) { return nil, errors.ErrUnsupported }

// openNoLinks is like openDirect, with flags.
func openNoLinks(string, uint64) (*os.File, error) { return nil, errors.ErrUnsupported }
