package sandbox

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The files that a confined command's process gets, in place of bubblewrap's.
const confinementFile = filterFile

// enterConfined waits for the permit, and becomes a command that is confined. It does not return.
func enterConfined() {
	for _, fd := range []int{statusFile, permitFile, confinementFile} {
		unix.CloseOnExec(fd)
	}
	var c confinement
	err := json.NewDecoder(os.NewFile(confinementFile, "confinement")).Decode(&c)
	if err == nil {
		_, err = io.ReadFull(os.NewFile(permitFile, "permit"), make([]byte, 1))
	}
	if err == nil {
		err = c.become()
	}
	report, _ := json.Marshal(map[string]string{"fault": err.Error()})
	_, _ = os.NewFile(statusFile, "reports").Write(append(report, '\n'))
	os.Exit(notFound)
}

// become becomes the command. It returns only if it fails.
func (c *confinement) become() error {
	runtime.LockOSThread() // the restrictions are this thread's
	if err := os.Chdir(c.Dir); err != nil {
		return err
	}
	if err := c.restrict(); err != nil {
		return err
	}
	allowed := families
	if !c.Sockets {
		allowed = nil
	}
	if err := dropCapabilities(); err != nil {
		return fmt.Errorf("capabilities: %w", err)
	}
	if err := install(filter(slices.Concat(refused, shared), allowed, withoutNamespaces()...)); err != nil {
		return fmt.Errorf("the filter of system calls: %w", err)
	}
	program, err := lookUp(c.Args[0], c.Dir)
	if err == nil {
		err = unix.Exec(program, c.Args, os.Environ())
	}
	fmt.Fprintf(os.Stderr, "%s: %v\n", c.Args[0], err)
	os.Exit(notFound)
	return err
}

// dropCapabilities takes the rights of root from this thread, and from what it becomes.
func dropCapabilities() error {
	if os.Geteuid() == 0 {
		for capability := uintptr(0); capability <= unix.CAP_LAST_CAP; capability++ {
			_ = unix.Prctl(unix.PR_CAPBSET_DROP, capability, 0, 0, 0) // an older kernel has fewer
		}
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return err
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	return unix.Capset(&header, &none[0])
}

// install has the kernel filter the system calls of this thread.
func install(filter []unix.SockFilter) error {
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	return unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0)
}

// exitStatus returns the status of a process as a shell would.
func exitStatus(state *os.ProcessState) int {
	status := state.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		return 128 + int(status.Signal())
	}
	return status.ExitStatus()
}
