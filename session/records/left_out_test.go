package records

import (
	"strings"
	"testing"
)

// TestLinesThatAreLeftOut fits lines into fewer and fewer tokens: answers go first, then questions, then proposals, each time
// the oldest, and all that go are counted.
func TestLinesThatAreLeftOut(t *testing.T) {
	text := strings.Repeat("words ", 10)
	all := LeftOut{Omitted: map[LineKind]int{AnswerLine: 2}, Lines: []LeftOutLine{
		{FirstLine, "first " + text, ""}, {AnswerLine, "a1 " + text, ""}, {ProposalLine, "p1 " + text, "p1"},
		{QuestionLine, "q2 " + text, ""}, {AnswerLine, "a2 " + text, ""}, {ProposalLine, "p2 " + text, "p2"}}}
	count := func(text string) int { return len(text) / 4 }
	before := "first a1 p1 q2 a2 p2"
	var steps []string
	for tokens := 300; tokens >= 0; tokens-- {
		l := all.Within(tokens, count)
		var kept []string
		gone := 2
		for _, line := range l.Lines {
			kept = append(kept, line.Text[:strings.Index(line.Text, " ")])
		}
		for _, n := range l.Omitted {
			gone += n
		}
		if gone-2 != 2+len(all.Lines)-len(l.Lines) {
			t.Errorf("%d tokens: %d lines of %d, and %v are omitted", tokens, len(l.Lines), len(all.Lines), l.Omitted)
		}
		if now := strings.Join(kept, " "); now != before {
			steps, before = append(steps, now), now
		}
		if n := count(l.Text()); n > tokens && len(l.Lines) > 1 {
			t.Errorf("%d tokens: %d", tokens, n)
		}
	}
	want := []string{"first p1 q2 a2 p2", "first p1 q2 p2", "first p1 p2", "first p2", "first"}
	if got := strings.Join(steps, ", "); got != strings.Join(want, ", ") {
		t.Errorf("%s", got)
	}
}
