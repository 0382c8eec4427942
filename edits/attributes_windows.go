package edits

import (
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

func extendedOf(*os.File, fs.FileInfo) (Extended, error) { return Extended{}, nil }

func (x *Extended) setExtended(*os.File, fs.FileInfo) error { return nil }

// names returns how many names (hard links) a file has.
func names(f *os.File, _ fs.FileInfo) (int, error) {
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &info); err != nil {
		return 0, fmt.Errorf("count the names of %s: %w", f.Name(), err)
	}
	return int(info.NumberOfLinks), nil
}
