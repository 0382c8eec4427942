package main

import "slices"

// score has the results of a prediction by measure, each from 0 to 1.
type score [len(measures)]float64

// measures are those of information retrieval. MRR is the reciprocal rank of the first changed
// file, recall@k the share of the changed files among the best k files, hunk@k the share of the
// changed places that the best k spans touch.
var measures = [...]string{"MRR", "recall@1", "recall@5", "recall@10", "hunk@10", "hunk@20"}

func (p *prediction) score(c testCase) (s score) {
	for i, file := range p.Files {
		if slices.Contains(c.Files, file) {
			s[0] = 1 / float64(i+1)
			break
		}
	}
	for i, k := range []int{1, 5, 10} {
		s[1+i] = share(c.Files, func(file string) bool {
			at := slices.Index(p.Files, file)
			return at >= 0 && at < k
		})
	}
	for i, k := range []int{10, 20} {
		s[4+i] = share(c.Hunks, func(h hunk) bool {
			return slices.ContainsFunc(p.Spans[:min(k, len(p.Spans))], h.touches)
		})
	}
	return s
}

func share[T any](all []T, found func(T) bool) float64 {
	n := 0
	for _, x := range all {
		if found(x) {
			n++
		}
	}
	return float64(n) / float64(max(len(all), 1))
}
