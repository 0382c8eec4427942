package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escapeOnTerminal returns a writer that, if w is a terminal, escapes control characters
// and marks that change the order of text. File names, file contents and answers of models
// could otherwise control the terminal or deceive the reader; see
// https://trojansource.codes. If w is not a terminal, it returns w.
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

// escapeControls escapes control characters and bidirectional overrides, as Go does. It
// keeps tabs, line feeds, and carriage returns at the end of a line.
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

// needsEscape reports whether r is a control character other than \n and \t, or a
// bidirectional override.
func needsEscape(r rune) bool {
	overrides := '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069'
	return overrides || unicode.IsControl(r) && r != '\n' && r != '\t'
}
