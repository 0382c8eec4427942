//go:build !linux

package trial

import (
	"io"
	"os"
)

func copyBytes(to, from *os.File) error {
	_, err := io.Copy(to, from)
	return err
}
