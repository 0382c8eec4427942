package process

import "golang.org/x/sys/unix"

// limit bounds the data of a process and of those that it starts, and their time on a processor,
// which also ends one that outlives this process. Mapped files don't count. A process that has just
// begun has little yet, and one that has ended needs no bound, so that a failure says nothing.
func (b Bounds) limit(pid int) {
	seconds := uint64(b.Time.Seconds()) + 1
	for resource, most := range map[int]uint64{unix.RLIMIT_DATA: uint64(b.Memory), unix.RLIMIT_CPU: seconds} {
		_ = unix.Prlimit(pid, resource, &unix.Rlimit{Cur: most, Max: most}, nil)
	}
}
