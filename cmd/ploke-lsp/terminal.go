package main

import (
	"fmt"
	"io"
	"os"

	"ploke-lsp/internal/display"
)

// escapeOnTerminal returns a writer that, if w is a terminal, escapes what could control
// the terminal or deceive the reader in file names, file contents and answers of models;
// see [display.Escape]. If w is not a terminal, it returns w.
func escapeOnTerminal(w io.Writer) io.Writer {
	file, ok := w.(*os.File)
	if !ok {
		return w
	}
	if !isTerminal(file) {
		return w
	}
	return terminal{w}
}

// isTerminal reports whether a file is a terminal. The null device is none, though it looks like one.
func isTerminal(file *os.File) bool {
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// writesToTerminal reports whether w is what [escapeOnTerminal] returned for a terminal.
func writesToTerminal(w io.Writer) bool {
	_, ok := w.(terminal)
	return ok
}

type terminal struct{ io.Writer }

func (t terminal) Write(p []byte) (int, error) {
	if _, err := io.WriteString(t.Writer, display.Escape(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// sayWhatIsAwaited tells the person who has started a server on a terminal that a program is expected there.
func sayWhatIsAwaited(env environment, program string) {
	if in, ok := env.stdin.(*os.File); ok && isTerminal(in) {
		fmt.Fprintf(env.stderr, "ploke-lsp: waiting for %s on standard input; ploke-lsp -h lists what you can run here, and Ctrl-C ends this\n", program)
	}
}
