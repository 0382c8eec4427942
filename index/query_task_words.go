package index

import (
	"strings"

	"ploke-lsp/index/postings"
)

// requestWeight is of a word that says what to do, in most changes to most programs,
// rather than where: "fix", "add", "support". Symbols may be called like that, so it is
// not nothing.
const taskWordWeight = 0.5

// requests are terms of such words, beside the stop words.
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

// wordWeight is what the terms of a word of a query count, of which these are all.
func wordWeight(terms []string) float64 {
	if len(terms) == 1 && taskTerms[terms[0]] {
		return taskWordWeight
	}
	return 1
}
