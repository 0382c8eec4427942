package query

import (
	"cmp"
	"math/rand/v2"
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

// TestBestUnits takes the units of a file one after another, of which some have the same score.
func TestBestUnits(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 9))
	r := &ranking{&corpus{weights: newWeights(nil)}, maxScores{bestUnit: 1, allUnits: 1, whole: 1, file: 1, exact: 1}, new(scratch)}
	for n := range 60 {
		d := &candidate{wordScores: wordScores{whole: 1}}
		for unit := range n {
			d.units = append(d.units, unitScore{unit: n - unit, located: float64(random.IntN(20))})
		}
		sorted := slices.SortedFunc(slices.Values(d.units), func(a, b unitScore) int {
			return cmp.Or(cmp.Compare(b.located, a.located), cmp.Compare(a.unit, b.unit))
		})
		units := r.best(d)
		for _, want := range sorted {
			if got := d.units[units[0].at]; got != want {
				t.Fatalf("of %d units, %+v is taken before %+v", n, got, want)
			}
			units = units.withoutFirst()
		}
		if len(units) > 0 {
			t.Errorf("of %d units, %d are left", n, len(units))
		}
	}
}

// TestUpperBound compares the upper bound of files with the scores of their units: a file below its bound by the
// smallest rounding error can lose its place among files with the same score.
func TestUpperBound(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 7))
	r := &ranking{&corpus{weights: newWeights(nil)}, maxScores{bestUnit: 0.7, allUnits: 1.3, whole: 1.1, file: 0.9, exact: 0.3}, new(scratch)}
	r.weights.traits = newTraitWeights(requestedTraits{}, besideWeight)
	for range 20_000 {
		d := &candidate{current: 1, wordScores: wordScores{whole: random.Float64(), base: random.Float64()}}
		for range 1 + random.IntN(3) {
			d.units = append(d.units, unitScore{unit: 1, own: random.Float64(), exact: random.Float64(), located: random.Float64()})
		}
		d.sumUp(&maxScores{})
		if score, bound := r.best(d)[0].score, r.upperBound(d); score > bound {
			t.Fatalf("a unit of %+v has the score %v, above the bound %v", d, score, bound)
		}
	}
}
