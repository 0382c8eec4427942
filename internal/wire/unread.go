package wire

// endBytes is how much of each end of an unread message is kept.
const endBytes = 4 << 10

// Unread is a message that was not read: its body was over the limit, not valid JSON, or
// of another length than its header says. As an error it stands for a body that was
// passed over, whose reason the client was told before.
type Unread struct {
	Head, Tail []byte // the first and the last 4 KiB of the body; they may overlap
	Reason     string
	TooLong    bool // the body is over the limit of one message
}

func (u *Unread) Error() string { return u.Reason }

// newUnread returns a body as an unread message. It copies both ends.
func newUnread(body []byte, reason string) *Unread {
	u := &Unread{Reason: reason}
	u.add(body)
	return u
}

// add appends bytes to the body.
func (u *Unread) add(p []byte) {
	u.Head = append(u.Head, p[:min(len(p), endBytes-len(u.Head))]...)
	u.Tail = append(u.Tail, p[max(0, len(p)-endBytes):]...)
	u.Tail = append(u.Tail[:0], u.Tail[max(0, len(u.Tail)-endBytes):]...)
}
