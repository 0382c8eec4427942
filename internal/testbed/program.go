package testbed

import (
	"io"
	"os"
	"syscall"
	"testing"
)

// WriteProgram writes a program that can run at once, which its owner may change. The file is new.
//
// A process that is started meanwhile has a copy of the open file until it runs its own program, and Linux runs no file
// that is open for writing ("text file busy", golang/go#22315). So none is started.
func WriteProgram(t testing.TB, path string, program io.Reader) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	to, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = io.Copy(to, program); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o755); err != nil { // whatever the umask is
		t.Fatal(err)
	}
}
