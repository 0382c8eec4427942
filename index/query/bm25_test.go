package query

import (
	"math"
	"testing"
)

// TestHalfSaturation checks that both stages of a search score half of the idf for the same
// term weight, which grows with the length of the text.
func TestHalfSaturation(t *testing.T) {
	c := &corpus{docs: 100, unitAvg: 20, docAvg: 400}
	idf := c.idf(3)
	least, perTerm := c.docHalfSaturation()
	before := 0.0
	for _, length := range []int{0, 200, 400, 800} {
		weight := float64(least + perTerm*float32(length))
		norm := c.docNorm(length)
		if got := termScore(idf, weight, norm); math.Abs(got-idf/2) > 1e-6 {
			t.Errorf("length %d: weight %v scores %v, want %v", length, weight, got, idf/2)
		}
		if got := idf * saturated(weight/norm); math.Abs(got-idf/2) > 1e-6 {
			t.Errorf("length %d: saturated(%v) is %v, want 0.5", length, weight/norm, got/idf)
		}
		if weight <= before {
			t.Errorf("length %d: the weight at half saturation is %v, want more than %v", length, weight, before)
		}
		before = weight
	}
	if got := c.unitNorm(20) * k1; got != k1 {
		t.Errorf("in a unit of average length, the weight at half saturation is %v, want %v", got, k1)
	}
}
