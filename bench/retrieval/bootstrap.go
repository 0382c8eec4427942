package main

import (
	"math"
	"math/rand/v2"
	"slices"
)

// figure is the mean of a measure over cases, in percent, and its 95 % percentile bootstrap interval.
type figure struct {
	Name string  `json:"name"`
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// estimate returns a figure over cases. The same cases give the same interval each time.
func estimate(name string, all []*outcome, of func(*outcome) float64) figure {
	const samples = 2000
	random := rand.New(rand.NewPCG(1, 1))
	values := make([]float64, len(all))
	for i, o := range all {
		values[i] = of(o)
	}
	means := make([]float64, samples)
	for i := range means {
		for range values {
			means[i] += values[random.IntN(len(values))] / float64(len(values))
		}
	}
	slices.Sort(means)
	return figure{name, percent(all, of), rounded(means[samples/40]), rounded(means[samples-samples/40-1])}
}

// percent returns the mean of a measure over cases.
func percent(all []*outcome, of func(*outcome) float64) (mean float64) {
	for _, o := range all {
		mean += of(o) / float64(len(all))
	}
	return rounded(mean)
}

// rounded returns a share in percent with two decimals.
func rounded(share float64) float64 { return math.Round(share*1e4) / 100 }
