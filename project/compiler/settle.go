package compiler

import (
	"context"
	"slices"
)

// maxDoubts is how many places a server is asked about one by one.
const maxDoubts = 16

// Settled asks a source, and compares the answer with the places that were found by name if the server does not say
// whether it has read the project. The answer counts as complete if the server knows the symbol, and says of each place
// that it has left out what else is meant there. A server that has not read a file says nothing of it, or reads it then
// and is asked once more.
func Settled(ctx context.Context, s Source, q Question,
	ask func(context.Context, Question) (*Answer, error)) (*Answer, error) {
	for again := false; ; again = true {
		answer, err := ask(ctx, q)
		if err != nil || answer.Readiness != Unknown || q.ByName == nil {
			return answer, err
		}
		complete, missed := compareByName(ctx, s, q, answer.Places)
		if complete {
			answer.Readiness = Complete
		}
		if complete || !missed || again {
			return answer, ctx.Err()
		}
	}
}

// compareByName compares the places of an answer with those that were found by name. missed says that the server knows
// of one that it is a use.
func compareByName(ctx context.Context, s Source, q Question, places []Place) (complete, missed bool) {
	doubts := slices.DeleteFunc(slices.Clone(q.ByName(ctx)), func(p Place) bool {
		return slices.ContainsFunc(places, p.overlaps)
	})
	if len(doubts) > maxDoubts {
		return false, false
	}
	own := Place{Path: q.Path, Start: q.Offset, End: q.Offset + 1}
	if meant, err := s.Definition(ctx, q); err != nil || !slices.ContainsFunc(meant.Places, own.overlaps) {
		return false, false
	}
	for _, p := range doubts {
		meant, err := s.Definition(ctx, Question{Path: p.Path, Offset: p.Start, Hash: p.Hash})
		switch {
		case err != nil || len(meant.Places) == 0 && !meant.Outside:
			return false, false
		case slices.ContainsFunc(meant.Places, own.overlaps):
			return false, true
		}
	}
	return true, false
}

// overlaps reports whether two places have a byte in common.
func (p Place) overlaps(other Place) bool {
	return p.Path == other.Path && p.Start < other.End && other.Start < p.End
}
