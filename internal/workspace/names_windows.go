package workspace

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// outerNames are the rules for names outside of the roots.
var outerNames = NameRules{Folds: true, Windows: true}

// systemRules returns the rules that the system has for a folder, and whether they are
// certain. A folder can be made to mind the case, as the Windows Subsystem for Linux does.
func systemRules(dir string) (rules NameRules, certain bool) {
	return NameRules{Folds: !mindsCase(dir), Windows: true}, true
}

// mindsCase reports whether a folder has the flag FILE_CS_FLAG_CASE_SENSITIVE_DIR.
func mindsCase(dir string) bool {
	name, err := windows.UTF16PtrFromString(longPath(dir))
	if err != nil {
		return false
	}
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	h, err := windows.CreateFile(name, windows.FILE_READ_ATTRIBUTES, share, nil, windows.OPEN_EXISTING,
		windows.FILE_FLAG_BACKUP_SEMANTICS, 0)
	if err != nil {
		return false
	}
	defer windows.CloseHandle(h)
	var flags uint32
	err = windows.GetFileInformationByHandleEx(h, windows.FileCaseSensitiveInfo, (*byte)(unsafe.Pointer(&flags)),
		uint32(unsafe.Sizeof(flags)))
	return err == nil && flags&1 != 0
}
