package vectors

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
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
		matches, damaged, err := s.nearest(query, n)
		s.mu.RUnlock()
		if err != nil || len(damaged) == 0 {
			return matches, err
		}
		if err := s.forget(damaged); err != nil {
			return nil, err
		}
	}
}

// scorer computes cosines between the vectors of a set and a query.
type scorer struct {
	set    *Set
	query  []byte  // quantized
	high   []int64 // its components, each shifted by half of the bits; see cosine
	length float64

	mu      sync.Mutex // guards damaged
	damaged []Key
}

// newScorer returns a scorer for a quantized query, which must not be zero.
func newScorer(s *Set, query []byte) *scorer {
	sc := &scorer{set: s, query: query, high: make([]int64, len(query)), length: math.Sqrt(float64(dot(query, query)))}
	for i, x := range query {
		sc.high[i] = int64(int8(x)) << 32
	}
	return sc
}

// nearest is Nearest with mu held for reading. It also returns the keys of damaged vectors.
func (s *Set) nearest(query []float32, n int) (matches []Match, damaged []Key, err error) {
	if len(s.keys) == 0 {
		return nil, nil, nil
	}
	if len(query) != s.head.dimensions {
		return nil, nil, fmt.Errorf("the query's vector has %d dimensions instead of %d", len(query), s.head.dimensions)
	}
	if !hasDirection(query) {
		return nil, nil, nil
	}
	sc := newScorer(s, quantize(query))
	mean, deviation, err := sc.statistics()
	if err != nil {
		return nil, nil, err
	}
	candidates := s.candidates(sc.query, max(n, minCandidates))
	matches = make([]Match, len(candidates))
	err = sc.read(candidates, func(i int, vector []byte) {
		cosine := sc.cosine(vector)
		matches[i] = Match{s.keys[candidates[i]], cosine, (cosine - mean) / deviation}
	})
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(matches, func(a, b Match) int {
		return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), slices.Compare(a.Key[:], b.Key[:]))
	})
	return matches[:min(n, len(matches))], sc.damaged, nil
}

// read calls use concurrently with the vectors in slots, by their index there, and notes which are
// damaged. A vector is valid during the call.
func (sc *scorer) read(slots []int32, use func(i int, vector []byte)) error {
	return inShares(len(slots), leastRecords, func(from, to int) error {
		record := make([]byte, sc.set.head.recordBytes())
		for i := from; i < to; i++ {
			ok, err := sc.set.readRecord(slots[i], record)
			if err != nil {
				return err
			}
			if !ok {
				sc.noteDamaged(sc.set.keys[slots[i]])
				continue
			}
			use(i, record[keyBytes+checksumBytes:])
		}
		return nil
	})
}

func (sc *scorer) noteDamaged(k Key) {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	sc.damaged = append(sc.damaged, k)
}

// cosine returns the cosine between the query and a quantized vector, which must not be zero. One
// multiplication gives a component's part of the scalar product, in the upper half of the bits, and of
// the vector's square, in the lower half. Their sums fit for maxDimensions.
func (sc *scorer) cosine(vector []byte) float64 {
	sums := int64(0)
	for i, x := range sc.high[:len(vector)] {
		y := int64(int8(vector[i]))
		sums += (x + y) * y
	}
	product, square := sums>>32, sums&math.MaxUint32
	return float64(product) / (sc.length * math.Sqrt(float64(square)))
}

// statistics estimates the mean and the standard deviation of the cosines of all vectors. The
// deviation is never 0.
func (sc *scorer) statistics() (mean, deviation float64, err error) {
	sample, err := sc.sample()
	if err != nil {
		return 0, 0, err
	}
	size := sc.set.head.dimensions
	cosines := make([]float64, len(sample)/size)
	_ = inShares(len(cosines), leastRecords, func(from, to int) error {
		for i := from; i < to; i++ {
			cosines[i] = sc.cosine(sample[i*size:][:size])
		}
		return nil
	})
	sum, squares, n := 0.0, 0.0, float64(len(cosines))
	for _, c := range cosines {
		sum, squares = sum+c, squares+c*c
	}
	mean = sum / n
	return mean, max(math.Sqrt(max(squares/n-mean*mean, 0)), 1e-6), nil
}

// sample returns some of the set's vectors, one after the other. It reads them once.
func (sc *scorer) sample() ([]byte, error) {
	s := sc.set
	s.sampling.Lock()
	defer s.sampling.Unlock()
	if s.sampled != nil {
		return s.sampled, nil
	}
	var slots []int32
	for slot := 0; slot < len(s.keys); slot += max(1, len(s.keys)/sampleSize) {
		slots = append(slots, int32(slot))
	}
	size := s.head.dimensions
	sample := make([]byte, len(slots)*size)
	err := sc.read(slots, func(i int, vector []byte) { copy(sample[i*size:], vector) })
	if err == nil && len(sc.damaged) == 0 { // otherwise they leave the set
		s.sampled = sample
	}
	return sample, err
}

// candidates returns the slots of the n vectors whose sign bits have the smallest Hamming
// distance to the query's, and of all others with the same distance as the last.
func (s *Set) candidates(query []byte, n int) (slots []int32) {
	distances, _ := s.pool.Get().(*[]uint16)
	if distances == nil {
		distances = new([]uint16)
	}
	defer s.pool.Put(distances)
	*distances = slices.Grow((*distances)[:0], len(s.keys))[:len(s.keys)]
	counts := s.distances(query, *distances)
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

// distances sets the Hamming distance between the sign bits of each vector and the query's, and
// returns how many vectors have each distance.
func (s *Set) distances(query []byte, distances []uint16) (counts []int) {
	words := s.head.codeWords()
	code := appendSigns(make([]uint64, 0, words), query)
	counts = make([]int, s.head.dimensions+1)
	var mu sync.Mutex // guards counts
	_ = inShares(len(distances), leastCodes, func(from, to int) error {
		own := make([]int, len(counts))
		for slot := from; slot < to; slot++ {
			differ := hamming(code, s.codes[slot*words:])
			distances[slot] = uint16(differ)
			own[differ]++
		}
		mu.Lock()
		defer mu.Unlock()
		for d, n := range own {
			counts[d] += n
		}
		return nil
	})
	return counts
}

// hamming returns the number of bits of a code that differ from those at the beginning of another.
func hamming(code, other []uint64) (differ int) {
	for i, w := range other[:len(code)] {
		differ += bits.OnesCount64(w ^ code[i])
	}
	return differ
}

// The least work for which another goroutine is worth its start, about 50 microseconds.
const (
	leastRecords = 64
	leastCodes   = 4096
)

// inShares calls do concurrently for consecutive ranges of the numbers below n, one for each
// processor, each of them with least numbers or more.
func inShares(n, least int, do func(from, to int) error) error {
	var g errgroup.Group
	shares := max(1, min(runtime.GOMAXPROCS(0), n/least))
	for i := range shares {
		g.Go(func() error { return do(i*n/shares, (i+1)*n/shares) })
	}
	return g.Wait()
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

// dot returns the scalar product of two quantized vectors.
func dot(a, b []byte) (product int32) {
	for i, x := range a {
		product += int32(int8(x)) * int32(int8(b[i]))
	}
	return product
}

// hasDirection reports whether a vector is neither zero nor infinite nor contains NaN.
func hasDirection(v []float32) bool {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return sum > 0 && !math.IsInf(sum, 0)
}
