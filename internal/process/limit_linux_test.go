package process

import (
	"errors"
	"io"
	"os/exec"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestAProgramIsLimited asks the system for the limits of a program that runs within bounds.
func TestAProgramIsLimited(t *testing.T) {
	cmd, enough := exec.Command("sleep", "1000"), errors.New("enough")
	err := Bounds{Time: 7 * time.Second, Output: 1, Memory: 123 << 20}.Stream(t.Context(), cmd, func(io.Reader) error {
		for resource, want := range map[int]uint64{unix.RLIMIT_DATA: 123 << 20, unix.RLIMIT_CPU: 8} {
			var limit unix.Rlimit
			if err := unix.Prlimit(cmd.Process.Pid, resource, nil, &limit); err != nil || limit.Cur != want || limit.Max != want {
				t.Errorf("resource %d: %+v, %v; want %d", resource, limit, err, want)
			}
		}
		return enough
	})
	if !errors.Is(err, enough) {
		t.Error(err)
	}
}
