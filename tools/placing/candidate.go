package placing

import (
	"encoding/json"
	"strings"

	"ploke-lsp/internal/syntax"
	"ploke-lsp/tools/wording"
)

// WriteCandidate writes one of the things that a call may have meant: a path or a name, a symbol, lines
// of a file, or a check. withHash says whether a symbol's hash is needed.
func WriteCandidate(w *wording.Writer, raw json.RawMessage, withHash bool) {
	var name string
	if json.Unmarshal(raw, &name) == nil {
		w.Line(w.Path(name))
		return
	}
	var c struct {
		Candidate
		Snippet string `json:"snippet"`
		Name    string `json:"name"`
		Command string `json:"command"`
	}
	switch {
	case !wording.DecodesAs(raw, &c):
		w.Line(w.Message(string(raw)))
	case c.Snippet != "":
		w.Shown(c.Snippet)
	case c.ID != "":
		words := []string{w.Place(c.ID), string(c.Kind), c.Canon}
		if c.Signature != "" {
			words = append(words, wording.OneLine(c.Signature))
		}
		if withHash {
			words = append(words, "hash "+w.Hash(c.Hash))
		}
		w.Line(strings.Join(words, " "))
	default:
		w.Linef("%s: %s", c.Name, c.Command)
	}
}

// Candidate is a symbol that a failure names.
type Candidate struct {
	ID        string      `json:"id"`
	Canon     string      `json:"canon"`
	Kind      syntax.Kind `json:"kind"`
	Signature string      `json:"signature,omitempty"` // among namesakes
	Hash      string      `json:"hash"`
}

// candidate returns a symbol as a failure names it.
func (s *SourceFile) candidate(sym syntax.Symbol) Candidate {
	return Candidate{ID: wording.PlaceID(s.Path, sym.StartLine, sym.EndLine), Canon: sym.Canon, Kind: sym.Kind,
		Hash: s.HashOf(sym)}
}
