package packing

import (
	"fmt"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/tools/wording"
)

// Result is the result of request_code_context: items with code, best first, then those
// without. Of these, the items of a file follow each other.
type Result struct {
	OK        bool               `json:"ok"`
	Query     string             `json:"query"`
	TopK      int                `json:"top_k"`
	Results   []Item             `json:"results"`
	Omitted   int                `json:"omitted"`
	Partial   bool               `json:"partial,omitempty"`
	Hint      string             `json:"hint,omitempty"`
	Doubt     string             `json:"doubt,omitempty"` // why probably nothing fits, see Text
	Literals  []Literal          `json:"-"`               // only of automatic context, as are these:
	Alike     []LikeNamed        `json:"-"`
	Respelled []index.Respelling `json:"respelled,omitempty"` // the words of the query that no file has
	// WithoutVectors says why the vectors were not compared.
	WithoutVectors string `json:"without_vectors,omitempty"`
}

// maxRespelling bounds the note on a word, in bytes.
const maxRespelling = 200

// Item is a found symbol; without Snippet it is a card.
type Item struct {
	ID        string      `json:"id"` // path#START:END, the symbol's lines
	Score     float64     `json:"score,omitempty"`
	Canon     string      `json:"canon"`
	Kind      syntax.Kind `json:"kind"`
	Signature string      `json:"signature,omitempty"` // of a card
	Doc       string      `json:"doc,omitempty"`
	// if the address alone is ambiguous; never of a cut snippet
	Hash     string             `json:"hash,omitempty"`
	Relation string             `json:"relation,omitempty"` // of a card that is not a hit: calls X, tests X …
	Signals  map[string]float64 `json:"signals,omitempty"`
	Imports  string             `json:"imports,omitempty"` // of the file; only of its first item
	Code
	Implementers *subtypes     `json:"implementers,omitempty"`
	Calls        []SymbolPlace `json:"-"` // what it calls; only of automatic context, which is never stored
	// Siblings has one line for each further symbol of the file, START:END canon signature
	// (relation). Only a file's last item has them.
	Siblings []string `json:"siblings,omitempty"`
}

// Code is the code of an item.
type Code struct {
	Snippet  string   `json:"snippet,omitempty"`  // may have lines around the symbol, too
	Further  []string `json:"further,omitempty"`  // snippets of later lines, if Snippet is cut, and of imports
	Cut      string   `json:"cut,omitempty"`      // which lines no snippet shows
	Proposed string   `json:"proposed,omitempty"` // id of the proposal that the text comes from
}

// subtypes are the types that directly inherit from a type, or implement it.
type subtypes struct {
	First []SymbolPlace `json:"first"`
	Count int           `json:"count"`
}

// SymbolPlace is a symbol with its path and lines.
type SymbolPlace struct {
	ID    string `json:"id"`
	Canon string `json:"canon"`
}

// Text writes the code, best first, and a line for each symbol without code behind its file's last. If probably nothing
// fits, it says so first.
func (r Result) Text(w *wording.Writer) {
	if len(r.Results) == 0 {
		w.Linef("nothing was found for %q", r.Query)
	}
	if r.Doubt != "" {
		w.Linef("perhaps nothing fits: %s", r.Doubt)
	}
	file := ""
	for _, item := range r.Results {
		path, _, _ := CutPlace(item.ID)
		if path != file && (item.Snippet == "" || item.Proposed != "") { // else the code names it
			w.Line(wording.Marked(w.Path(path), item.Proposed))
		}
		file = path
		item.write(w)
		w.Note(item.Imports)
		for _, sibling := range item.Siblings {
			w.Line(sibling)
		}
	}
	r.writeNotes(w)
}

// write writes an item below the heading of its file.
func (item *Item) write(w *wording.Writer) {
	if item.Snippet != "" {
		item.writeCode(w)
	} else {
		w.Line(item.line())
	}
	item.Implementers.write(w)
	path, _, _ := CutPlace(item.ID)
	writeCalls(w, path, item.Calls)
}

func (item *Item) writeCode(w *wording.Writer) {
	about := item.Canon
	if item.Hash != "" {
		about += ", hash " + w.Hash(item.Hash)
	}
	if item.Doc != "" && !item.hasComment() {
		about += ": " + item.Doc
	}
	if strings.Contains(item.Canon, "::") || about != item.Canon {
		w.Line(about)
	}
	w.Shown(item.Snippet)
	for _, snippet := range item.Further {
		w.Shown(snippet)
	}
	w.Note(item.Cut)
}

// line returns the item without its code, as a sibling has it.
func (item *Item) line() string {
	_, lines, _ := CutPlace(item.ID)
	line := lines + " " + item.Canon
	if item.Signature != "" {
		line += " " + item.Signature
	}
	if item.Relation != "" {
		line += " (" + item.Relation + ")"
	}
	return line
}

func (i *subtypes) write(w *wording.Writer) {
	if i == nil {
		return
	}
	var all []string
	for _, t := range i.First {
		all = append(all, t.Canon+" "+w.Place(t.ID))
	}
	line := "implemented by " + strings.Join(all, ", ")
	if more := i.Count - len(i.First); more > 0 {
		line += fmt.Sprintf(" and %d more", more)
	}
	w.Line(line)
}

// writeNotes writes what else there is to know about the results.
func (r Result) writeNotes(w *wording.Writer) {
	for _, a := range r.Alike {
		a.write(w)
	}
	for _, l := range r.Literals {
		l.write(w)
	}
	if r.Omitted > 0 {
		w.Linef("%s left out: %s", wording.Plural(r.Omitted, "result"), r.Hint)
	}
	if r.Partial {
		w.Line("the index is still being built")
	}
	for _, word := range r.Respelled {
		w.Note(wording.Cut(word.String(), maxRespelling))
	}
	w.Note(r.WithoutVectors)
}

// CutPlace splits path#START:END.
func CutPlace(id string) (path, lines string, ok bool) {
	at := strings.LastIndexByte(id, '#')
	if at < 0 {
		return id, "", false
	}
	return id[:at], id[at+1:], true
}
