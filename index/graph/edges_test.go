package graph

import "testing"

// TestLeastConfidence shows unlikely edges only where there are no others.
func TestLeastConfidence(t *testing.T) {
	for _, c := range []struct {
		edges []Edge
		want  float64
	}{
		{nil, hardly},
		{[]Edge{{Confidence: 0.1}, {Confidence: 0.14}}, hardly},
		{[]Edge{{Confidence: 0.1}, {Confidence: 0.15}}, unlikely},
	} {
		if got := LeastConfidence(c.edges); got != c.want {
			t.Errorf("%v: %v", c.edges, got)
		}
	}
}
