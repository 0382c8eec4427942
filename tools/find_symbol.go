package tools

import (
	"fmt"
	"strings"

	"ploke-lsp/internal/syntax"
)

// symbolCandidate is a symbol that a failure names.
type symbolCandidate struct {
	ID        string      `json:"id"`
	Canon     string      `json:"canon"`
	Kind      syntax.Kind `json:"kind"`
	Signature string      `json:"signature,omitempty"` // among namesakes
	Hash      string      `json:"hash"`
}

func candidate(src *source, s syntax.Symbol) symbolCandidate {
	return src.item(s).candidate()
}

func (it *codeItem) candidate() symbolCandidate {
	return symbolCandidate{ID: it.id(), Canon: it.canon, Kind: it.kind, Hash: it.hash}
}

// shownNamesakes bounds how many namesakes a failure lists. If there are more, it gives their count.
const shownNamesakes = 30

// namesakes adds the symbols among which a call has to choose, with their signatures.
func (f *Failure) namesakes(found []*codeItem) *Failure {
	for _, it := range found[:min(len(found), shownNamesakes)] {
		c := it.candidate()
		c.Signature = it.signature
		f.Candidates = append(f.Candidates, c)
	}
	if more := len(found) - shownNamesakes; more > 0 {
		f.Message += fmt.Sprintf(" (%d; the first %d are listed)", len(found), shownNamesakes)
	}
	return f
}

func (s *source) items(indexes []int) (items []*codeItem) {
	for _, i := range indexes {
		items = append(items, s.item(s.syntax().Symbols[i]))
	}
	return items
}

// findSymbol returns the index of the symbol that an address means. kind may be empty.
func findSymbol(src *source, canon, kind string) (int, error) {
	symbols := src.syntax().Symbols
	found := ofKind(src.find(canon), kind, func(i int) syntax.Kind { return symbols[i].Kind })
	if len(found) == 1 {
		return found[0], nil
	}
	if len(found) > 1 {
		f := &Failure{Message: canon + " is the address of several symbols", Code: "ambiguous", Field: "canon",
			Hint: "send the canon and kind of one of the candidates"}
		return 0, f.namesakes(src.items(found))
	}
	f := &Failure{Message: "there is no symbol " + canon + " in " + src.rel, Code: "not_found", Field: "canon",
		Hint: "use one of the candidates, or get_file_metadata for the outline"}
	if src.language == "" {
		f.Hint = "this kind of file has no symbols here: use replace or splice"
	}
	f.Candidates = src.symbolsLike(canon)
	return 0, f
}

// symbolsLike returns the symbols with the most similar names as candidates.
func (s *source) symbolsLike(name string) (near []any) {
	rank := func(sym syntax.Symbol) float64 { return max(similarity(name, sym.Canon), similarity(name, sym.Name)) }
	for _, sym := range nearest(s.syntax().Symbols, rank, candidateCount) {
		near = append(near, candidate(s, sym))
	}
	return near
}

// checkSymbol checks that sym is the symbol that the model has seen. Addresses of namesakes
// contain their number in the file, which may shift, so for namesakes the hash is required, unless
// the model sends the number of one whose signature no other has.
func checkSymbol(src *source, sym syntax.Symbol, e codeEdit) error {
	hash := src.hash(sym)
	if e.ExpectedHash == hash {
		return nil
	}
	base := syntax.Plain(sym.Canon)
	namesakes := src.items(src.where(func(other syntax.Symbol) bool {
		return other.Kind == sym.Kind && syntax.Plain(other.Canon) == base
	}))
	if e.ExpectedHash != "" {
		f := &Failure{Message: fmt.Sprintf("%s has changed: its hash is %s", sym.Canon, hash), Code: "stale", Field: "expected_hash",
			Hint: "read it again with code_item_lookup, then edit with its hash"}
		return f.namesakes(namesakes)
	}
	if len(namesakes) > 1 && !(isNumbered(e.Canon) && hasOwnSignature(src, sym, namesakes)) {
		f := &Failure{Message: sym.Canon + " has namesakes in this file", Code: codeHashRequired, Field: "expected_hash",
			Hint: "send the hash of the one you mean"}
		return f.namesakes(namesakes)
	}
	return nil
}

// isNumbered reports whether an address has a number that tells namesakes apart.
func isNumbered(canon string) bool {
	canon = strings.TrimSpace(canon)
	return syntax.Plain(canon) != canon
}

func hasOwnSignature(src *source, sym syntax.Symbol, namesakes []*codeItem) bool {
	signature, same := sym.Signature(src.Text), 0
	for _, other := range namesakes {
		if other.signature == signature {
			same++
		}
	}
	return same == 1
}

// whichSymbol asks which of several symbols is meant.
func whichSymbol(found []*codeItem) *Failure {
	f := &Failure{Message: found[0].name + " is the name of several symbols", Code: "ambiguous", Field: "canon",
		Hint: "send the canon, file and kind of one of the candidates"}
	return f.namesakes(found)
}
