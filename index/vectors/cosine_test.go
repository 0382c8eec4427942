package vectors

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
)

// TestCosine compares cosines with those of separate sums, also where the sums are as large as they can be.
func TestCosine(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 127))
	noise := make([]byte, maxDimensions)
	for i := range noise {
		noise[i] = byte(int8(random.IntN(255) - 127))
	}
	const least, most = 0x81, 0x7f // -127 and 127
	all := [][]byte{noise, noise[:3], bytes.Repeat([]byte{least}, maxDimensions), bytes.Repeat([]byte{most}, maxDimensions)}
	for _, query := range all {
		sc := newScorer(nil, query)
		for _, vector := range all {
			if len(vector) != len(query) {
				continue
			}
			want := float64(dot(query, vector)) / (math.Sqrt(float64(dot(query, query))) * math.Sqrt(float64(dot(vector, vector))))
			if got := sc.cosine(vector); got != want {
				t.Errorf("the cosine of %d dimensions is %v, want %v", len(query), got, want)
			}
		}
	}
}
