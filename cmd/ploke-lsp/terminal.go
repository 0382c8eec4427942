package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"golang.org/x/term"

	"ploke-lsp/internal/display"
	"ploke-lsp/internal/terminal"
)

// A screen is a stream that people read: a terminal, or what --color=always takes for one. Writing escapes what could
// control a terminal or deceive the reader in file names, file contents and answers of models; see [display.Escape].
type screen struct {
	io.Writer          // without escaping
	file      *os.File // the terminal; nil if it is none
	colors    bool
}

func (s screen) Write(p []byte) (int, error) {
	if _, err := io.WriteString(s.Writer, display.Escape(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// defaultColumns is the width of what is no terminal, or of one that does not tell its own.
const defaultColumns = 80

// columns returns the width as it is now.
func (s screen) columns() int {
	if s.file != nil {
		if width, _, err := term.GetSize(int(s.file.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return defaultColumns
}

// escapeOnTerminal returns a screen without colors if w is a terminal, else w.
func escapeOnTerminal(w io.Writer) io.Writer {
	file, ok := w.(*os.File)
	if !ok || !isTerminal(file) {
		return w
	}
	return screen{Writer: file, file: file}
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
	s, ok := w.(screen)
	return ok && s.file != nil
}

// clipped returns what fits in a line of a terminal behind so many columns, and the whole text elsewhere.
func clipped(w io.Writer, text string, behind int) string {
	if s, ok := w.(screen); ok && s.file != nil {
		return terminal.Clip(text, s.columns()-1-behind)
	}
	return text
}

// fitting returns a text that breaks between words on a terminal, and the text as it is elsewhere.
func fitting(w io.Writer, text string) string {
	if s, ok := w.(screen); ok && s.file != nil {
		return terminal.Wrap(text, s.columns())
	}
	return text
}

// colorModes are the values of --color.
var colorModes = []string{"auto", "always", "never"}

// withColors returns a stream with colors, links and rendered Markdown if the person wants them there.
func (c *common) withColors(env environment, w io.Writer) io.Writer {
	s, ok := w.(screen)
	switch {
	case ok:
		s.colors = c.color == "always" || c.color == "auto" && wantsColors(env)
		return s
	case c.color == "always" && !c.serves:
		return screen{Writer: w, colors: true}
	}
	return w
}

// wantsColors reports whether a terminal is one that shows colors, and the person has not turned them off.
func wantsColors(env environment) bool {
	kind := env.getenv("TERM")
	return env.getenv("NO_COLOR") == "" && kind != "dumb" && (kind != "" || runtime.GOOS == "windows")
}

// put writes spans, with their styles and links on a screen that shows them.
func put(w io.Writer, spans ...terminal.Span) {
	for _, span := range spans {
		if s, ok := w.(screen); ok && s.colors {
			io.WriteString(s.Writer, span.String())
		} else {
			io.WriteString(w, span.Text)
		}
	}
}

// putDiff writes a unified diff, or other text as it is.
func putDiff(w io.Writer, text string) {
	if s, ok := w.(screen); ok && s.colors && strings.Contains(text, "\n@@ ") {
		io.WriteString(s.Writer, terminal.Diff(text))
		return
	}
	io.WriteString(w, text)
}

// sayWhatIsAwaited tells the person who has started a server on a terminal that a program is expected there.
func sayWhatIsAwaited(env environment, program string) {
	if in, ok := env.stdin.(*os.File); ok && isTerminal(in) {
		fmt.Fprintf(env.stderr,
			"ploke-lsp: waiting for %s on standard input; ploke-lsp -h lists what you can run here, and Ctrl-C ends this\n",
			program)
	}
}
