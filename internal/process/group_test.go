package process

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"testing"

	"ploke-lsp/internal/testbed"
)

// TestMain runs the programs of the tests instead of these: one that starts another, which says that it runs and keeps
// its output open until it ends, and one that leaves it behind.
func TestMain(m *testing.M) {
	switch os.Getenv("PLOKE_TEST_PROGRAM") {
	case "parent":
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), "PLOKE_TEST_PROGRAM=child")
		child.Stdout = os.Stdout
		if child.Run() != nil {
			os.Exit(1)
		}
	case "leaver":
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), "PLOKE_TEST_PROGRAM=child")
		child.Stdout = os.Stdout
		if child.Start() != nil {
			os.Exit(1)
		}
		os.Stdin.Read(make([]byte, 1))
		os.Stderr.WriteString("leaving")
		os.Exit(3)
	case "child":
		os.Stdout.WriteString("running\n")
		silent, writer, _ := os.Pipe()
		silent.Read(make([]byte, 1)) // until it is killed
		writer.Close()
	default:
		os.Exit(m.Run())
	}
}

// TestGroup kills a program. What it has started ends with it.
func TestGroup(t *testing.T) {
	group := &Group{Cmd: exec.Command(os.Args[0])}
	group.Cmd.Env = append(os.Environ(), "PLOKE_TEST_PROGRAM=parent")
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	group.Cmd.Stdout = write
	if err := group.Start(); err != nil {
		t.Fatal(err)
	}
	defer group.Close()
	write.Close()
	output := bufio.NewReader(read)
	ended := make(chan error, 2)
	go func() {
		line, err := output.ReadString('\n')
		if err == nil && line != "running\n" && line != "running\r\n" {
			t.Errorf("the program says %q", line)
		}
		ended <- err
		_, err = io.Copy(io.Discard, output) // until no process has it open
		ended <- err
	}()
	if err := testbed.Receive(t, ended, "the inner program"); err != nil {
		t.Fatal(err)
	}
	if err := group.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := group.Cmd.Wait(); err == nil {
		t.Error("the program ended by itself")
	}
	if err := testbed.Receive(t, ended, "the end of both programs"); err != nil {
		t.Error(err)
	}
}

func TestAProgramThatIsMissing(t *testing.T) {
	group := &Group{Cmd: exec.Command("no such program of ploke")}
	if err := group.Start(); err == nil {
		t.Error("it was started")
	}
}
