package vectors

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// minCandidates is how many vectors are compared exactly, at least. Among 100,000 random
// directions, this number of candidates includes the 20 nearest.
const minCandidates = 400

// sampleSize is how many vectors are sampled to estimate the mean and the standard
// deviation of all cosines. The estimates are within a few percent.
const sampleSize = 256

// Match is a vector that Nearest found.
type Match struct {
	Key    Key
	Cosine float64 // of the angle between the vector and the query
	// ZScore is the standard score of Cosine: by how many standard deviations it lies
	// above the mean cosine of all vectors.
	ZScore float64
}

// Nearest returns the n vectors with the largest cosine to the query, in descending order.
// It fails if the query's number of dimensions is not the set's. For a query without a
// direction (zero, infinite or not a number) it returns none. Vectors that turn out to be
// damaged leave the set.
func (s *Set) Nearest(query []float32, n int) ([]Match, error) {
	for {
		s.mu.RLock()
		sc := &scorer{set: s}
		matches, err := sc.nearest(query, n)
		s.mu.RUnlock()
		if err != nil || len(sc.damaged) == 0 {
			return matches, err
		}
		if err := s.forget(sc.damaged); err != nil {
			return nil, err
		}
	}
}

// scorer computes cosines between the vectors of a set and a query.
type scorer struct {
	set     *Set
	query   []byte // quantized
	record  []byte // buffer for the last record read
	damaged []Key
}

func (sc *scorer) nearest(query []float32, n int) ([]Match, error) {
	s := sc.set
	if len(s.keys) == 0 {
		return nil, nil
	}
	if len(query) != s.head.dimensions {
		return nil, fmt.Errorf("the query's vector has %d dimensions instead of %d", len(query), s.head.dimensions)
	}
	if !hasDirection(query) {
		return nil, nil
	}
	sc.query, sc.record = quantize(query), make([]byte, s.head.recordBytes())
	mean, deviation, err := sc.cosineStats()
	if err != nil {
		return nil, err
	}
	matches := make([]Match, 0, 2*minCandidates)
	for _, slot := range s.candidates(sc.query, max(n, minCandidates)) {
		cosine, err := sc.cosine(slot)
		if err != nil {
			return nil, err
		}
		matches = append(matches, Match{s.keys[slot], cosine, (cosine - mean) / deviation})
	}
	slices.SortFunc(matches, func(a, b Match) int {
		return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), slices.Compare(a.Key[:], b.Key[:]))
	})
	return matches[:min(n, len(matches))], nil
}

// cosine returns the cosine between the query and the vector in a slot, and notes whether
// the vector is damaged.
func (sc *scorer) cosine(slot int32) (float64, error) {
	ok, err := sc.set.readRecord(slot, sc.record)
	if !ok || err != nil {
		sc.damaged = append(sc.damaged, sc.set.keys[slot])
		return 0, err
	}
	return cosine(sc.query, sc.record[keyBytes+checksumBytes:]), nil
}

// cosineStats estimates the mean and the standard deviation of the cosines of all vectors.
// The deviation is never 0.
func (sc *scorer) cosineStats() (mean, deviation float64, err error) {
	sum, squares, n := 0.0, 0.0, 0.0
	step := max(1, len(sc.set.keys)/sampleSize)
	for slot := 0; slot < len(sc.set.keys); slot += step {
		c, err := sc.cosine(int32(slot))
		if err != nil {
			return 0, 0, err
		}
		sum, squares, n = sum+c, squares+c*c, n+1
	}
	mean = sum / n
	return mean, max(math.Sqrt(max(squares/n-mean*mean, 0)), 1e-6), nil
}

// candidates returns the slots of the n vectors whose sign bits have the smallest Hamming
// distance to the query's, and of all others with the same distance as the last.
func (s *Set) candidates(query []byte, n int) (slots []int32) {
	words := s.head.codeWords()
	code := appendSigns(make([]uint64, 0, words), query)
	distances, _ := s.pool.Get().(*[]uint16)
	if distances == nil {
		distances = new([]uint16)
	}
	defer s.pool.Put(distances)
	*distances = slices.Grow((*distances)[:0], len(s.keys))[:len(s.keys)]
	counts := make([]int, s.head.dimensions+1)
	for slot := range *distances {
		differ := 0
		for i, w := range s.codes[slot*words:][:len(code)] {
			differ += bits.OnesCount64(w ^ code[i])
		}
		(*distances)[slot] = uint16(differ)
		counts[differ]++
	}
	limit, found := 0, counts[0]
	for found < n && limit < s.head.dimensions {
		limit++
		found += counts[limit]
	}
	slots = make([]int32, 0, found)
	for slot, d := range *distances {
		if int(d) <= limit {
			slots = append(slots, int32(slot))
		}
	}
	return slots
}

// quantize scales a vector so that its largest component in magnitude becomes 127 or -127,
// and rounds each component to a signed byte.
func quantize(v []float32) []byte {
	largest := float32(0)
	for _, x := range v {
		largest = max(largest, float32(math.Abs(float64(x))))
	}
	q := make([]byte, len(v))
	for i, x := range v {
		q[i] = byte(int8(math.Round(float64(x / largest * 127))))
	}
	return q
}

// appendSigns appends the signs of a vector's components, one bit for each.
func appendSigns(codes []uint64, vector []byte) []uint64 {
	for start := 0; start < len(vector); start += 64 {
		word := uint64(0)
		for i, x := range vector[start:min(start+64, len(vector))] {
			if int8(x) > 0 {
				word |= 1 << i
			}
		}
		codes = append(codes, word)
	}
	return codes
}

// cosine returns the cosine between two quantized vectors, which must not be zero.
func cosine(a, b []byte) float64 {
	var dot, aa, bb int32
	for i, x := range a {
		x, y := int32(int8(x)), int32(int8(b[i]))
		dot += x * y
		aa += x * x
		bb += y * y
	}
	return float64(dot) / (math.Sqrt(float64(aa)) * math.Sqrt(float64(bb)))
}

// hasDirection reports whether a vector is neither zero nor infinite nor contains NaN.
func hasDirection(v []float32) bool {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return sum > 0 && !math.IsInf(sum, 0)
}
