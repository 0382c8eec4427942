package client

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
)

// encodeCitation returns a citation whose range is that of its lines, without the
// last line break.
func (c *Client) encodeCitation(citation project.Citation) ploke.Citation {
	return ploke.Citation{
		URI:      CitedURI(citation),
		Range:    c.lines(citation.StartLine, citation.EndLine, citation.LastLine),
		Canon:    citation.Canon,
		Proposal: citation.Proposal,
		Cell:     citation.Cell,
	}
}

// lines returns the range of lines, which count from 1, without the last line break; last is the text of the
// last line.
func (c *Client) lines(first, end int, last string) protocol.Range {
	text := []byte(last)
	return protocol.Range{
		Start: protocol.Position{Line: uint32(first - 1)},
		End: protocol.Position{Line: uint32(end - 1),
			Character: ploke.NewMapper(text, c.Encoding).Position(len(text)).Character},
	}
}

// CitedURI returns the URI of a cited file, or of what a proposal would make of it.
func CitedURI(c project.Citation) uri.URI {
	file := uri.File(c.Path)
	if c.Proposal == "" {
		return file
	}
	return ploke.ProposedURI(c.Proposal, file, uri.File(c.Changes))
}
