//go:build !unix

package postings

import (
	"io"
	"os"
)

// mapFile reads a whole file; an open mapping would keep the file from being removed.
func mapFile(f *os.File) (data []byte, release func() error, err error) {
	data, err = io.ReadAll(f)
	return data, func() error { return nil }, err
}
