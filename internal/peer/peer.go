package peer

import (
	"errors"
	"fmt"
)

// errNobody says that no process listens at an address any more.
var errNobody = errors.New("no process listens there any more")

// errBusy says that a process listens at an address, and does not let others in right now.
var errBusy = errors.New("the process does not let others in")

// errForeign says that the process at the other end is not the user's.
var errForeign = errors.New("the process at the other end belongs to another user")

// foreign is errForeign about a user.
func foreign(owner string) error { return fmt.Errorf("%w: %s", errForeign, owner) }

// A Peer is another process that has the folder open.
type Peer struct {
	PID     int    // 0 if this process does not see it, such as one outside of its container
	Program string // the version of its program
	State   string // names its state folder; see [StateID]. "" of older programs
}
