// Package lease says which process does a piece of work that a database records, and whether
// that process still lives.
//
// Its promises:
//   - On one host, a process that lives keeps its work, however long it sleeps. A process that
//     has ended loses its work at once, even if another process has got its id since.
//   - The processes of another host, or of another container, can't be seen. There the time in the lease decides.
//
// A lease does not stop an owner that another process takes for dead. The owner's updates have
// to check in the same transaction that the work is still its own.
package lease

import (
	"os"
	"time"
)

// Owner is the owner of a piece of work.
type Owner struct {
	ID      string `json:"id"` // of the part of the program that does the work; new at each start
	Host    string `json:"host"`
	PID     int    `json:"pid"`
	Started string `json:"started,omitempty"` // when the process began, in the terms of its system; "" if unknown
	Until   int64  `json:"until"`             // Unix milliseconds; the end of the lease for other hosts
}

// New returns this process as an owner whose lease ends after d.
func New(id string, d time.Duration) Owner {
	started, _ := startOf(os.Getpid())
	return Owner{ID: id, Host: Host(), PID: os.Getpid(), Started: started, Until: Until(d)}
}

// Until returns the end of a lease that begins now and lasts for d, in Unix milliseconds.
func Until(d time.Duration) int64 { return time.Now().Add(d).UnixMilli() }

// Host returns the name of this host and, if processes are numbered in a namespace of their own as in containers, the
// name of that. Only processes with the same one see each other.
func Host() string {
	host, _ := os.Hostname() // "" compares as well as a name
	return host + namespace()
}

// Dead reports whether the owner can no longer be working at the time now. The owner nil is
// dead. self is the caller's own ID. A process has only one caller for a piece of work, so an
// owner with this process's id and another ID is an earlier one.
func (o *Owner) Dead(self string, now time.Time) bool {
	if o == nil {
		return true
	}
	expired := o.Until < now.UnixMilli()
	switch {
	case o.ID == self:
		return false
	case o.Host != Host():
		return expired
	case o.PID == os.Getpid():
		return true
	}
	started, lives := startOf(o.PID)
	if started == "" || o.Started == "" {
		return !lives || expired // another process may have got the id
	}
	return !lives || started != o.Started
}
