package chat

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/rpc"
	"ploke-lsp/lsp/document"
)

var (
	markdownLink = lazyregexp.New(`\[[^\]\n]*\]\(([^)\s]+)\)`)
	codeSpan     = lazyregexp.New("`([^`\n]+)`")
	lineFragment = lazyregexp.New(`^L(\d{1,9})$`)
)

// maxDefinitions is how many places of a name are returned.
const maxDefinitions = 20

// Definition returns what the text at a position of a chat document cites: a linked place, the line of quoted
// code, a mentioned file or symbol, or a file or symbol in backquotes.
func (ds *Documents) Definition(ctx context.Context, p *protocol.DefinitionParams) ([]protocol.Location, error) {
	locations := []protocol.Location{}
	text, d := ds.parsed(ctx, p.TextDocument)
	if d == nil {
		return locations, nil
	}
	project, encoding := ds.Project, ds.Client.Encoding
	rpc.Release(ctx)
	line, column := lineAt(text, p.Position)
	if target, ok := matchAt(markdownLink, line, column); ok {
		return linkedPlace(target, 0), nil
	}
	if target, offset, ok := quotedLine(text, int(p.Position.Line)); ok {
		return linkedPlace(target, offset), nil
	}
	if m := mention.FindStringSubmatchIndex(line); m != nil && m[0] <= column && column <= m[1] {
		mentioned, err := ds.turns.Mentioned(ctx, line[m[0]:m[1]])
		if err != nil {
			return nil, err
		}
		for _, file := range mentioned {
			place := protocol.Location{URI: file.URI}
			if file.Range != nil {
				place.Range = protocol.Range{Start: file.Range.Start, End: file.Range.Start}
			}
			return []protocol.Location{place}, nil
		}
	}
	if name, ok := matchAt(codeSpan, line, column); ok {
		if err := project.IndexUnsaved(ctx); err != nil {
			return nil, err
		}
		finder := placeFinder{project: project, encoding: encoding, uriOf: ds.Documents.URIOf}
		found, err := finder.find(ctx, name)
		if err != nil {
			return nil, err
		}
		for _, p := range found {
			location := protocol.Location{URI: p.URI}
			if p.Range != nil {
				location.Range = *p.Range
			}
			locations = append(locations, location)
		}
	}
	return locations, nil
}

// quotedLine returns the link above the block of code around a line, and how many lines of the block are above
// the line. All numbers count from 0.
func quotedLine(text *document.Parsed, line int) (target string, offset int, ok bool) {
	for at := line - 1; at > 0; at-- {
		fence, _ := lineAt(text, protocol.Position{Line: uint32(at)})
		if !strings.HasPrefix(fence, "```") {
			continue
		}
		head, _ := lineAt(text, protocol.Position{Line: uint32(at - 1)})
		m := markdownLink.FindStringSubmatch(head)
		if m == nil {
			return "", 0, false
		}
		return m[1], line - at - 1, true
	}
	return "", 0, false
}

// linkedPlace returns the place in a file to which a link leads, so many lines further down.
func linkedPlace(target string, offset int) []protocol.Location {
	u, err := url.Parse(target)
	if err != nil || u.Scheme != "file" {
		return []protocol.Location{}
	}
	start := protocol.Position{}
	if m := lineFragment.FindStringSubmatch(u.Fragment); m != nil {
		first, _ := strconv.Atoi(m[1])
		start.Line = uint32(max(first, 1) - 1 + offset)
	}
	u.Fragment = ""
	return []protocol.Location{{URI: uri.URI(u.String()), Range: protocol.Range{Start: start, End: start}}}
}
