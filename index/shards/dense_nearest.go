package shards

import (
	"context"
	"math"

	"ploke-lsp/index/vectors"
)

// Among many passages, some are near a query by chance. When the nearest always counted in
// full, vectors without meaning cost 6 points of the MRR on the changes of
// bench/retrieval, and hashed letters as much. With these figures each costs 1 point, and
// the vectors of a model help as before.
const (
	// expectedByChance is how many passages may be nearer than chanceLevel by chance.
	expectedByChance = 5
	// discriminativeMargin is how many standard deviations above chanceLevel make a
	// passage certainly near, so that its score is 1.
	discriminativeMargin = 3
)

// VectorScores are the scores of passages that are nearer to a query than by chance, from
// 0 to 1, by shard.
type VectorScores map[*Shard]map[vectors.Key]float64

// maxNearestVectors is the number of passages of a shard that are considered.
const maxNearestVectors = 100

// NearestVectors returns the passages near a text. without says why some shard's vectors
// could not be compared; it is empty if all were, or if there are none.
func (v *vectorSearch) nearestVectors(ctx context.Context, text string) (near VectorScores, without string, err error) {
	near = VectorScores{}
	for _, s := range v.all() {
		found, err := v.nearestInShard(ctx, s, text)
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

// nearestInShard returns the scores of the passages of a shard that are near a text; 1 is
// certain, and a score may be higher.
func (v *vectorSearch) nearestInShard(ctx context.Context, s *Shard, text string) (map[vectors.Key]float64, error) {
	set, e, err := v.servingSet(s)
	if err != nil || set == nil {
		return nil, err
	}
	if err := s.refreshPassages(ctx); err != nil {
		return nil, err
	}
	vector, err := v.queryVector(ctx, e, text)
	if err != nil {
		return nil, err
	}
	nearest, err := set.Nearest(vector, maxNearestVectors)
	s.dense.mu.Lock()
	s.dense.noteLoss(s, e.Space(), set)
	s.dense.mu.Unlock()
	return aboveChance(nearest, chanceLevel(set.Len())), err
}

// aboveChance returns the scores of matches that are better than chance has them.
func aboveChance(nearest []vectors.Match, floor float64) map[vectors.Key]float64 {
	found := make(map[vectors.Key]float64, len(nearest))
	for _, n := range nearest {
		if n.ZScore > floor {
			found[n.Key] = (n.ZScore - floor) / discriminativeMargin
		}
	}
	return found
}

// chanceLevel returns the standard score that expectedByChance of n passages exceed if
// their scores are normally distributed.
func chanceLevel(n int) float64 {
	return math.Sqrt2 * math.Erfinv(1-2*min(expectedByChance/float64(n), 0.5))
}

// servingSet returns the vectors that searches use, and the embedder for queries: the
// current embedder's, or until they are complete those of the most recent embedder that is
// still available. It returns nil if there are none.
func (v *vectorSearch) servingSet(s *Shard) (*vectors.Set, Embedder, error) {
	e, earlier := v.queryVectors.embedders()
	if e == nil {
		return nil, nil, nil
	}
	set, err := s.vectorSet(e.Space())
	if err != nil || set.Complete() {
		return set, e, err
	}
	if earlier == nil {
		return nil, nil, nil
	}
	for _, space := range vectorSpacesIn(s.dir) {
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
		if embedder := earlier(space); embedder != nil {
			return set, embedder, nil
		}
	}
	return nil, nil, nil
}

// normalize divides the scores by the highest if that is above 1.
func (n VectorScores) normalize() {
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
