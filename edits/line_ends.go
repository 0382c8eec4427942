package edits

import (
	"bytes"
	"context"
	"slices"
	"strings"
)

// LineEndsOf returns how the new text of an edit of base is staged: with CRLF if all lines of base
// end in it, else as it is.
func LineEndsOf(base []byte) func(text string) string {
	if endsInCRLF(base) {
		return withCRLF
	}
	return func(text string) string { return text }
}

// endsInCRLF reports whether text has line ends, and all of them are CRLF.
func endsInCRLF(text []byte) bool {
	n := bytes.Count(text, []byte("\n"))
	return n > 0 && n == bytes.Count(text, []byte("\r\n"))
}

// hasMixedLineEnds reports whether text has line ends of more than one kind, or only those of old
// Macs, which many editors change.
func hasMixedLineEnds(text []byte) bool {
	pairs, feeds, returns := bytes.Count(text, []byte("\r\n")), bytes.Count(text, []byte("\n")), bytes.Count(text, []byte("\r"))
	return returns > pairs || pairs > 0 && feeds > pairs
}

func withCRLF(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
}

// inEditorsLineEnds returns f as an editor has carried it out that gives new documents CRLF, as
// editors on Windows do. It is f itself unless the editor's text shows this.
func (m *Manager) inEditorsLineEnds(ctx context.Context, f PlannedFile) PlannedFile {
	if f.Op == OpDelete || endsInCRLF(f.After) || !bytes.Contains(f.After, []byte("\n")) {
		return f
	}
	now, err := m.readIfExists(ctx, f.target())
	if err != nil || now == nil || !now.Open || !endsInCRLF(now.Text) {
		return f
	}
	es := slices.Clone(f.Edits)
	for i := range es {
		es[i].New = withCRLF(es[i].New)
	}
	after, err := Apply(f.Before, es)
	if err != nil || !bytes.Equal(after, now.Text) {
		return f
	}
	f.After, f.Edits = after, es
	return f
}
