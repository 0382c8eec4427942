package lease

import (
	"fmt"

	"golang.org/x/sys/unix"
)

const zombie = 5 // SZOMB of sys/proc.h

// startOf returns when the process began, in seconds and microseconds of Unix time, and whether
// it lives. A process that has ended and that its parent has not waited for yet is dead.
func startOf(pid int) (started string, lives bool) {
	p, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(p.Proc.P_pid) != pid {
		return "", false
	}
	at := p.Proc.P_starttime
	return fmt.Sprintf("%d.%06d", at.Sec, at.Usec), p.Proc.P_stat != zombie
}
