package index

import (
	"context"
	"math"
	"ploke-lsp/index/vectors"
)

// Among many passages some lie near a question though they have nothing to do with it.
// While the nearest counted in full whatever it was, vectors that say nothing cost 6 points
// of the MRR on changes of bench/retrieval, and those of hashed letters as much. By these
// figures it is 1 of either, and what a model knows helps as before.
const (
	// byChance is how many passages may lie nearer than what counts by chance.
	expectedByChance = 5
	// telling is by how many standard deviations more a passage is near for certain.
	discriminativeMargin = 3
)

// neighborhood is what lies nearer to a question than by accident, by shard, and how near:
// from 0 to 1.
type vectorScores map[*shard]map[vectors.Key]float64

// maxNeighbors is how many passages of a shard are looked at.
const maxNearestVectors = 100

// neighbors finds what lies near a question. without says why that is not known of all
// shards that have vectors; it is empty where there is nothing to be known.
func (x *Index) nearestVectors(ctx context.Context, text string) (near vectorScores, without string, err error) {
	near = vectorScores{}
	for _, s := range x.all() {
		found, err := x.nearestInShard(ctx, s, text)
		if ctx.Err() != nil {
			return nil, "", ctx.Err()
		}
		if err != nil {
			without = err.Error()
			continue
		}
		if len(found) > 0 {
			near[s] = found
		}
	}
	near.normalize()
	return near, without, nil
}

// neighborsIn is what lies near a question in a shard, 1 where that is certain, and more.
func (x *Index) nearestInShard(ctx context.Context, s *shard, text string) (map[vectors.Key]float64, error) {
	set, e, err := x.servingSet(s)
	if err != nil || set == nil {
		return nil, err
	}
	if err := s.refreshPassages(ctx); err != nil {
		return nil, err
	}
	vector, err := x.queryVector(ctx, e, text)
	if err != nil {
		return nil, err
	}
	nearest, err := set.Nearest(vector, maxNearestVectors)
	found := make(map[vectors.Key]float64, len(nearest))
	floor := chanceLevel(set.Len())
	for _, n := range nearest {
		if n.Standard > floor {
			found[n.Key] = (n.Standard - floor) / discriminativeMargin
		}
	}
	return found, err
}

// chance is the standard score above which there are byChance of n passages if nothing
// but chance decides: the normal distribution's.
func chanceLevel(n int) float64 {
	return math.Sqrt2 * math.Erfinv(1-2*min(expectedByChance/float64(n), 0.5))
}

// serving is the set of vectors that searches use, with the embedder for questions: the
// one in use, or until that is complete the last that was, if there is a way to ask for
// its vectors; nil if there is none.
func (x *Index) servingSet(s *shard) (*vectors.Set, Embedder, error) {
	e, other := x.queryVectors.embedders()
	if e == nil {
		return nil, nil, nil
	}
	set, err := s.vectorSet(e.Space())
	if err != nil || set.Complete() {
		return set, e, err
	}
	if other == nil {
		return nil, nil, nil
	}
	for _, space := range s.vectorSpaces() {
		if space == e.Space() {
			continue
		}
		set, err := s.vectorSet(space)
		if err != nil {
			return nil, nil, err
		}
		if !set.Complete() {
			continue
		}
		if old := other(space); old != nil {
			return set, old, nil
		}
	}
	return nil, nil, nil
}

// normalize divides by the nearest, where it is more than near for certain.
func (n vectorScores) normalize() {
	highest := 1.0
	for _, found := range n {
		for _, near := range found {
			highest = max(highest, near)
		}
	}
	for _, found := range n {
		for key := range found {
			found[key] /= highest
		}
	}
}
