package workspace

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// WindowsNameError is the error for a name that Windows gives another meaning than that of a
// file with this name.
type WindowsNameError struct {
	Path   string // as the caller named it
	Name   string // the part that is refused
	Reason string
}

func (e *WindowsNameError) Error() string {
	return fmt.Sprintf("%q can't be used on Windows: %s; use another name than %q", e.Path, e.Reason, e.Name)
}

// checkWindowsName refuses a relative path with a part that Windows does not take for the name
// of a file. The rules are those of Microsoft's "Naming Files, Paths, and Namespaces".
func checkWindowsName(given, rel string) error {
	for _, name := range strings.FieldsFunc(rel, func(c rune) bool { return c == '/' || c == '\\' }) {
		if reason := windowsReason(name); reason != "" {
			return &WindowsNameError{given, name, reason}
		}
	}
	return nil
}

// windowsReason says why Windows does not take a name for that of a file; "" if it does.
func windowsReason(name string) string {
	if at := strings.IndexFunc(name, func(c rune) bool { return c < ' ' }); at >= 0 {
		return fmt.Sprintf("it contains the control character %U", name[at])
	}
	if strings.Contains(name, ":") {
		return "what follows a colon names another stream of the file"
	}
	if at := strings.IndexAny(name, `<>"|?*`); at >= 0 {
		return fmt.Sprintf("no name may contain %c", name[at])
	}
	if name != "." && name != ".." && strings.HasSuffix(name, ".") {
		return "Windows drops the dot at its end"
	}
	if strings.HasSuffix(name, " ") {
		return "Windows drops the space at its end"
	}
	if len(name) > 255 && len(utf16.Encode([]rune(name))) > 255 {
		return "it is longer than 255 characters"
	}
	if isDevice(name) {
		return "it stands for a device"
	}
	return ""
}

// isDevice reports whether a name stands for a device, with or without an extension.
func isDevice(name string) bool {
	base, _, _ := strings.Cut(name, ".")
	switch base = strings.ToUpper(strings.TrimRight(base, " ")); base {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	for _, port := range []string{"COM", "LPT"} {
		if number, ok := strings.CutPrefix(base, port); ok && utf8.RuneCountInString(number) == 1 &&
			strings.Contains("0123456789¹²³", number) {
			return true
		}
	}
	return false
}

// plainWindowsPath returns an absolute path in the usual form: without a prefix that only says
// how long it may be, and with the letter of the drive in upper case. It fails for what is not
// below a drive or a share.
func plainWindowsPath(path string) (string, error) {
	if rest, ok := strings.CutPrefix(path, `\\?\`); ok {
		path = rest
		if len(rest) >= 4 && strings.EqualFold(rest[:4], `UNC\`) {
			path = `\\` + rest[4:]
		}
		if !strings.HasPrefix(path, `\\`) && !hasDrive(path) {
			return "", fmt.Errorf(`\\?\%s is neither on a drive nor on a share; name a file such as C:\folder\file`, rest)
		}
	}
	if strings.HasPrefix(path, `\\.\`) || strings.HasPrefix(path, `\??\`) {
		return "", fmt.Errorf(`%s names a device; name a file such as C:\folder\file`, path)
	}
	if hasDrive(path) {
		path = strings.ToUpper(path[:1]) + path[1:]
	}
	return path, nil
}

// hasDrive reports whether a path begins with the letter of a drive.
func hasDrive(path string) bool {
	return len(path) >= 3 && path[1] == ':' && (path[2] == '\\' || path[2] == '/') &&
		('a' <= path[0]|0x20 && path[0]|0x20 <= 'z')
}
