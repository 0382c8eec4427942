package main

import (
	"math"
	"testing"
)

// TestMeasures counts what a ranking found.
func TestMeasures(t *testing.T) {
	change := &testCase{Files: []string{"b", "z"}, Hunks: []hunk{{"b", 10, 3}, {"b", 12, 1}, {"b", 250, 0}, {"z", 1, 1}}}
	question := &testCase{}
	question.Targets = []target{{"b", 15, 15}, {"b", 0, 0}, {"a", 200, 201}, {"z", 0, 0}}
	r := &ranking{Files: []string{"a", "b"}, Spans: []span{{"a", 1, 98}, {"a", 1, 98}, {"b", 11, 20}, {"b", 249, 251}}}
	ideal := discount(0) + discount(1) + discount(2) + discount(3)
	for name, want := range map[string]float64{
		"MRR":          1.0 / 2,
		"recall@1":     0,
		"recall@5":     1.0 / 2,
		"hunk@10":      3.0 / 4,
		"lines@100":    2.0 / 5, // the lines are b 10, 11, 12, 250, and z 1
		"lines@300":    3.0 / 5,
		"hit@1":        0,
		"hit@3":        1,
		"Acc@3":        0,
		"NDCG@10 unit": discount(2) / ideal, // two targets share their first span
		"NDCG@10 file": (discount(0) + discount(1)) / ideal,
	} {
		got := math.NaN()
		for _, s := range sets {
			for _, m := range s.measures {
				c := change
				if s.name == "questions" {
					c = question
				}
				if m.name == name {
					got = m.of(c, r)
				}
			}
		}
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	both := &testCase{Files: []string{"a", "b"}}
	if one, two := accuracyAt(1).of(both, r), accuracyAt(3).of(both, r); one != 0 || two != 1 {
		t.Errorf("the accuracy is %v of one file, %v of three", one, two)
	}
}

// TestDepth checks that no result beyond the tenth counts for the NDCG, and no more than ten targets
// are expected.
func TestDepth(t *testing.T) {
	c, r := &testCase{}, &ranking{}
	c.Targets = []target{{"file", 0, 0}}
	for range depth {
		r.Spans = append(r.Spans, span{"other", 1, 1})
	}
	r.Spans = append(r.Spans, span{"file", 1, 1})
	if got := unitNDCG(c, r); got != 0 {
		t.Errorf("the NDCG is %v", got)
	}
	r.Spans = r.Spans[1:]
	if got := unitNDCG(c, r); got != discount(depth-1) {
		t.Errorf("the NDCG is %v of the tenth result", got)
	}
	for range depth {
		c.Targets = append(c.Targets, target{"gone", 0, 0})
	}
	var ideal float64
	for at := range depth {
		ideal += discount(at)
	}
	if got := unitNDCG(c, r); got != discount(depth-1)/ideal {
		t.Errorf("the NDCG is %v of one of eleven targets", got)
	}
}

// TestInterval compares the interval of a share with the normal approximation of the binomial
// distribution.
func TestInterval(t *testing.T) {
	all := make([]*outcome, 400)
	for i := range all {
		all[i] = &outcome{views: []viewOutcome{{scores: []float64{float64(i % 2)}}}}
	}
	got := estimate("half", all, func(o *outcome) float64 { return o.views[0].scores[0] })
	if deviation := 196 * math.Sqrt(0.25/400); got.Mean != 50 || math.Abs(got.Low-(50-deviation)) > 0.7 ||
		math.Abs(got.High-(50+deviation)) > 0.7 {
		t.Errorf("the interval is %v, want 50 ± %.1f", got, deviation)
	}
}
