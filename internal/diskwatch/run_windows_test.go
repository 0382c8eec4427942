package diskwatch

import (
	"testing"

	"golang.org/x/sys/windows"
)

// keptBySystem returns how many changes the system keeps for a program that does not read them.
func keptBySystem(*testing.T) int { return bufferSize / 16 } // a report has at least 12 bytes and a name of 2

// TestShortNames finds the long name of a file whose change is reported with its short name.
func TestShortNames(t *testing.T) {
	w := watch(t, run)
	w.write("deep/a long name.go")
	long := w.path("deep/a long name.go")
	name, err := windows.UTF16PtrFromString(long)
	check(t, err)
	short := make([]uint16, windows.MAX_LONG_PATH)
	n, err := windows.GetShortPathName(name, &short[0], uint32(len(short)))
	check(t, err)
	path := windows.UTF16ToString(short[:n])
	if path == long || !mayBeShort(path) {
		t.Fatalf("%s counts as a long name", path)
	}
	if got, err := longPath(path); err != nil || got != long {
		t.Errorf("the long name of %s is %s, %v; want %s", path, got, err, long)
	}
	for _, name := range []string{"a.go", "deep\\a.go~", "~a.go", "a long name~1.go"} {
		if mayBeShort(name) {
			t.Errorf("%s counts as a short name", name)
		}
	}
}
