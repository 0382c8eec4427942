package main

import "testing"

func TestNewerComparesVersionsByNumber(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"2.36", "2.34", true}, {"2.34", "2.34", false}, {"2.9", "2.34", false}, {"2.34.1", "2.34", true}, {"2", "2.34", false}, {"3", "2.34", true},
	} {
		if got := newer(c.a, c.b); got != c.want {
			t.Errorf("newer(%q, %q) = %v", c.a, c.b, got)
		}
	}
}
