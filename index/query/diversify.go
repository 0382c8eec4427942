package query

import "math"

const (
	// repeatPenalty is what the second unit of a file loses. The n-th loses it times the
	// square root of n-1. So the results are not all of one file.
	repeatPenalty = 0.6
	// focusedPenalty is the same for a focused query.
	focusedPenalty = 0.15
	// leadPenalty is added to repeatPenalty for the first leadPlaces places: they go to
	// different files, unless one file is far ahead.
	leadPenalty = 1.5
	leadPlaces  = 3
)

// penalties are what further units of a file lose.
type penalties struct {
	repeat, lead float64
}

func newPenalties(focused bool, weight float64) penalties {
	if focused {
		return penalties{repeat: weight * focusedPenalty}
	}
	return penalties{weight * repeatPenalty, weight * leadPenalty}
}

// diversifier selects the best units, with a penalty for further units of a file.
type diversifier struct {
	ranking
	limit  int
	closed []*candidate // whose units are not ranked yet, by descending upper bound
	open   []rankedFile
}

// rankedFile is a file with its units.
type rankedFile struct {
	*candidate
	units unitHeap // that are not selected yet
	taken int      // number of selected units
}

// results selects up to limit units.
func (s *diversifier) results() (selected []rankedUnit) {
	selected = make([]rankedUnit, 0, min(s.limit, len(s.closed)))
	for len(selected) < s.limit {
		lead := 0.0
		if len(selected) < leadPlaces {
			lead = s.penalties.lead
		}
		unit, ok := s.next(lead)
		if !ok {
			break
		}
		selected = append(selected, unit)
	}
	return selected
}

// next selects the best unit. The penalty lead counts for the selection, but not in the
// unit's score.
//
// The score of a unit falls with each unit of its file that was selected before, so no order that is made once is
// right. But a file that is not open has an upper bound, and these are in falling order: as long as the best unit of
// the open files is above the first bound, no closed file can have a better one. So only the files that may have the
// best unit are opened, and a search that shows ten units scores those of a few files more.
func (s *diversifier) next(lead float64) (unit rankedUnit, ok bool) {
	best, score := -1, 0.0
	consider := func(i int) {
		f := &s.open[i]
		if len(f.units) == 0 {
			return
		}
		other := f.units[0].score - (s.penalties.repeat+lead)*math.Sqrt(float64(f.taken))
		if best < 0 || other > score || other == score && s.comesBefore(f.candidate, s.open[best].candidate) {
			best, score = i, other
		}
	}
	for i := range s.open {
		consider(i)
	}
	for len(s.closed) > 0 && (best < 0 || s.closed[0].upperBound >= score) {
		s.open = append(s.open, rankedFile{candidate: s.closed[0], units: s.best(s.closed[0])})
		s.closed = s.closed[1:]
		consider(len(s.open) - 1)
	}
	if best < 0 {
		return unit, false
	}
	f := &s.open[best]
	unit = s.ranked(f.candidate, f.units[0])
	unit.repeated = s.penalties.repeat * math.Sqrt(float64(f.taken))
	unit.score -= unit.repeated
	if s.explains {
		unit.parts = s.explain(unit)
	}
	f.units, f.taken = f.units.withoutFirst(), f.taken+1
	return unit, true
}

// comesBefore reports whether a document's path is before another's, so that the order of
// equal scores does not depend on how the index was built.
func (s *diversifier) comesBefore(a, b *candidate) bool {
	return compareDocs(s.views[a.view], a.doc, s.views[b.view], b.doc) < 0
}
