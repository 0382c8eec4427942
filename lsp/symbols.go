package lsp

import (
	"context"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/index"
	"ploke-lsp/internal/display"
	"ploke-lsp/internal/rpc"
	"ploke-lsp/lsp/chat"
	"ploke-lsp/lsp/document"
	"ploke-lsp/project"
)

const (
	// maxWorkspaceSymbols is how many symbols are found at once. The client asks again with
	// each letter.
	maxWorkspaceSymbols = 32
	// allLanguages stands for every language in the setting.
	allLanguages = "all"
)

// symbolLanguages returns the languages whose symbols the client gets; all reports whether these
// are all languages. A client merges the answers of its servers, so a language that another one
// serves would show each symbol twice.
func symbolLanguages(s *project.Settings) (list []string, all bool) {
	list = s.Now().Symbols
	return list, slices.Contains(list, allLanguages)
}

// workspaceSymbol returns the symbols whose names fit what is typed, from the index and the
// unsaved texts as they were indexed last: editors ask at each key, and parsing a long text takes longer.
func (q *queries) workspaceSymbol(
	ctx context.Context, p *protocol.WorkspaceSymbolParams,
) ([]protocol.SymbolInformation, error) {
	found := []protocol.SymbolInformation{}
	languages, all := symbolLanguages(q.settings)
	if len(languages) == 0 {
		return found, nil
	}
	if all {
		languages = nil
	}
	project := q.project
	rpc.Release(ctx)
	units, err := project.Index.Symbols(ctx,
		index.SymbolQuery{Text: p.Query, Languages: languages, Limit: maxWorkspaceSymbols})
	for _, u := range units {
		found = append(found, q.symbolInformation(&u))
	}
	return found, err
}

func (q *queries) symbolInformation(u *index.Unit) protocol.SymbolInformation {
	container := display.Name(u.Rel)
	return protocol.SymbolInformation{
		BaseSymbolInformation: protocol.BaseSymbolInformation{Name: display.Name(u.Name), Kind: q.client.SymbolKind(u.Kind),
			ContainerName: &container},
		Location: protocol.Location{URI: q.documents.URIOf(u.Path), Range: document.BetweenLines(u.StartLine, u.EndLine)},
	}
}

// outlineSymbols returns the symbols of a text in one of the languages, as a tree.
func (q *queries) outlineSymbols(ctx context.Context, u uri.URI) []protocol.DocumentSymbol {
	languages, all := symbolLanguages(q.settings)
	if len(languages) == 0 {
		return []protocol.DocumentSymbol{}
	}
	d, err := q.parser.Get(ctx, u)
	if err != nil || !all && !slices.Contains(languages, d.Language) {
		return []protocol.DocumentSymbol{}
	}
	symbols := d.Symbols()
	children := map[int][]int{}
	for i, sym := range symbols {
		children[sym.Parent] = append(children[sym.Parent], i)
	}
	var tree func(parent int) []protocol.DocumentSymbol
	tree = func(parent int) []protocol.DocumentSymbol {
		list := []protocol.DocumentSymbol{}
		for _, i := range children[parent] {
			sym := symbols[i]
			list = append(list, protocol.DocumentSymbol{
				Name: display.Name(sym.Name), Kind: q.client.SymbolKind(sym.Kind),
				Range: d.Range(sym.Start, sym.End), SelectionRange: d.Range(sym.NameStart, sym.NameEnd), Children: tree(i),
			})
		}
		return list
	}
	return tree(-1)
}

// documentSymbol returns the sections of a chat document, or the symbols of another one.
func (s *service) documentSymbol(
	ctx context.Context, p *protocol.DocumentSymbolParams,
) ([]protocol.DocumentSymbol, error) {
	if chat.IsDocument(p.TextDocument.URI) {
		return s.chats.Outline(ctx, p)
	}
	return s.queries.outlineSymbols(ctx, p.TextDocument.URI), nil
}
