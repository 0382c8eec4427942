package results

import "slices"

// WithoutPrototypes leaves out the declarations in C and C++ of what is declared in another file, too: the edges of
// both are the same.
func WithoutPrototypes(items []Symbol) (left []Symbol) {
	for _, s := range items {
		if !slices.ContainsFunc(left, func(other Symbol) bool {
			return s.Overloads(other) && s.Path() != other.Path()
		}) {
			left = append(left, s)
		}
	}
	return left
}

// Distinct returns one symbol for all overloads.
func Distinct(items []Symbol) (distinct []Symbol) {
	for _, s := range items {
		if !slices.ContainsFunc(distinct, s.Overloads) {
			distinct = append(distinct, s)
		}
	}
	return distinct
}
