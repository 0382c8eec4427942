package process

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"ploke-lsp/internal/testbed"
)

// TestPiped ends a program by its input, and by force. What it has started ends with it, and what they have written is
// read afterwards.
func TestPiped(t *testing.T) {
	t.Parallel()
	for _, force := range []bool{false, true} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "PLOKE_TEST_PROGRAM=leaver")
		var messages bytes.Buffer
		p, err := StartPiped(cmd, &messages)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Stdout.Close()
		begun := make([]byte, len("running"))
		if _, err := io.ReadFull(p.Stdout, begun); err != nil || string(begun) != "running" {
			t.Fatalf("the program says %q, %v", begun, err)
		}
		if p.Ended() || p.Pid() != cmd.Process.Pid {
			t.Errorf("it has ended: %v; its id is %d", p.Ended(), p.Pid())
		}
		if force {
			var killing sync.WaitGroup
			for range 4 {
				killing.Go(p.Kill)
			}
			testbed.Returns(t, killing.Wait, "the end of the program")
		} else if p.Stdin.Close(); !p.EndsWithin(time.Minute) {
			t.Fatal("it goes on without an input")
		}
		if !p.Ended() || p.Err == nil || !force && (p.Err.Error() != "exit status 3" || messages.String() != "leaving") {
			t.Errorf("ended: %v; the error is %v, and it says %q", p.Ended(), p.Err, &messages)
		}
		var rest []byte
		testbed.Returns(t, func() { rest, _ = io.ReadAll(p.Stdout) }, "the end of all that it has started")
		if strings.TrimSpace(string(rest)) != "" {
			t.Errorf("the rest is %q", rest)
		}
	}
}

func TestPipedProgramThatIsMissing(t *testing.T) {
	t.Parallel()
	if _, err := StartPiped(exec.Command("no such program of ploke"), io.Discard); err == nil {
		t.Error("it was started")
	}
}
