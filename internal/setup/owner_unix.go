//go:build unix

package setup

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a file the owner and the group of another one.
func keepOwner(file *os.File, of fs.FileInfo) error {
	have, err := file.Stat()
	if err != nil {
		return err
	}
	is, want := have.Sys().(*syscall.Stat_t), of.Sys().(*syscall.Stat_t)
	if is.Uid == want.Uid && is.Gid == want.Gid {
		return nil
	}
	return file.Chown(int(want.Uid), int(want.Gid))
}
