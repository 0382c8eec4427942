package textsearch_test

import (
	"fmt"
	"testing"

	"ploke-lsp/tools/textsearch"
)

// TestShares divides a limit among files with many and few matching lines.
func TestShares(t *testing.T) {
	for _, tt := range []struct {
		name   string
		counts [][]int
		limit  int
		want   string
	}{
		{"all of them", [][]int{{3, 40}}, 50, "[[3 40]]"},
		{"what a share leaves goes to the first files", [][]int{{40, 40, 2}}, 50, "[[40 8 2]]"},
		{"many files have smaller shares", [][]int{{9, 9, 9, 9, 9}}, 20, "[[4 4 4 4 4]]"},
		{"but not too small ones", [][]int{{9, 9, 9, 9}}, 5, "[[2 2 1 0]]"},
		{"source has its shares before tests", [][]int{{9, 9}, {9, 9}}, 18, "[[8 8] [2 0]]"},
		{"without any", [][]int{{}, {}}, 5, "[[] []]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := fmt.Sprint(textsearch.Shares(tt.counts, tt.limit)); got != tt.want {
				t.Errorf("%v lines with limit %d: %s, want %s", tt.counts, tt.limit, got, tt.want)
			}
		})
	}
}
