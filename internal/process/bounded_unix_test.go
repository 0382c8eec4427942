//go:build unix

package process_test

import (
	"context"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"

	"ploke-lsp/internal/process"
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
		"a process that has left holds on":   {bounds: short, script: "setsid sleep 5 & echo yes", limit: "it took more than 100ms", want: "yes\n"},
		"it writes for ever":                 {bounds: usual, script: "yes", limit: "it wrote more than 1 MB"},
		"it writes as much as it may, and 1": {bounds: usual, script: "head -c 1048577 /dev/zero", limit: "it wrote more than 1 MB"},
		"it fails":                           {bounds: usual, script: "echo no luck >&2; exit 7", err: "exit status 7: no luck"},
		"it needs much memory":               {bounds: usual, script: "echo fatal: Out of memory, malloc failed >&2; exit 128", limit: "memory"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []byte
			err := tt.bounds.Stream(t.Context(), exec.Command("sh", "-c", tt.script), func(r io.Reader) (err error) {
				got, err = io.ReadAll(r)
				return err
			})
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
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
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
	if err := bounds.Stream(t.Context(), exec.Command("sh", "-c", "sleep 1000"), func(io.Reader) error { return enough }); !errors.Is(err, enough) {
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
		h := process.Head{Limit: 5, Strict: strict}
		n, err := io.Copy(&h, strings.NewReader("abc"))
		more, tooLong := h.Write([]byte("defg"))
		if h.String() != "abcde" || n != 3 || err != nil || errors.Is(tooLong, process.ErrTooLong) != strict || more != map[bool]int{true: 2, false: 4}[strict] {
			t.Errorf("strict %v: %q, %v, %d, %v", strict, h.String(), err, more, tooLong)
		}
	}
}
