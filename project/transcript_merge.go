package project

import (
	"strings"

	"ploke-lsp/session/bus"
)

// merge joins runs of text of the same kind, or of what one call prints. A joined part has the number of its
// last piece.
func merge(parts []Part) []Part {
	var out []Part
	for len(parts) > 0 {
		n := runLength(parts)
		joined := parts[0]
		if n > 1 {
			joined.Event, joined.Seq = join(parts[:n]), parts[n-1].Seq
		}
		out, parts = append(out, joined), parts[n:]
	}
	return out
}

// runLength returns how many of the parts at the beginning are pieces of text, or of thought, that
// belong to the first one.
func runLength(parts []Part) int {
	thought := false
	switch first := parts[0].Event.(type) {
	case bus.ToolCallOutput:
		return outputRun(parts, first.CallID)
	case bus.MessageUpdated:
	case bus.MessageDelta:
		thought = first.Text == ""
	default:
		return 1
	}
	n := 1
	for n < len(parts) {
		piece, ok := parts[n].Event.(bus.MessageDelta)
		if !ok || (piece.Text == "") != thought {
			break
		}
		n++
	}
	return n
}

// outputRun returns how many of the parts at the beginning are what one call prints.
func outputRun(parts []Part, callID string) (n int) {
	for _, p := range parts {
		if piece, ok := p.Event.(bus.ToolCallOutput); !ok || piece.CallID != callID {
			break
		}
		n++
	}
	return n
}

// join returns the first of a run with the text of all, each of which is copied once.
func join(run []Part) bus.Event {
	var text, thought strings.Builder
	for _, p := range run {
		switch piece := p.Event.(type) {
		case bus.ToolCallOutput:
			text.WriteString(piece.Text)
		case bus.MessageUpdated:
			text.WriteString(piece.Text)
		case bus.MessageDelta:
			text.WriteString(piece.Text)
			thought.WriteString(piece.Thought)
		}
	}
	switch first := run[0].Event.(type) {
	case bus.ToolCallOutput:
		first.Text = text.String()
		return first
	case bus.MessageUpdated:
		first.Text = text.String()
		return first
	case bus.MessageDelta:
		first.Text, first.Thought = text.String(), thought.String()
		return first
	}
	return run[0].Event
}
