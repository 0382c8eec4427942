package lease

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"ploke-lsp/internal/testbed"
)

// TestProcessesOfAContainerAreOnAnotherHost starts a process whose id is counted in a namespace of its own. Its id says
// nothing here, so that it is not dead although no process has it.
func TestProcessesOfAContainerAreOnAnotherHost(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "PLOKE_LEASE_TEST=host")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID}
	out, err := cmd.Output()
	testbed.Need(t, "the right to make a namespace of processes", err)
	host := strings.TrimSpace(string(out))
	if host == Host() || !strings.HasPrefix(host, Host()+" pid:[") {
		t.Errorf("its host is %q, and that of this process %q", host, Host())
	}
	owner := &Owner{ID: "theirs", Host: host, PID: 1 << 22, Started: "1", Until: Until(time.Hour)}
	if owner.Dead("mine", time.Now()) {
		t.Error("it counts as dead")
	}
}
