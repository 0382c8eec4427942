package chat

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/chatdoc"
	"ploke-lsp/lsp/document"
)

// parsed returns an open chat document with its structure; nil for other documents.
func (ds *Documents) parsed(
	ctx context.Context, id protocol.TextDocumentIdentifier,
) (*document.Parsed, *chatdoc.Document) {
	if !IsDocument(id.URI) {
		return nil, nil
	}
	p, err := ds.Parser.Get(ctx, id.URI)
	if err != nil {
		return nil, nil
	}
	return p, chatdoc.Parse(string(p.Text))
}

// Outline returns the sections of a chat document.
func (ds *Documents) Outline(ctx context.Context, p *protocol.DocumentSymbolParams) ([]protocol.DocumentSymbol, error) {
	symbols := []protocol.DocumentSymbol{}
	text, d := ds.parsed(ctx, p.TextDocument)
	if d == nil {
		return symbols, nil
	}
	for _, section := range d.Sections {
		heading := strings.TrimRight(string(text.Text[section.Start:section.Body]), "\r\n")
		symbol := protocol.DocumentSymbol{
			Name: strings.TrimPrefix(heading, "## "), Kind: protocol.SymbolKindString,
			Range:          text.Range(section.Start, max(d.TextEnd(section), section.Start+len(heading))),
			SelectionRange: text.Range(section.Start, section.Start+len(heading)),
		}
		if first, _, _ := strings.Cut(d.Text(section), "\n"); section.Speaker == chatdoc.You && first != "" {
			symbol.Name += ": " + first
		}
		symbols = append(symbols, symbol)
	}
	return symbols, nil
}

// FoldingRange returns the sections of a chat document, and its runs of tool calls.
func (ds *Documents) FoldingRange(
	ctx context.Context, p *protocol.FoldingRangeParams,
) ([]protocol.FoldingRange, error) {
	ranges := []protocol.FoldingRange{}
	text, d := ds.parsed(ctx, p.TextDocument)
	if d == nil {
		return ranges, nil
	}
	add := func(first, last int) {
		if last > first {
			ranges = append(ranges,
				protocol.FoldingRange{StartLine: uint32(first), EndLine: uint32(last), Kind: protocol.FoldingRangeKindRegion})
		}
	}
	for _, section := range d.Sections {
		add(text.LineAt(section.Start)-1, text.LineAt(d.TextEnd(section))-1)
		line, run := text.LineAt(section.Body)-1, 0
		for l := range strings.Lines(string(text.Text[section.Body:section.End])) {
			if _, call := chatdoc.CallAt(l); call {
				run++
			} else {
				add(line-run, line-1)
				run = 0
			}
			line++
		}
		add(line-run, line-1)
	}
	return ranges, nil
}
