package tools

import (
	"testing"
	"time"

	"ploke-lsp/tools/running"
)

// TestAModelIsToldOfALongRun tells how long a command took from ten seconds on. Shorter ones have the same result
// whatever else the machine does.
func TestAModelIsToldOfALongRun(t *testing.T) {
	for took, want := range map[time.Duration]string{
		9999 * time.Millisecond: "exit status 1",
		10 * time.Second:        "exit status 1, after 10s",
		150 * time.Second:       "exit status 1, after 2m30s",
	} {
		r := ran{End: running.End{How: "exit status 1", Took: took}}
		if got := r.content().Ended; got != want {
			t.Errorf("%v: %q, want %q", took, got, want)
		}
	}
}
