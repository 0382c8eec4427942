package query

import (
	"cmp"
	"slices"

	"ploke-lsp/index/traits"
)

// ScorePart is a rule's part of a score. A rule that reduces a score has negative points.
type ScorePart struct {
	Rule   string
	Points float64
}

// fileRules name the parts of a file's score, in the order of fileParts.
var fileRules = [...]string{
	"words of the file's symbols", "words of the whole file", "commits like the query", "recently changed",
	"file named by the query", "words of the file's name and folders", "file declares a named symbol", "near your place in the editor",
	"meaning of the file",
}

// explain returns the parts of a unit's score, the largest first. Their sum is the score.
func (r *ranking) explain(f rankedUnit) []ScorePart {
	w, d := &r.weights, f.from
	own := []ScorePart{
		{"words of the symbol", f.text},
		{"named by the query", w.exact * f.exact},
		{"meaning of the symbol", w.dense * f.dense},
	}
	var file []ScorePart
	for i, points := range r.fileParts(d) {
		file = append(file, ScorePart{fileRules[i], points * fileWeight / r.max.file})
	}
	parts := append(own, file...)
	reduce := func(rule string, part, factor float64) float64 {
		parts = append(parts, ScorePart{rule, part * (factor - 1)})
		return part * factor
	}
	rest := sumOf(own)
	if f.unit == d.FirstUnit && d.count() > 1 {
		rest = reduce("the rest of the file", rest, w.remainder)
	}
	rest += reduce("an older version", sumOf(file), d.current)
	rest = reduce("of another kind than the query asks for", rest, w.requested.beside(traits.Set(d.Traits), w.beside))
	for _, t := range traitFactors {
		if traits.Set(d.Traits)&t.trait != 0 {
			rest = reduce(t.rule, rest, w.requested.factor(t.trait, t.weight))
		}
	}
	if product := w.traits[traits.Set(d.Traits)&traits.All]; r.kindFactor(d) > product {
		rest = reduce("its name has a word of the query", rest, r.kindFactor(d)/product)
	}
	parts = append(parts, ScorePart{"identified by a line, a quotation or the cursor", fileWeight * f.located},
		ScorePart{"a further result of its file", -f.repeated})
	parts = slices.DeleteFunc(parts, func(p ScorePart) bool { return p.Points == 0 })
	slices.SortStableFunc(parts, func(a, b ScorePart) int { return cmp.Compare(b.Points, a.Points) })
	return parts
}

// sumOf returns the sum of the points.
func sumOf(parts []ScorePart) (total float64) {
	for _, p := range parts {
		total += p.Points
	}
	return total
}
