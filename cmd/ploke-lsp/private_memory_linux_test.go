package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ploke-lsp/internal/testbed"
)

// TestOtherProcessesCannotReadTheKeys reads the environment of a server from a process of the
// same user, as a check that a model runs could. Root may read everything, so the test uses
// another user if it runs as root.
func TestOtherProcessesCannotReadTheKeys(t *testing.T) {
	dir := publicFolder(t)
	server := unprivileged(copyProgram(t, dir, "ploke-lsp"), "serve", "--state-dir", dir)
	server.Env = append(ofDesktop(t), "PLOKE_API_KEY=the key")
	in, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	start(t, server)
	if _, err := io.WriteString(in, "Content-Length: 2\r\n\r\n[]"); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil { // it serves
		t.Fatal(err)
	}
	if environ, err := readEnviron(server.Process.Pid); err == nil {
		t.Errorf("another process reads %q", environ)
	}

	control := unprivileged("cat")
	control.Env = []string{"PLOKE_API_KEY=the key"}
	if _, err := control.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	start(t, control)
	if environ, err := readEnviron(control.Process.Pid); !strings.Contains(environ, "the key") {
		t.Errorf("another program's environment can't be read either, so this test proves nothing: %v: %s", err, environ)
	}
}

// unprivileged returns a command that does not run as root.
func unprivileged(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	return cmd
}

// readEnviron returns what another process of the same user reads.
func readEnviron(pid int) (string, error) {
	out, err := unprivileged("cat", fmt.Sprintf("/proc/%d/environ", pid)).CombinedOutput()
	return string(out), err
}

// start starts a command that ends with the test.
func start(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
}

// publicFolder returns a temporary folder that every user can read and change.
func publicFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "ploke-public-") // $TMPDIR may be private
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// copyProgram copies a program of $PATH to a folder, for every user to run.
func copyProgram(t *testing.T, dir, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	to := filepath.Join(dir, name)
	testbed.WriteProgram(t, to, program)
	return to
}
