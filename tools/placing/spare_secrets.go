package placing

import (
	"slices"

	"ploke-lsp/internal/secretscan"
	"ploke-lsp/tools/wording"
)

// sparingSecrets returns the places without those that begin or end within a secret, of which a model knows only a
// placeholder, and how many these are.
func (s *SourceFile) sparingSecrets(found []Span) (kept []Span, left int) {
	secrets := s.secretSpans()
	for _, at := range found {
		if cutsAny(at, secrets) {
			left++
		} else {
			kept = append(kept, at)
		}
	}
	return kept, left
}

// secretSpans returns where the file's secrets are.
func (s *SourceFile) secretSpans() (all []Span) {
	for _, secret := range secretscan.OfText(s.Hash, s.Text) {
		all = append(all, exact(s.Text, secret)...)
	}
	return all
}

// cutsAny reports whether a place has a part of a secret, but not all of it.
func cutsAny(at Span, secrets []Span) bool {
	return slices.ContainsFunc(secrets, func(secret Span) bool {
		return at.Start < secret.End && secret.Start < at.End && (at.Start > secret.Start || at.End < secret.End) ||
			at.Start == at.End && secret.Start < at.Start && at.Start < secret.End
	})
}

// leftInSecrets adds to a note how many places were left.
func leftInSecrets(note string, left int) string {
	if left == 0 {
		return note
	}
	return wording.JoinNotes(note, wording.Plural(left, "place")+" within secrets left as they are")
}

func allInSecrets() *wording.Failure {
	return &wording.Failure{Message: "all places of old are within secrets", Code: "not_found", Field: "old",
		Hint: "replace whole secrets, or leave them as they are"}
}
