package query

import (
	"strings"

	"ploke-lsp/index/postings"
)

// taskWordWeight is the weight of a word that names a task, not a place: "fix", "add",
// "support". Most commit messages have such words. They still count, because symbols may
// have such names.
const taskWordWeight = 0.5

// taskTerms are the terms of task words, in addition to the stop words.
var taskTerms = func() map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(`add added adding allow allowed avoid better bug change changed chore clean cleanup enhance ensure feat
		feature fix fixed fixes handle implement improve improvement instead issue make making more new not now only please
		properly refactor remove removed some support tweak update updated use used uses using all also`) {
		for _, term := range postings.Terms(word) {
			all[term] = true
		}
	}
	return all
}()

// wordWeight returns the weight of a query's word, given all of its terms.
func wordWeight(terms []string) float64 {
	if len(terms) == 1 && taskTerms[terms[0]] {
		return taskWordWeight
	}
	return 1
}
