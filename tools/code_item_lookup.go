package tools

import (
	"context"
	_ "embed"
	"fmt"

	"ploke-lsp/internal/syntax"
)

//go:embed code_item_lookup.md
var codeItemLookupDescription string

const (
	lookupItems = 8
	lookupBytes = 24 << 10 // of all snippets together
	docBytes    = 1000
)

type codeItemLookupArgs struct {
	Name  string `json:"name,omitempty" jsonschema:"name; or send canon" secrets:"named"`
	Canon string `json:"canon,omitempty" jsonschema:"address in the file" secrets:"named"`
	File  string `json:"file,omitempty" jsonschema:"path" secrets:"named"`
	Kind  string `json:"kind,omitempty" jsonschema:"function, method, type, struct, class, interface, field, constant …"`
}

type lookedUpItem struct {
	ID        string      `json:"id"`
	Canon     string      `json:"canon"`
	Name      string      `json:"name"`
	Kind      syntax.Kind `json:"kind"`
	File      string      `json:"file"`
	Signature string      `json:"signature"`
	Doc       string      `json:"doc"`
	Hash      string      `json:"hash"`
	FileHash  string      `json:"file_hash"`
	StartLine int         `json:"start_line"`
	EndLine   int         `json:"end_line"`
	StartByte int         `json:"start_byte"`
	EndByte   int         `json:"end_byte"`
	Snippet   string      `json:"snippet"`
	Cut       string      `json:"cut,omitempty"` // what the snippet lacks, and how to get it
}

type codeItemLookupResult struct {
	OK      bool           `json:"ok"`
	Items   []lookedUpItem `json:"items"`
	Omitted int            `json:"omitted,omitempty"`
	Hint    string         `json:"hint,omitempty"`
}

func (d Deps) codeItemLookup(ctx context.Context, env Env, args codeItemLookupArgs) (Result, error) {
	name, field := args.Canon, "canon"
	if name == "" {
		name, field = args.Name, "name"
	}
	if _, _, place := splitPlace(args.File); name == "" && place {
		name, field, args.File = args.File, "file", ""
	}
	if name == "" {
		return Result{}, badValue("name", "neither name nor canon is given", "send one of them")
	}
	found, nearest, err := d.lookup(ctx, env, d.sources(env), name, args.File, args.Kind)
	if err != nil {
		return Result{}, err
	}
	if len(found) == 0 {
		return Result{}, d.noSuchSymbol(field, name, nearest)
	}
	result := codeItemLookupResult{OK: true}
	shown := found[:min(len(found), lookupItems)]
	for _, it := range shown {
		code, _ := leadingLines(it.text(), lookupBytes/len(shown))
		if limit := d.resultLimit(); limit > 0 {
			code = numberedLinesWithin(it.startLine, code, (limit-frameTokens)/len(shown))
		}
		result.Items = append(result.Items, show(it, code))
	}
	if result.Omitted = len(found) - len(shown); result.Omitted > 0 {
		result.Hint = "narrow with file, kind, or the complete canon"
	}
	return OK(result, "looked up "+name+": "+plural(len(found), "symbol"))
}

func (d Deps) noSuchSymbol(field, name string, nearest []any) *Failure {
	f := &Failure{Message: "no symbol " + name, Code: "not_found", Field: field,
		Hint: "use one of the candidates, or look with request_code_context or search_text", Candidates: nearest}
	if d.Index.Incomplete() {
		f.Hint += "; the index is still being built"
	}
	return f
}

// show returns an item with the beginning of its text.
func show(it *codeItem, code string) lookedUpItem {
	shown := lookedUpItem{ID: it.id(), Canon: it.canon, Name: it.name, Kind: it.kind, File: it.src.Path,
		Signature: it.signature, Doc: cut(it.doc, docBytes), Hash: it.hash, FileHash: it.src.Hash,
		StartLine: it.startLine, EndLine: it.endLine, StartByte: it.startByte, EndByte: it.endByte,
		Snippet: Snippet(it.src.Path, it.startLine, code)}
	if missing := len(it.text()) - len(code); missing > 0 {
		shown.Cut = fmt.Sprintf("%d more bytes up to line %d: use read_file", missing, it.endLine)
	}
	return shown
}

// Text writes the symbols.
func (r codeItemLookupResult) Text(w *TextWriter) {
	for _, it := range r.Items {
		w.Linef("%s %s, hash %s", it.Kind, it.Canon, w.Hash(it.Hash))
		w.Shown(it.Snippet)
		w.Note(it.Cut)
	}
	if r.Omitted > 0 {
		w.Linef("%s more: %s", plural(r.Omitted, "symbol"), r.Hint)
	}
}
