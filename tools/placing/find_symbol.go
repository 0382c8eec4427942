package placing

import (
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/internal/syntax"
	"ploke-lsp/tools/wording"
)

// namesakes returns symbols, among which a call has to choose, with their signatures.
func (s *SourceFile) namesakes(indexes []int) (all []Candidate) {
	for _, i := range indexes {
		c := s.candidate(s.Syntax().Symbols[i])
		c.Signature = s.Syntax().Symbols[i].Signature(s.Text)
		all = append(all, c)
	}
	return all
}

// shownNamesakes bounds how many namesakes a failure lists. If there are more, it gives their count.
const shownNamesakes = 30

// WithNamesakes adds to a failure the symbols among which a call has to choose, with their signatures.
func WithNamesakes(f *wording.Failure, found []Candidate) *wording.Failure {
	for _, c := range found[:min(len(found), shownNamesakes)] {
		f.Candidates = append(f.Candidates, c)
	}
	if more := len(found) - shownNamesakes; more > 0 {
		f.Message += fmt.Sprintf(" (%d; the first %d are listed)", len(found), shownNamesakes)
	}
	return f
}

// FindSymbol returns the index of the symbol that an edit's address means. The kind and the hash
// may be empty.
func FindSymbol(src *SourceFile, e Request) (int, error) {
	symbols, canon := src.Syntax().Symbols, e.Canon
	found := OfKind(src.Find(canon), e.Kind, func(i int) syntax.Kind { return symbols[i].Kind })
	if e.NewName != "" { // an impl block has the name of its type
		found = slices.DeleteFunc(found, func(i int) bool { return symbols[i].Kind == syntax.KindImpl })
	}
	if having := src.having(e.ExpectedHash, found); len(having) == 1 {
		return having[0], nil
	}
	if len(found) == 1 {
		return found[0], nil
	}
	if fitting := src.fitting(found, e); len(fitting) == 1 {
		return fitting[0], nil
	}
	if len(found) > 1 {
		f := &wording.Failure{Message: canon + " is the address of several symbols", Code: "ambiguous", Field: "canon",
			Hint: "send the canon and kind of one of the candidates"}
		return 0, WithNamesakes(f, src.namesakes(found))
	}
	f := &wording.Failure{Message: "there is no symbol " + canon + " in " + src.Rel, Code: "not_found", Field: "canon",
		Hint: "use one of the candidates, or look with get_file_metadata"}
	if src.Language == "" {
		f.Hint = "this kind of file has no symbols here: use replace or splice"
	}
	f.Candidates = src.SymbolsLike(canon)
	return 0, f
}

// SymbolsLike returns the symbols with the most similar names as candidates.
func (s *SourceFile) SymbolsLike(name string) (near []any) {
	rank := func(sym syntax.Symbol) float64 {
		return max(wording.NameSimilarity(name, sym.Canon), wording.NameSimilarity(name, sym.Name))
	}
	for _, sym := range wording.Nearest(s.Syntax().Symbols, rank, wording.Candidates) {
		near = append(near, s.candidate(sym))
	}
	return near
}

// meantSymbol returns the symbol that an edit means: the one that was found by its address, or its
// only namesake that has the expected hash. The address of a namesake has its number in the file,
// which may shift. So for namesakes the hash is required, unless the model sends the number of one
// whose signature no other has.
func meantSymbol(src *SourceFile, e Request) (int, error) {
	at, err := FindSymbol(src, e)
	if err != nil {
		return 0, err
	}
	sym := src.Syntax().Symbols[at]
	base := syntax.Plain(sym.Canon)
	all := src.Where(func(other syntax.Symbol) bool { return other.Kind == sym.Kind && syntax.Plain(other.Canon) == base })
	if e.ExpectedHash != "" {
		return withHash(src, at, all, e.ExpectedHash)
	}
	namesakes := src.namesakes(all)
	if len(namesakes) > 1 && !(isNumbered(e.Canon) && hasOwnSignature(src, sym, namesakes)) {
		f := &wording.Failure{Message: sym.Canon + " has namesakes in this file", Code: wording.CodeHashRequired,
			Field: "expected_hash",
			Hint:  "send the hash of the one you mean"}
		return 0, WithNamesakes(f, namesakes)
	}
	return at, nil
}

// withHash returns the found symbol if it has the hash, or else its only namesake that has it.
func withHash(src *SourceFile, found int, namesakes []int, hash string) (int, error) {
	if having := src.having(hash, []int{found}); len(having) == 1 {
		return found, nil
	}
	if having := src.having(hash, namesakes); len(having) == 1 {
		return having[0], nil
	}
	sym := src.Syntax().Symbols[found]
	f := &wording.Failure{Message: sym.Canon + ": " + wording.OtherHash(hash, src.HashOf(sym)), Code: "stale",
		Field: "expected_hash",
		Hint:  "read it again with code_item_lookup, then edit with its hash"}
	return 0, WithNamesakes(f, src.namesakes(namesakes))
}

func (s *SourceFile) having(hash string, symbols []int) []int {
	return slices.DeleteFunc(slices.Clone(symbols),
		func(i int) bool { return !wording.IsHash(hash, s.HashOf(s.Syntax().Symbols[i])) })
}

// isNumbered reports whether an address has a number that tells namesakes apart.
func isNumbered(canon string) bool {
	canon = strings.TrimSpace(canon)
	return syntax.Plain(canon) != canon
}

func hasOwnSignature(src *SourceFile, sym syntax.Symbol, namesakes []Candidate) bool {
	signature, same := sym.Signature(src.Text), 0
	for _, other := range namesakes {
		if other.Signature == signature {
			same++
		}
	}
	return same == 1
}
