package project

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"ploke-lsp/internal/disk"
)

// WholeDiskError is the error for a folder that is not a project, since all of a person's files, or of a disk, would
// be indexed.
type WholeDiskError struct{ Path string }

func (e *WholeDiskError) Error() string {
	return fmt.Sprintf("%s is not a project, and all of it would be indexed", e.Path)
}

// CheckFolder returns a [*WholeDiskError] for a folder that is a home folder, or the root of a disk, under whatever
// name: a link, a mount, or a path through /proc. home is the home folder that the environment names, "" if it names
// none; those of the account database count too.
func CheckFolder(dir, home string) error {
	clean := filepath.Clean(dir) // as it is opened: x/.. need not exist
	info, err := os.Stat(clean)
	if err != nil {
		return nil // opening it says why it can't be
	}
	wholes := append(disk.AccountHomes(), home, rootOf(clean))
	if real, err := filepath.EvalSymlinks(clean); err == nil {
		wholes = append(wholes, rootOf(real))
	}
	for _, whole := range wholes {
		if other, err := os.Stat(whole); err == nil && os.SameFile(info, other) {
			return &WholeDiskError{dir}
		}
	}
	return nil
}

// rootOf returns the root of the disk that an absolute path is on.
func rootOf(path string) string { return filepath.VolumeName(path) + string(filepath.Separator) }

// homeFolder returns the person's home folder as the environment names it, "" if it does not.
func homeFolder(getenv func(string) string) string {
	name := "HOME"
	if runtime.GOOS == "windows" {
		name = "USERPROFILE"
	}
	if getenv == nil {
		return ""
	}
	return getenv(name)
}

// open opens a folder unless it is the whole of a disk.
func (f *Folders) open(root string) error {
	if err := CheckFolder(root, homeFolder(f.getenv)); err != nil {
		return err
	}
	return f.ws.AddRoot(root)
}
