package main

import (
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
	if info, err := file.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return w
	}
	return terminal{w}
}

type terminal struct{ io.Writer }

func (t terminal) Write(p []byte) (int, error) {
	if _, err := io.WriteString(t.Writer, display.Escape(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
