package trial

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// copyBytes makes to share the blocks of from, or copies them where the disk can't.
func copyBytes(to, from *os.File) error {
	if unix.IoctlFileClone(int(to.Fd()), int(from.Fd())) == nil {
		return nil
	}
	_, err := io.Copy(to, from)
	return err
}
