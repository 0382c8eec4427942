package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// maxMessage is how many bytes of what a program writes to its standard error are kept.
const maxMessage = 4 << 10

// waitDelay is how long a process that has left the group may keep an output open.
const waitDelay = time.Second

// Bounds bound what a program may take. All are required.
type Bounds struct {
	Time   time.Duration // then all of its processes are killed
	Output int64         // bytes of its standard output; of more, all of its processes are killed
	Memory int64         // bytes of data of each of its processes; only Linux holds to it
}

// A LimitError says which bound a program has reached.
type LimitError struct{ Reason string }

func (e *LimitError) Error() string { return e.Reason }

// Stream runs a command within bounds, and has read read what it writes to its standard output. It
// returns when no process of the command is left. The error is that of ctx if ctx ends first, a
// [*LimitError] if a bound was reached, and that of read, or else what the command has written to
// its standard error. Where to run, the arguments, the environment and the input are those of cmd,
// which must not have been started.
func (b Bounds) Stream(ctx context.Context, cmd *exec.Cmd, read func(io.Reader) error) error {
	limited, cancel := context.WithTimeout(ctx, b.Time)
	defer cancel()
	message := &Head{Limit: maxMessage}
	cmd.Stderr, cmd.WaitDelay = message, waitDelay
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	all := &Group{Cmd: cmd}
	if err := all.Start(); err != nil {
		return err
	}
	defer all.Close()
	b.limit(cmd.Process.Pid)
	stop := context.AfterFunc(limited, func() {
		_ = all.Kill()
		out.Close() // which a process that has left the group may hold open
	})
	rest := &io.LimitedReader{R: out, N: b.Output + 1}
	readErr := read(rest)
	if readErr == nil {
		_, readErr = io.Copy(io.Discard, rest)
	}
	if readErr != nil || rest.N <= 0 {
		_ = all.Kill() // it may go on writing
	}
	err = cmd.Wait()
	stop()
	_ = all.Kill() // leftover processes, if any
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		return &LimitError{fmt.Sprintf("it took more than %v", b.Time)}
	case rest.N <= 0:
		return &LimitError{fmt.Sprintf("it wrote more than %d MB", b.Output>>20)}
	case strings.Contains(strings.ToLower(message.String()), "out of memory"):
		return &LimitError{fmt.Sprintf("it needed more than %d MB of memory", b.Memory>>20)}
	case readErr != nil:
		return readErr
	case err != nil:
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(message.String()))
	}
	return nil
}

// ErrTooLong says that a program wrote more than a [Head] takes.
var ErrTooLong = errors.New("it wrote too much")

// A Head keeps the first bytes that are written to it.
type Head struct {
	Limit  int  // bytes
	Strict bool // more than Limit is an error
	kept   []byte
}

// Write implements io.Writer.
func (h *Head) Write(p []byte) (int, error) {
	room := max(h.Limit-len(h.kept), 0)
	if len(p) <= room {
		h.kept = append(h.kept, p...)
		return len(p), nil
	}
	h.kept = append(h.kept, p[:room]...)
	if h.Strict {
		return room, ErrTooLong
	}
	return len(p), nil
}

// String returns what is kept.
func (h *Head) String() string { return string(h.kept) }
