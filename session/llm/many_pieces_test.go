package llm

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// TestPiecesOfThoughtsAreJoinedOnce compares the bytes that are allocated for thoughts in many small pieces, and in four times as
// many: joining each piece would take sixteen times as much.
func TestPiecesOfThoughtsAreJoinedOnce(t *testing.T) {
	for _, field := range []string{"reasoning_content", "reasoning", "reasoning_text", "thinking"} {
		few, many := attachPieces(t, field, 10_000), attachPieces(t, field, 40_000)
		if many > 8*few {
			t.Errorf("%s: %d bytes for few pieces, %d for four times as many", field, few, many)
		}
	}
}

// attachPieces attaches thoughts in so many pieces, and returns how many bytes that has allocated.
func attachPieces(t *testing.T, field string, pieces int) (bytes uint64) {
	t.Helper()
	delta := gjson.Parse(fmt.Sprintf(`{"role":"assistant","%s":"x"}`, field))
	var before, after runtime.MemStats
	var a attaching
	runtime.ReadMemStats(&before)
	for range pieces {
		a.add(delta)
	}
	all := a.all()
	runtime.ReadMemStats(&after)
	got := all.ReasoningContent + all.Reasoning + gjson.ParseBytes(all.More[field]).Str
	if got != strings.Repeat("x", pieces) {
		t.Errorf("%s: %d bytes are attached", field, len(got))
	}
	return after.TotalAlloc - before.TotalAlloc
}
