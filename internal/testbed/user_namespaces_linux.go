package testbed

import (
	"os/exec"
	"syscall"
	"testing"
)

// UserNamespaces skips the test if this system lets nobody make a user namespace: nothing that can be installed
// changes that.
func UserNamespaces(t testing.TB) {
	t.Helper()
	cmd := exec.Command("true")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS}
	if err := cmd.Run(); err != nil {
		t.Skipf("this system lets nobody make a user namespace: %v", err)
	}
}
