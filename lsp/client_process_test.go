package lsp

import (
	"context"
	"io"
	"os"
	"os/exec"
	"testing"

	"ploke-lsp/internal/lease"
)

// waiting starts a process that runs until its standard input is closed.
func waiting(t *testing.T) (*exec.Cmd, io.Closer) {
	t.Helper()
	cmd := exec.Command("cat")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, in
}

func TestTheEndOfAProcessIsNoticed(t *testing.T) {
	cmd, in := waiting(t)
	process, lives := lease.Find(cmd.Process.Pid)
	if !lives {
		t.Fatal("the running process was not found")
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if !awaitEnd(t.Context(), process) {
		t.Error("the end of the process was not noticed")
	}
}

func TestARunningProcessIsWatchedUntilTheServerEnds(t *testing.T) {
	for _, id := range []int{os.Getpid(), os.Getppid(), 1} { // the last one may belong to another user
		process, lives := lease.Find(id)
		if !lives {
			t.Fatalf("the process %d counts as ended", id)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if awaitEnd(ctx, process) {
			t.Errorf("the process %d counts as ended", id)
		}
	}
}
