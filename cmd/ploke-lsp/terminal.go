package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escapeOnTerminal is a writer of text that people read. Text of files, their names, and what
// a model makes of them may hold what a terminal would act on, or what shows a line in
// another order than it has (https://trojansource.codes); there it is shown as Go
// escapes it. Where w is no terminal, bytes stay what they are.
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
	if _, err := io.WriteString(t.Writer, escapeControls(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// escapeControls escapes control characters, but for white space, and marks that change the
// order of what follows. A carriage return is white space at a line's end alone.
func escapeControls(text string) string {
	if strings.IndexFunc(text, needsEscape) < 0 {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError: // or an invalid byte
			_, size := utf8.DecodeRuneInString(text[i:])
			b.WriteString(text[i : i+size])
		case !needsEscape(r), r == '\r' && strings.HasPrefix(text[i+1:], "\n"):
			b.WriteRune(r)
		case r < utf8.RuneSelf:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// needsEscape reports what a terminal acts on, or a reader is deceived by.
func needsEscape(r rune) bool {
	overrides := '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069'
	return overrides || unicode.IsControl(r) && r != '\n' && r != '\t'
}
