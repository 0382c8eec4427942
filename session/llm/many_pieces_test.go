package llm

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// TestPiecesOfThoughtsAreJoinedOnce counts the bytes that are allocated for thoughts in many small pieces.
func TestPiecesOfThoughtsAreJoinedOnce(t *testing.T) {
	const pieces = 20_000
	for _, field := range []string{"reasoning_content", "reasoning", "reasoning_text", "thinking"} {
		delta := gjson.Parse(fmt.Sprintf(`{"role":"assistant","%s":"x"}`, field))
		var before, after runtime.MemStats
		var a attaching
		runtime.ReadMemStats(&before)
		for range pieces {
			a.add(delta)
		}
		all := a.all()
		runtime.ReadMemStats(&after)
		if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 500*pieces {
			t.Errorf("%s: %d bytes for %d pieces", field, bytes, pieces)
		}
		got := all.ReasoningContent + all.Reasoning + gjson.ParseBytes(all.More[field]).Str
		if got != strings.Repeat("x", pieces) {
			t.Errorf("%s: %d bytes are attached", field, len(got))
		}
	}
}
