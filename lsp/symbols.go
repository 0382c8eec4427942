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
func (s *Server) symbolLanguages() (list []string, all bool) {
	list = s.configuration.settings.Now().Symbols
	return list, slices.Contains(list, allLanguages)
}

// workspaceSymbol returns the symbols whose names fit what is typed, from the index and the
// unsaved texts as they were indexed last: editors ask at each key, and parsing a long text takes longer.
func (s *Server) workspaceSymbol(ctx context.Context, p *protocol.WorkspaceSymbolParams) ([]protocol.SymbolInformation, error) {
	found := []protocol.SymbolInformation{}
	languages, all := s.symbolLanguages()
	if len(languages) == 0 {
		return found, nil
	}
	if all {
		languages = nil
	}
	project := s.project
	rpc.Release(ctx)
	units, err := project.Index.Symbols(ctx, index.SymbolQuery{Text: p.Query, Languages: languages, Limit: maxWorkspaceSymbols})
	for _, u := range units {
		container := display.Name(u.Rel)
		found = append(found, protocol.SymbolInformation{
			BaseSymbolInformation: protocol.BaseSymbolInformation{Name: display.Name(u.Name), Kind: s.client.SymbolKind(u.Kind), ContainerName: &container},
			Location:              protocol.Location{URI: s.documents.URIOf(u.Path), Range: document.BetweenLines(u.StartLine, u.EndLine)},
		})
	}
	return found, err
}

// outlineSymbols returns the symbols of a text in one of the languages, as a tree.
func (s *Server) outlineSymbols(ctx context.Context, u uri.URI) []protocol.DocumentSymbol {
	languages, all := s.symbolLanguages()
	if len(languages) == 0 {
		return []protocol.DocumentSymbol{}
	}
	d, err := s.parsed.Get(ctx, u)
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
				Name: display.Name(sym.Name), Kind: s.client.SymbolKind(sym.Kind),
				Range: d.Range(sym.Start, sym.End), SelectionRange: d.Range(sym.NameStart, sym.NameEnd), Children: tree(i),
			})
		}
		return list
	}
	return tree(-1)
}

// documentSymbol returns the sections of a chat document, or the symbols of another one.
func (s *Server) documentSymbol(ctx context.Context, p *protocol.DocumentSymbolParams) ([]protocol.DocumentSymbol, error) {
	if chat.IsDocument(p.TextDocument.URI) {
		return s.chats.Outline(ctx, p)
	}
	return s.outlineSymbols(ctx, p.TextDocument.URI), nil
}
