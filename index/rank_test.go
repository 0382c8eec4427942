package index

import (
	"cmp"
	"slices"
	"testing"
)

// TestInsertTop checks that the best items are kept in order, each once.
func TestInsertTop(t *testing.T) {
	for _, c := range []struct {
		list  []int
		item  int
		limit int
		want  []int
	}{
		{nil, 5, 3, []int{5}},
		{[]int{2, 6}, 4, 3, []int{2, 4, 6}},
		{[]int{2, 4, 6}, 3, 3, []int{2, 3, 4}},
		{[]int{2, 4, 6}, 7, 3, []int{2, 4, 6}},
		{[]int{2, 4, 6}, 4, 3, []int{2, 4, 6}},
		{[]int{2, 4}, 4, 3, []int{2, 4}},
	} {
		if got := insertTop(slices.Clone(c.list), c.item, c.limit, cmp.Compare[int]); !slices.Equal(got, c.want) {
			t.Errorf("%d inserted in %d with limit %d: %d, want %d", c.item, c.list, c.limit, got, c.want)
		}
	}
}
