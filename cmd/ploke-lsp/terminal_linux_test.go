package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// terminals opens a pseudoterminal and its master side, which reads the output.
func terminals(t *testing.T) (shown, terminal *os.File) {
	t.Helper()
	shown, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shown.Close() })
	fd := int(shown.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return shown, terminal
}

// TestTerminalIsNotDriven searches a folder with a file whose name would clear the screen.
func TestTerminalIsNotDriven(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a\x1b[2J\u202e\u200bb.go"), []byte("package a\n\nfunc Deceive() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	shown, terminal := terminals(t)
	env := environment{stdin: io.NopCloser(strings.NewReader("")), stdout: terminal, stderr: terminal,
		getenv: func(string) string { return "" }}
	if code := run(context.Background(), []string{"search", "--workspace", dir, "--state-dir", t.TempDir(), "Deceive"}, env); code != 0 {
		t.Errorf("exit status %d", code)
	}
	terminal.Close()
	got, _ := io.ReadAll(shown) // ends with an error, as terminals do
	if text := string(got); !strings.Contains(text, `a\x1b[2J\u202e\u200bb.go:3`) || strings.Contains(text, "\x1b[2J") {
		t.Errorf("the terminal shows %q", text)
	}
}

// TestAServerOnATerminalSaysWhatItWaitsFor starts servers with a terminal, and with none, as standard input.
func TestAServerOnATerminalSaysWhatItWaitsFor(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{"serve": "an editor that speaks LSP", "acp": "an editor that speaks ACP", "mcp": "an agent that speaks MCP"} {
		_, terminal := terminals(t)
		cmd := program(t, command, "--state-dir", t.TempDir())
		cmd.Stdin = terminal
		problems, err := cmd.StderrPipe()
		check(t, err)
		check(t, cmd.Start())
		line, err := bufio.NewReader(problems).ReadString('\n')
		if err != nil || !strings.HasPrefix(line, "ploke-lsp: waiting for "+want) || !strings.Contains(line, "ploke-lsp -h") {
			t.Errorf("%s: %v: %q", command, err, line)
		}
		check(t, cmd.Process.Signal(unix.SIGTERM))
		cmd.Wait() // with the status of an interrupt

		cmd = program(t, command, "--state-dir", t.TempDir())
		if out, _ := cmd.CombinedOutput(); strings.Contains(string(out), "waiting for") {
			t.Errorf("%s without a terminal: %s", command, out)
		}
	}
}
