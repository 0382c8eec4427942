package project

import (
	"runtime"
	"strings"
	"testing"

	"ploke-lsp/session/bus"
)

// TestJoiningPiecesCopiesEachOnce counts the bytes that are allocated for many small pieces.
func TestJoiningPiecesCopiesEachOnce(t *testing.T) {
	const pieces = 100_000
	for name, piece := range map[string]bus.MessageDelta{"text": {Text: "x"}, "thoughts": {Thought: "x"}} {
		var parts []Part
		for n := range pieces {
			parts = append(parts, Part{Seq: n + 1, Event: piece})
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		joined := merge(parts)
		runtime.ReadMemStats(&after)
		if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 20*pieces {
			t.Errorf("%s: %d bytes for %d pieces", name, bytes, pieces)
		}
		d, _ := joined[0].Event.(bus.MessageDelta)
		if len(joined) != 1 || joined[0].Seq != pieces || len(d.Text)+len(d.Thought) != pieces {
			t.Errorf("%s: %d parts", name, len(joined))
		}
	}
}

// TestWhatIsJoined has pieces of all kinds. Only neighbours of one kind are joined.
func TestWhatIsJoined(t *testing.T) {
	text := func(s string) Part { return Part{Event: bus.MessageDelta{Text: s}} }
	thought := func(s string) Part { return Part{Event: bus.MessageDelta{Thought: s}} }
	update := func(s string) Part { return Part{Event: bus.MessageUpdated{Text: s}} }
	other := Part{Citation: &Citation{}}
	parts := []Part{text("a"), text("b"), thought("c"), thought("d"), text("e"), other, text("f"), update(""), text("g"), text("h"),
		thought("i"), update("j"), thought("k"), update("l"), update("m")}
	for i := range parts {
		parts[i].Seq = i + 1
	}
	var got []string
	for _, p := range merge(parts) {
		switch e := p.Event.(type) {
		case bus.MessageDelta:
			got = append(got, "text "+e.Text+" thought "+e.Thought)
		case bus.MessageUpdated:
			got = append(got, "update "+e.Text)
		default:
			got = append(got, "other")
		}
	}
	want := []string{"text ab thought ", "text  thought cd", "text e thought ", "other", "text f thought ", "update gh", "text  thought i", "update j", "text  thought k", "update l", "update m"}
	if strings.Join(got, ", ") != strings.Join(want, ", ") {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
