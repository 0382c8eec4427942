package o200k

import "testing"

// TestRanks looks up each token of the vocabulary by its rank and back.
func TestRanks(t *testing.T) {
	v := builtin()
	if len(v.ends) < 199_000 {
		t.Fatalf("there are %d tokens", len(v.ends))
	}
	for rank := range v.ends {
		if token := v.token(uint32(rank)); v.rank(token) != uint32(rank) {
			t.Fatalf("token %d is %q with the rank %d", rank, token, v.rank(token))
		}
	}
}

// TestTheShortestPieces compares the direct counts of the shortest pieces with those of any piece.
func TestTheShortestPieces(t *testing.T) {
	v := builtin()
	for first := range 256 {
		if one := string([]byte{byte(first)}); countCommonPiece(one) != v.countPairs(one) {
			t.Fatalf("%q has %d tokens", one, countCommonPiece(one))
		}
		for second := range 256 {
			if two := string([]byte{byte(first), byte(second)}); countCommonPiece(two) != v.countPairs(two) {
				t.Fatalf("%q has %d tokens", two, countCommonPiece(two))
			}
		}
	}
}
