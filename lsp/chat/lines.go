package chat

import (
	"go.lsp.dev/protocol"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/lsp/document"
)

// lineAt returns the line of a position, and the byte of the position in it.
func lineAt(text *document.Parsed, p protocol.Position) (line string, column int) {
	r, ok := text.Lines(int(p.Line)+1, int(p.Line)+1)
	if !ok {
		return "", 0
	}
	start, end := text.Offsets(r)
	return string(text.Text[start:end]), text.Offset(p) - start
}

// matchAt returns the first group of the match around a byte of a line.
func matchAt(pattern *lazyregexp.Regexp, line string, column int) (group string, ok bool) {
	for _, m := range pattern.FindAllStringSubmatchIndex(line, -1) {
		if m[0] <= column && column <= m[1] {
			return line[m[2]:m[3]], true
		}
	}
	return "", false
}
