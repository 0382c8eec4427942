package document

import "go.lsp.dev/protocol"

// WholeLines widens a range of bytes to complete lines, without the last line end.
func WholeLines(text []byte, start, end int) (int, int) {
	for start > 0 && text[start-1] != '\n' {
		start--
	}
	for end < len(text) && text[end] != '\n' {
		end++
	}
	return start, end
}

// BetweenLines returns the range from the beginning of one line to that of another. Lines count
// from 1.
func BetweenLines(first, last int) protocol.Range {
	return protocol.Range{Start: protocol.Position{Line: uint32(first - 1)},
		End: protocol.Position{Line: uint32(last - 1)}}
}
