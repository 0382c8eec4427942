package tools

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
)

// placeCanonical places an edit by a symbol's address.
func placeCanonical(src *source, e codeEdit) (edits.Edit, error) {
	if e.At == "" {
		e.At = placeReplace
	}
	if err := checkCode(e); err != nil {
		return edits.Edit{}, err
	}
	if e.Canon == "" {
		return placeInFile(src, e)
	}
	at, err := findSymbol(src, e.Canon, e.Kind)
	if err != nil {
		return edits.Edit{}, err
	}
	sym := src.syntax().Symbols[at]
	if err := checkSymbol(src, sym, e.ExpectedHash); err != nil {
		return edits.Edit{}, err
	}
	switch e.At {
	case placeBefore:
		return src.insertBefore(sym, e.Code), nil
	case placeAfter:
		return src.insertAfter(sym, e.Code), nil
	case placeFirst, placeLast:
		return placeInside(src, at, e)
	case placeDelete:
		return src.remove(sym)
	}
	return src.replaceSymbol(sym, e.Code), nil
}

func checkCode(e codeEdit) error {
	empty := strings.TrimSpace(e.Code) == ""
	if empty && e.At != placeDelete {
		return invalid("code", "code is missing", "send the complete symbol; use at: delete to remove one")
	}
	if !empty && e.At == placeDelete {
		return invalid("code", "at: delete takes no code", "leave code out, or use at: replace")
	}
	return nil
}

// findSymbol returns the index of the symbol with this address. kind may be empty.
func findSymbol(src *source, canon, kind string) (int, error) {
	symbols := src.syntax().Symbols
	var found []int
	for i, s := range symbols {
		if (s.Canon == canon || s.Canon == address(canon)) && (kind == "" || string(s.Kind) == kind) {
			found = append(found, i)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	if len(found) > 1 {
		f := &Failure{Message: canon + " is the address of several symbols", Code: "ambiguous", Field: "kind",
			Hint: "say which kind"}
		for _, i := range found[:min(len(found), candidateCount)] {
			f.Candidates = append(f.Candidates, candidate(src, symbols[i]))
		}
		return 0, f
	}
	f := &Failure{Message: "there is no symbol " + canon + " in " + src.rel, Code: "not_found", Field: "canon",
		Hint: "use one of the candidates, or get_file_metadata for the outline"}
	if src.language == "" {
		f.Hint = "this kind of file has no symbols here: use replace or splice"
	}
	rank := func(s syntax.Symbol) float64 { return max(similarity(canon, s.Canon), similarity(canon, s.Name)) }
	for _, s := range nearest(symbols, rank, candidateCount) {
		f.Candidates = append(f.Candidates, candidate(src, s))
	}
	return 0, f
}

// symbolCandidate is a symbol that a failure names.
type symbolCandidate struct {
	ID    string      `json:"id"`
	Canon string      `json:"canon"`
	Kind  syntax.Kind `json:"kind"`
	Hash  string      `json:"hash"`
}

func candidate(src *source, s syntax.Symbol) symbolCandidate {
	return symbolCandidate{placeID(src.Path, s.StartLine, s.EndLine), s.Canon, s.Kind, src.hash(s)}
}

// placeID is how results name a range of lines.
func placeID(path string, startLine, endLine int) string {
	return fmt.Sprintf("%s#%d:%d", path, startLine, endLine)
}

// hash returns the hash of a symbol's text, without the doc comment.
func (s *source) hash(sym syntax.Symbol) string {
	return workspace.Hash(s.Text[sym.Start:sym.End])
}

// checkSymbol checks that sym is the symbol that the model has seen. Addresses of namesakes
// contain their number in the file, which may shift, so for namesakes the hash is required.
func checkSymbol(src *source, sym syntax.Symbol, expected string) error {
	hash := src.hash(sym)
	if expected == hash {
		return nil
	}
	var namesakes []any
	base := syntax.Plain(sym.Canon)
	for _, other := range src.syntax().Symbols {
		if syntax.Plain(other.Canon) == base && other.Kind == sym.Kind && len(namesakes) < candidateCount {
			namesakes = append(namesakes, candidate(src, other))
		}
	}
	if expected != "" {
		return &Failure{Message: fmt.Sprintf("%s has changed: its hash is %s", sym.Canon, hash), Code: "stale", Field: "expected_hash",
			Hint: "read it again with code_item_lookup, then edit with its hash", Candidates: namesakes}
	}
	if len(namesakes) > 1 {
		return &Failure{Message: sym.Canon + " has namesakes in this file", Code: "hash_required", Field: "expected_hash",
			Hint: "send the hash of the one you mean", Candidates: namesakes}
	}
	return nil
}

// replaceSymbol replaces a symbol, with its doc comment if code has one.
func (s *source) replaceSymbol(sym syntax.Symbol, code string) edits.Edit {
	start, end := sym.Start, sym.End
	if s.isBarSeparated(sym) {
		code = withoutBar(code)
	}
	if s.commented(code) {
		start, end = s.commentStart(sym), s.docEnd(sym)
	}
	text := reindent(s.withoutPresentSeparator(sym, code), s.indentAt(start), s.language)
	if end > start && s.Text[end-1] == '\n' {
		text += "\n"
	}
	return edits.Edit{Start: start, End: end, New: text}
}

// commented reports whether code begins with a comment, or ends with one in a language that has
// doc comments there.
func (s *source) commented(code string) bool {
	_, behind := s.splitTrailingComment(code)
	return beginsWithComment(code, s.language) || s.isML() && behind != ""
}

// indentAt returns the indentation of the line of offset.
func (s *source) indentAt(offset int) string {
	return indentOf(string(s.Text[s.lineStart(offset):offset]))
}

// docAttribute matches the text before a doc comment that is a statement of the language.
var docAttribute = regexp.MustCompile(`^\s*(?:@(?:type|module)?doc(?:\s+~[sS])?|desc)\s*$`)

// commentStart returns where the comment above a symbol begins, or the symbol's start. In
// Python it is a plain comment, since the doc comment is inside the symbol. In Elixir and Ruby
// it is the complete @doc or desc, of which the doc comment is only the text.
func (s *source) commentStart(sym syntax.Symbol) int {
	if sym.DocStart < sym.DocEnd && sym.DocEnd <= sym.Start && s.skip(sym.DocEnd) >= sym.Start {
		line := s.lineStart(sym.DocStart)
		if before := string(s.Text[line:sym.DocStart]); docAttribute.MatchString(before) {
			return line + len(indentOf(before))
		}
		return sym.DocStart
	}
	start := sym.Start
	for at := s.lineStart(start); s.language == "python" && at > 0; {
		at = s.lineStart(at - 1)
		indent := len(indentOf(string(s.Text[at:s.lineEnd(at)])))
		if !bytes.HasPrefix(s.Text[at+indent:], []byte("#")) {
			break
		}
		start = at + indent
	}
	return start
}
