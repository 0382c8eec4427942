package tools

import (
	"context"
	_ "embed"

	"ploke-lsp/internal/syntax"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/wording"
)

//go:embed code_item_lookup.md
var codeItemLookupDescription string

const (
	lookupItems  = 8
	lookupBytes  = 24 << 10 // of all snippets together
	lookupBodies = 3        // of so many symbols the code is shown unless a view is asked for
	lookupLines  = 30       // of further symbols
	docBytes     = 1000
)

type codeItemLookupArgs struct {
	Name  string     `json:"name,omitempty" jsonschema:"name, or FILE:LINE; or send canon" secrets:"named"`
	Canon string     `json:"canon,omitempty" jsonschema:"address in the file" secrets:"named"`
	File  string     `json:"file,omitempty" secrets:"named"`
	Kind  string     `json:"kind,omitempty" jsonschema:"function, method, struct, class …"`
	View  lookupView `json:"view,omitempty" jsonschema:"default: by size"`
}

type lookedUpItem struct {
	ID        string      `json:"id"`
	Canon     string      `json:"canon"`
	Name      string      `json:"name"`
	Kind      syntax.Kind `json:"kind"`
	File      string      `json:"file"`
	Signature string      `json:"signature"`
	Doc       string      `json:"doc"`
	Hash      string      `json:"hash,omitempty"` // "" if the snippet lacks a part of the symbol
	FileHash  string      `json:"file_hash"`
	extent
	Snippet  string       `json:"snippet"`            // with the doc comment above the symbol
	Proposed string       `json:"proposed,omitempty"` // id of the proposal that the text comes from
	Outline  []memberLine `json:"outline,omitempty"`
	Cut      string       `json:"cut,omitempty"` // what the snippet lacks, and how to get it
}

// extent is where a symbol is in its file.
type extent struct {
	StartLine int `json:"start_line"`
	EndLine   int `json:"end_line"`
	StartByte int `json:"start_byte"`
	EndByte   int `json:"end_byte"`
}

// memberLine is a member of a symbol.
type memberLine struct {
	Line      int    `json:"line"`
	EndLine   int    `json:"end_line"`
	Name      string `json:"name"`
	Signature string `json:"signature"`
}

type codeItemLookupResult struct {
	OK      bool           `json:"ok"`
	Items   []lookedUpItem `json:"items"`
	Brief   bool           `json:"brief,omitempty"`   // each item takes a line: they are many
	Further []namesake     `json:"further,omitempty"` // symbols without code
	Omitted int            `json:"omitted,omitempty"` // count of those that are not listed at all
	Hint    string         `json:"hint,omitempty"`
}

// namesake is a symbol of which only the place and the signature are shown.
type namesake struct {
	Canon     string      `json:"canon"`
	Kind      syntax.Kind `json:"kind"`
	File      string      `json:"file"`
	Line      int         `json:"line"`
	Signature string      `json:"signature"`
}

func (d Deps) codeItemLookup(ctx context.Context, env Env, args codeItemLookupArgs) (Result, error) {
	name, field := args.Canon, "canon"
	if name == "" {
		name, field = args.Name, "name"
	}
	if _, _, place := current.SplitPlace(args.File); name == "" && place {
		name, field, args.File = args.File, "file", ""
	}
	if name == "" {
		return Result{}, wording.BadValue("name", "neither name nor canon is given", "send one of them")
	}
	found, nearest, err := d.sources(env).Lookup(ctx, name, args.File, args.Kind)
	if err != nil {
		return Result{}, err
	}
	if len(found) == 0 {
		return Result{}, d.noSuchSymbol(field, name, nearest)
	}
	result := codeItemLookupResult{OK: true}
	shown := found[:min(len(found), lookupItems)]
	if args.View == "" && len(found) > lookupBodies {
		args.View, result.Brief = viewSignature, true
	}
	b := d.budget(env)
	result.Items = b.showAll(shown, args.View)
	result.list(b, found[len(shown):])
	return OK(result, "looked up "+name+": "+wording.Plural(len(found), "symbol"))
}

// list lists symbols without their code.
func (r *codeItemLookupResult) list(b resultBudget, further []*current.Symbol) {
	for _, it := range further[:min(len(further), lookupLines)] {
		r.Further = append(r.Further, namesake{it.Canon, it.Kind, it.File.Path, it.StartLine, it.Signature})
	}
	if b.limit > 0 { // the code has its share of the limit already
		r.Further = nil
	}
	r.Omitted = len(further) - len(r.Further)
	if len(further) > 0 || r.Brief {
		r.Hint = "narrow with file, kind, or the complete canon to see code"
	}
}

func (d Deps) noSuchSymbol(field, name string, nearest []any) *wording.Failure {
	f := &wording.Failure{Message: "no symbol " + name, Code: "not_found", Field: field,
		Hint: "look with request_code_context or search_text", Candidates: nearest}
	if len(nearest) > 0 {
		f.Hint = "use one of the candidates, or " + f.Hint
	}
	if d.Index.Incomplete() {
		f.Hint += "; the index is still being built"
	}
	return f
}
