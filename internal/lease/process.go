package lease

// Process is a process of this host.
type Process struct {
	pid     int
	started string // when it began, in the terms of its system; "" if unknown
}

// Find returns the process that has an id now, and whether it lives.
func Find(pid int) (p Process, lives bool) {
	if pid <= 0 {
		return Process{}, false
	}
	started, lives := startOf(pid)
	return Process{pid, started}, lives
}

// Lives reports whether the process has not ended. A process that has ended is dead even if its
// parent has not waited for it yet. Where the system says when a process began, a later process
// with the same id is not mistaken for it.
func (p Process) Lives() bool {
	now, lives := Find(p.pid)
	return lives && (p.started == "" || now.started == "" || now.started == p.started)
}
