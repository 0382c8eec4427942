package lease

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"syscall"
)

// startOf returns when the process began, in clock ticks since the system started, and whether
// it lives. A process that has ended and that its parent has not waited for yet is dead.
func startOf(pid int) (started string, lives bool) {
	id := strconv.Itoa(pid)
	// This is the process's first thread. The file of the process itself says the same, but
	// qemu makes it up for a process that reads its own, with another time.
	stat, err := os.ReadFile("/proc/" + id + "/task/" + id + "/stat")
	if err != nil { // mounted with hidepid=2, /proc hides programs like this one from each other
		return "", !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
	}
	// The second field is the program's name in parentheses. It may hold spaces and parentheses.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	const state, start = 3 - 3, 22 - 3 // the fields' numbers in proc(5), less those before
	if len(fields) <= start {
		return "", true
	}
	return string(fields[start]), !bytes.Contains([]byte("ZXx"), fields[state])
}

// firstNamespace is the namespace in which all processes are that are in no container.
const firstNamespace = "pid:[4026531836]" // PROC_PID_INIT_INO of linux/proc_ns.h

// namespace returns what the namespace of this process's id adds to the name of the host, "" if it
// is the first one, or not known.
func namespace() string {
	name, err := os.Readlink("/proc/self/ns/pid")
	if err != nil || name == firstNamespace {
		return ""
	}
	return " " + name
}
