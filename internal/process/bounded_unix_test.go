//go:build unix

package process_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"ploke-lsp/internal/process"
	"ploke-lsp/internal/testbed"
)

// TestBounds runs programs that take more than they may, and some that don't. None outlives the call.
func TestBounds(t *testing.T) {
	t.Parallel()
	usual := process.Bounds{Time: time.Minute, Output: 1 << 20, Memory: 1 << 30}
	short := usual
	short.Time = 100 * time.Millisecond
	for name, tt := range map[string]struct {
		bounds              process.Bounds
		script, want, limit string
		err                 string
	}{
		"an answer":                          {bounds: usual, script: "echo yes", want: "yes\n"},
		"it waits for ever":                  {bounds: short, script: "sleep 1000", limit: "it took more than 100ms"},
		"it closes its output and goes on":   {bounds: short, script: "exec >&- 2>&-; sleep 1000", limit: "it took more than 100ms"},
		"it writes for ever":                 {bounds: usual, script: "yes", limit: "it wrote more than 1 MB"},
		"it writes as much as it may":        {bounds: usual, script: "head -c 1048576 /dev/zero", want: strings.Repeat("\x00", 1<<20)},
		"it writes as much as it may, and 1": {bounds: usual, script: "head -c 1048577 /dev/zero", limit: "it wrote more than 1 MB"},
		"it fails":                           {bounds: usual, script: "echo no luck >&2; exit 7", err: "exit status 7: no luck"},
		"it fails with many words":           {bounds: usual, script: "head -c 1000000 /dev/zero | tr '\\0' x >&2; exit 7", err: "exit status 7: " + strings.Repeat("x", 4<<10)},
		"it needs much memory":               {bounds: usual, script: "echo fatal: Out of memory, malloc failed >&2; exit 128", limit: "memory"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []byte
			var err error
			testbed.Returns(t, func() {
				err = tt.bounds.Stream(t.Context(), exec.Command("sh", "-c", tt.script), func(r io.Reader) (err error) {
					got, err = io.ReadAll(r)
					return err
				})
			}, "the end of the program")
			var limit *process.LimitError
			switch {
			case tt.limit != "":
				if !errors.As(err, &limit) || !strings.Contains(limit.Reason, tt.limit) {
					t.Errorf("the error is %v, want %q", err, tt.limit)
				}
			case tt.err != "":
				if err == nil || err.Error() != tt.err {
					t.Errorf("the error is %v, want %q", err, tt.err)
				}
			case err != nil || string(got) != tt.want:
				t.Errorf("got %.100q, %v", got, err)
			}
		})
	}
}

// TestAProcessThatHasLeft is in a session of its own, so that it is not killed, and holds one of the outputs open. Nobody waits
// for its end.
func TestAProcessThatHasLeft(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ script, want string }{
		"output":         {"setsid sleep 1000 2>&- & echo $!", "it took more than 100ms"},
		"standard error": {"setsid sleep 1000 >&- & echo $!; exec >&-", exec.ErrWaitDelay.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bounds, left := process.Bounds{Time: time.Minute, Output: 1 << 20, Memory: 1 << 30}, 0
			if name == "output" {
				bounds.Time = 100 * time.Millisecond
			}
			var err error
			testbed.Returns(t, func() {
				err = bounds.Stream(t.Context(), exec.Command("sh", "-c", tt.script), func(r io.Reader) error {
					_, err := fmt.Fscan(r, &left)
					return err
				})
			}, "the end of the program")
			if left == 0 || syscall.Kill(left, syscall.SIGKILL) != nil {
				t.Errorf("the process %d has not left", left)
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

// TestWhatAProgramLeavesBehind ends with the program.
func TestWhatAProgramLeavesBehind(t *testing.T) {
	t.Parallel()
	bounds := process.Bounds{Time: time.Minute, Output: 1 << 20, Memory: 1 << 30}
	cmd := exec.Command("sh", "-c", "sleep 1000 >&- 2>&- &")
	held, holder, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	cmd.ExtraFiles = []*os.File{holder}
	err = bounds.Stream(t.Context(), cmd, func(io.Reader) error { return nil })
	holder.Close()
	if err != nil {
		t.Error(err)
	}
	testbed.Returns(t, func() { _, _ = io.Copy(io.Discard, held) }, "the end of the process that is left")
}

// TestAReaderThatHasEnough does not stop the program, and one that fails does.
func TestAReaderThatHasEnough(t *testing.T) {
	t.Parallel()
	bounds := process.Bounds{Time: time.Minute, Output: 10 << 20, Memory: 1 << 30}
	first := make([]byte, 1)
	if err := bounds.Stream(t.Context(), exec.Command("sh", "-c", "head -c 1000000 /dev/zero"), func(r io.Reader) error {
		_, err := io.ReadFull(r, first)
		return err
	}); err != nil {
		t.Error(err)
	}
	enough := errors.New("enough")
	if err := bounds.Stream(t.Context(), exec.Command("sh", "-c", "sleep 1000"), func(io.Reader) error { return enough }); !errors.Is(err,
		enough) {
		t.Errorf("the error is %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := bounds.Stream(ctx, exec.Command("sh", "-c", "echo begun; sleep 1000"), func(r io.Reader) error {
		_, err := io.ReadFull(r, first)
		cancel()
		return err
	}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// TestHead keeps the beginning of what is written.
func TestHead(t *testing.T) {
	for _, strict := range []bool{false, true} {
		full := process.Head{Limit: 3, Strict: strict}
		if n, err := full.Write([]byte("abc")); n != 3 || err != nil || full.String() != "abc" {
			t.Errorf("strict %v, just full: %q, %d, %v", strict, full.String(), n, err)
		}
		h := process.Head{Limit: 5, Strict: strict}
		n, err := io.Copy(&h, strings.NewReader("abc"))
		more, tooLong := h.Write([]byte("defg"))
		if h.String() != "abcde" || n != 3 || err != nil || errors.Is(tooLong, process.ErrTooLong) != strict || more != map[bool]int{true: 2, false: 4}[strict] {
			t.Errorf("strict %v: %q, %v, %d, %v", strict, h.String(), err, more, tooLong)
		}
	}
}
