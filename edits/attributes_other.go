//go:build !linux && !darwin

package edits

import (
	"io/fs"
	"os"
)

func extendedOf(*os.File, fs.FileInfo) (Extended, error) { return Extended{}, nil }

func (x *Extended) setExtended(*os.File, fs.FileInfo) error { return nil }

// names returns 1: the system can't tell how many names (hard links) a file has.
func names(fs.FileInfo) int { return 1 }
