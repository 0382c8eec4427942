package o200k

import (
	"math/rand/v2"
	"testing"
)

// TestSum splits texts at random offsets. The sum of the parts equals the count of the
// whole.
func TestSum(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		text := anything(random, 40)
		var sum Sum
		for rest := text; rest != ""; {
			n := 1 + random.IntN(len(rest))
			if random.IntN(4) == 0 {
				sum.AddText(rest[:n])
			} else {
				sum.Add(Measure(rest[:n]))
			}
			rest = rest[n:]
			if random.IntN(4) == 0 {
				sum.Tokens()
			}
		}
		if got, want := sum.Tokens(), Count(text); got != want {
			t.Fatalf("%d tokens, want %d: %q", got, want, text)
		}
	}
}
