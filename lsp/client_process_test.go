package lsp

import (
	"context"
	"io"
	"os"
	"os/exec"
	"testing"
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
	process := findProcess(cmd.Process.Pid)
	if process == nil {
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

func TestAProcessThatIsNotVisibleIsNotWatched(t *testing.T) {
	cmd, in := waiting(t)
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	for _, id := range []int{cmd.Process.Pid, 0, -1, 1<<31 - 1} {
		if findProcess(id) != nil {
			t.Errorf("the process %d counts as visible", id)
		}
	}
}

func TestARunningProcessIsWatchedUntilTheServerEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	for _, id := range []int{os.Getpid(), os.Getppid(), 1} { // the last one may belong to another user
		process := findProcess(id)
		if process == nil || hasEnded(process) {
			t.Fatalf("the process %d counts as ended", id)
		}
		defer process.Release()
	}
	process := findProcess(os.Getppid())
	cancel()
	if awaitEnd(ctx, process) {
		t.Error("the test's parent counts as ended")
	}
}
