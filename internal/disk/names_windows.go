package disk

import (
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// Names returns how many names (hard links) an open file has.
func Names(f *os.File, _ fs.FileInfo) (int, error) {
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &info); err != nil {
		return 0, fmt.Errorf("count the names of %s: %w", f.Name(), err)
	}
	return int(info.NumberOfLinks), nil
}
