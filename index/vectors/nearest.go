package vectors

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// candidates is how many vectors are compared exactly, at least; of 100,000 random
// directions, the 20 nearest are among them.
const candidates = 400

// sampled is of how many vectors the mean and the deviation are taken for those of all:
// they are a few percent off.
const sampled = 256

// Neighbor is a vector near another.
type Neighbor struct {
	Key    Key
	Cosine float64 // of the angle between them
	// Standard is the cosine's standard score: by how many standard deviations it is
	// above the mean of all vectors, to which the other one is near by accident.
	Standard float64
}

// Nearest are the n vectors nearest to another, the nearest first. It fails where that
// one has other dimensions than the set's.
func (s *Set) Nearest(query []float32, n int) ([]Neighbor, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if len(s.keys) == 0 {
		return nil, nil
	}
	if len(query) != s.head.dimensions {
		return nil, fmt.Errorf("the query's vector has %d dimensions, and not %d as the others", len(query), s.head.dimensions)
	}
	if !directed(query) {
		return nil, nil
	}
	m := &meter{set: s, query: quantize(query), vector: make([]byte, s.head.dimensions)}
	mean, deviation, err := m.background()
	if err != nil {
		return nil, err
	}
	near := make([]Neighbor, 0, 2*candidates)
	for _, slot := range s.candidates(m.query, max(n, candidates)) {
		cosine, err := m.cosine(slot)
		if err != nil {
			return nil, err
		}
		near = append(near, Neighbor{s.keys[slot], cosine, (cosine - mean) / deviation})
	}
	slices.SortFunc(near, func(a, b Neighbor) int {
		return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), slices.Compare(a.Key[:], b.Key[:]))
	})
	return near[:min(n, len(near))], nil
}

// meter measures how near the vectors of a set are to a query.
type meter struct {
	set    *Set
	query  []byte // quantized
	vector []byte // the last one that was read
}

// cosine is that of the angle between the query and the vector in a slot.
func (m *meter) cosine(slot int32) (float64, error) {
	s := m.set
	if _, err := s.file.ReadAt(m.vector, s.head.at(int(slot))+int64(keyBytes+sumBytes)); err != nil {
		return 0, fmt.Errorf("reading %s: %w", s.path, err)
	}
	return cosine(m.query, m.vector), nil
}

// background is the mean of the cosines of all vectors with their standard deviation,
// which is never 0.
func (m *meter) background() (mean, deviation float64, err error) {
	sum, squares, n := 0.0, 0.0, 0.0
	step := max(1, len(m.set.keys)/sampled)
	for slot := 0; slot < len(m.set.keys); slot += step {
		c, err := m.cosine(int32(slot))
		if err != nil {
			return 0, 0, err
		}
		sum, squares, n = sum+c, squares+c*c, n+1
	}
	mean = sum / n
	return mean, max(math.Sqrt(max(squares/n-mean*mean, 0)), 1e-6), nil
}

// candidates are the slots of the vectors whose signs are most like the query's: n of
// them, and those that are as like.
func (s *Set) candidates(query []byte, n int) (slots []int32) {
	words := s.head.words()
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

// quantize is the direction of a vector, whose largest part becomes 127.
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

// appendSigns appends the signs of a vector's parts, a bit for each.
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

// cosine is that of the angle between two quantized vectors, neither of which is zero.
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

// directed says whether a vector points somewhere.
func directed(v []float32) bool {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return sum > 0 && !math.IsInf(sum, 0)
}
