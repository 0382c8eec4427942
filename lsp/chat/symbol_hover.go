package chat

import (
	"context"
	"fmt"
	"path"
	"strings"

	"go.lsp.dev/protocol"

	"ploke-lsp/index"
	"ploke-lsp/internal/display"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/rpc"
	"ploke-lsp/project"
)

const (
	// maxHoveredSymbols is how many symbols of one name a hover shows.
	maxHoveredSymbols = 3
	// maxHoveredDoc is how much of a doc comment a hover shows, in lines.
	maxHoveredDoc = 12
)

// hashedSymbol is a symbol in a message, such as #Server.Run.
var hashedSymbol = lazyregexp.New(`(?:^|\s)#(\w[\w:.]*\w|\w)`)

// SymbolHover shows the symbol in backquotes, or behind a #, that is hovered in a chat document: its signature, the
// beginning of its doc comment and who calls it.
func (ds *Documents) SymbolHover(ctx context.Context, p *protocol.HoverParams) string {
	text, d := ds.parsed(ctx, p.TextDocument)
	if d == nil {
		return ""
	}
	line, column := lineAt(text, p.Position)
	name, ok := matchAt(codeSpan, line, column)
	if !ok {
		name, ok = matchAt(hashedSymbol, line, column)
	}
	if !ok {
		return ""
	}
	opened := ds.Project
	rpc.Release(ctx)
	if err := opened.IndexUnsaved(ctx); err != nil {
		return ""
	}
	found, _, err := opened.Index.Lookup(ctx, index.LookupQuery{Name: name})
	if err != nil || len(found) == 0 {
		return ""
	}
	var parts []string
	for _, u := range found[:min(len(found), maxHoveredSymbols)] {
		parts = append(parts, describeSymbol(ctx, opened, u))
	}
	if more := len(found) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more of this name", more))
	}
	return strings.Join(parts, "\n\n---\n\n")
}

// describeSymbol returns what a hover shows of a symbol, as Markdown.
func describeSymbol(ctx context.Context, p *project.Project, u index.Unit) string {
	text := codeBlock(u.Language, u.Signature) + "\n" + display.ProseName(fmt.Sprintf("%s:%d", u.Rel, u.StartLine))
	if doc := strings.TrimSpace(u.Doc); doc != "" {
		lines := strings.SplitAfterN(doc, "\n", maxHoveredDoc+1)
		text += "\n\n" + codeBlock("", strings.Join(lines[:min(len(lines), maxHoveredDoc)], ""))
	}
	related, err := p.Index.Overlay(nil).RelatedSymbols(ctx, []index.Unit{u})
	if err != nil {
		return text
	}
	var callers []string
	for _, r := range related {
		if r.Relation == index.Calls || r.Relation == index.Tests {
			callers = append(callers, display.ProseName(fmt.Sprintf("`%s` in %s:%d", r.Canon, path.Base(r.Rel), r.StartLine)))
		}
	}
	if len(callers) > 0 {
		text += "\n\nCalled by, among others: " + strings.Join(callers, ", ")
	}
	return text
}

// codeBlock returns a text as a block of Markdown, which holds nothing but itself.
func codeBlock(language, text string) string {
	return "````" + language + "\n" + strings.ReplaceAll(display.Escape(strings.TrimRight(text, "\n")), "````", "'```") +
		"\n````"
}
