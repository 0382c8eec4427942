package main

import (
	"fmt"
	"math"
	"slices"
)

// measure says how good a ranking is for a case, from 0 to 1.
type measure struct {
	name string
	of   func(*testCase, *ranking) float64
}

// changeMeasures are those of information retrieval for changes.
var changeMeasures = []measure{
	{"MRR", reciprocalRank},
	recallAt(1), recallAt(5), recallAt(10),
	hunksAt(10), hunksAt(20),
	linesAt(100), linesAt(300), linesAt(500),
}

// issueMeasures are those of papers on finding the code of an issue (Agentless, LocAgent).
var issueMeasures = []measure{
	accuracyAt(1), accuracyAt(3), accuracyAt(5), accuracyAt(10),
	hitAt(1), hitAt(3), hitAt(5), hitAt(10),
}

// questionMeasures are those of the peer whose questions they are.
var questionMeasures = []measure{{"NDCG@10 unit", unitNDCG}, {"NDCG@10 file", fileNDCG}}

// nameMeasures are about a single target.
var nameMeasures = []measure{{"MRR unit", targetRank}, {"first unit", targetFirst}, {"MRR file", targetFileRank}}

// traceMeasures are about the file of an error, and its function.
var traceMeasures = []measure{targetAt(1), targetAt(3), targetAt(10), {"MRR file", targetFileRank}, {"first unit", targetFirst}}

// settingMeasures are about the file of a setting or a document.
var settingMeasures = []measure{targetAt(1), targetAt(10), {"MRR file", targetFileRank}, {"MRR unit", targetRank}}

// doubtMeasures are about texts that nothing is about.
var doubtMeasures = []measure{{"doubted", func(_ *testCase, r *ranking) float64 {
	if r.doubted() {
		return 1
	}
	return 0
}}}

// targetAt is whether one of the best k files has a target.
func targetAt(k int) measure {
	return measure{fmt.Sprintf("Acc@%d", k), func(c *testCase, r *ranking) float64 {
		if targetFileRank(c, r) >= 1/float64(k) {
			return 1
		}
		return 0
	}}
}

// targetRank is 1 divided by the rank of the first span that shows a target.
func targetRank(c *testCase, r *ranking) float64 {
	for i, s := range r.Spans {
		if slices.ContainsFunc(c.Targets, func(t target) bool { return t.found(s) }) {
			return 1 / float64(i+1)
		}
	}
	return 0
}

// targetFirst is whether the first span shows a target.
func targetFirst(c *testCase, r *ranking) float64 { return math.Floor(targetRank(c, r)) }

// targetFileRank is 1 divided by the rank of the first file that has a target.
func targetFileRank(c *testCase, r *ranking) float64 {
	for i, file := range r.Files {
		if slices.ContainsFunc(c.Targets, func(t target) bool { return t.File == file }) {
			return 1 / float64(i+1)
		}
	}
	return 0
}

// reciprocalRank is 1 divided by the rank of the first changed file.
func reciprocalRank(c *testCase, r *ranking) float64 {
	for i, file := range r.Files {
		if slices.Contains(c.Files, file) {
			return 1 / float64(i+1)
		}
	}
	return 0
}

// filesFound is the share of the changed files among the best k files.
func filesFound(c *testCase, r *ranking, k int) float64 {
	best := r.Files[:min(k, len(r.Files))]
	return share(c.Files, func(file string) bool { return slices.Contains(best, file) })
}

func recallAt(k int) measure {
	return measure{fmt.Sprintf("recall@%d", k), func(c *testCase, r *ranking) float64 { return filesFound(c, r, k) }}
}

// accuracyAt is whether all changed files are among the best k files.
func accuracyAt(k int) measure {
	return measure{fmt.Sprintf("Acc@%d", k), func(c *testCase, r *ranking) float64 {
		return math.Floor(filesFound(c, r, k))
	}}
}

// hitAt is whether any changed file is among the best k files.
func hitAt(k int) measure {
	return measure{fmt.Sprintf("hit@%d", k), func(c *testCase, r *ranking) float64 {
		return math.Ceil(filesFound(c, r, k))
	}}
}

// hunksAt is the share of the changed places that the best k spans touch.
func hunksAt(k int) measure {
	return measure{fmt.Sprintf("hunk@%d", k), func(c *testCase, r *ranking) float64 {
		best := r.Spans[:min(k, len(r.Spans))]
		return share(c.Hunks, func(h hunk) bool { return slices.ContainsFunc(best, h.touches) })
	}}
}

// line is a line of a file.
type line struct {
	file   string
	number int
}

// linesAt is the share of the changed lines among the first n lines of the spans, best span first.
// A line counts once, and the span that goes beyond n is cut.
func linesAt(n int) measure {
	return measure{fmt.Sprintf("lines@%d", n), func(c *testCase, r *ranking) float64 {
		read := r.lines(n)
		changed := map[line]bool{}
		found := 0
		for _, h := range c.Hunks {
			for i := h.Start; i <= h.last(); i++ {
				at := line{h.File, i}
				if !changed[at] && read[at] {
					found++
				}
				changed[at] = true
			}
		}
		return float64(found) / float64(len(changed))
	}}
}

// lines returns the first n lines of the spans.
func (r *ranking) lines(n int) map[line]bool {
	read := map[line]bool{}
	for _, s := range r.Spans {
		for i := s.Start; i <= s.End && len(read) < n; i++ {
			read[line{s.File, i}] = true
		}
	}
	return read
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
