package disk

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"golang.org/x/sys/windows"
)

// busyCodes are what Windows says of a file that another program has open or has mapped. Access
// is also denied for good, such as to a write-protected file.
var busyCodes = []syscall.Errno{
	windows.ERROR_SHARING_VIOLATION, windows.ERROR_LOCK_VIOLATION, windows.ERROR_USER_MAPPED_FILE,
	windows.ERROR_ACCESS_DENIED,
}

func busy(err error) bool {
	var code syscall.Errno
	return errors.As(err, &code) && slices.Contains(busyCodes, code)
}

// Open is [os.OpenFile] for a file that other processes may replace or remove meanwhile, as
// [Rename] does. os.OpenFile forbids that, and [os.Root] does not.
func Open(path string, flag int, mode os.FileMode) (*os.File, error) {
	folder, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	return folder.OpenFile(filepath.Base(path), flag, mode)
}

// rename also replaces a file that is open by [Open], if the file system allows it.
func rename(from, to string) error {
	folder, err := os.OpenRoot(filepath.Dir(to))
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Rename(filepath.Base(from), filepath.Base(to))
}

// SyncWritten makes the bytes of a file last that is open for writing. Windows syncs a file
// through no other handle, so [SyncFile] does nothing.
func SyncWritten(f *os.File) error { return f.Sync() }

// SyncFile does nothing: [SyncWritten] has synced the file.
func SyncFile(*os.File) error { return nil }

// SyncFolder does nothing: Windows keeps a log of the names in its folders, and gives no program
// else a means to sync them.
func SyncFolder(string) error { return nil }
