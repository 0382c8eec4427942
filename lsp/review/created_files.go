package review

import (
	"context"
	"path/filepath"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/edits"
	"ploke-lsp/internal/display"
	"ploke-lsp/lsp/document"
)

// createdFiles lists the files that waiting proposals create, each at its place in the diff of its proposal: an editor
// goes to a problem of a file that exists, and the open text of another one would be in the way of the change. It is
// used by one goroutine.
type createdFiles struct {
	diffs  *diffs
	listed map[string]listedDiff // by the id of the proposal
}

// listedDiff is a diff that was written so that its files can be listed.
type listedDiff struct {
	version edits.Version
	uri     uri.URI
	files   []protocol.Diagnostic
}

// list returns what to publish about the files that a proposal creates, and in which document.
func (c *createdFiles) list(ctx context.Context, w *inReview) (uri.URI, []protocol.Diagnostic) {
	creates := func(f edits.Placed) bool { return f.Op == edits.OpCreate && f.File == nil }
	if !slices.ContainsFunc(w.files, creates) {
		return "", nil
	}
	known := c.listed[w.ID]
	if known.version == w.Version() {
		return known.uri, known.files
	}
	next, err := c.write(ctx, w, known.uri)
	if err != nil {
		return "", nil // the message about the proposal names its actions
	}
	if c.listed == nil {
		c.listed = map[string]listedDiff{}
	}
	c.listed[w.ID] = next
	return next.uri, next.files
}

// createdFile names a file that a proposal creates, at its section of the diff.
func createdFile(p *edits.Proposal, s *proposalSection) protocol.Diagnostic {
	return atLine(s.body-1, protocol.DiagnosticSeverityInformation, // where the header names the file
		"proposed ("+quotedTitle(p)+"): create "+display.Name(s.view.Rel))
}

// write writes the diff of a proposal, unless it is open, where it follows by itself.
func (c *createdFiles) write(ctx context.Context, w *inReview, before uri.URI) (listedDiff, error) {
	proposal, views, err := undecidedViews(ctx, c.diffs.Project, w.ID)
	if err != nil {
		return listedDiff{}, err
	}
	next, text := listedDiff{version: w.Version(), uri: before}, proposalText(proposal, views)
	if next.uri == "" || c.diffs.Documents.Get(next.uri) == nil {
		v, err := c.diffs.file(proposal, text, before)
		if err != nil {
			return listedDiff{}, err
		}
		next.uri = v.URI
	}
	sections, err := readProposalText(text, views)
	for _, s := range sections {
		if s.view.Op == edits.OpCreate {
			next.files = append(next.files, createdFile(proposal, &s))
		}
	}
	return next, err
}

// file writes the diff of a proposal to a file, in place of one that was written before and is not open. A file that
// reads so already is taken as it is.
func (r *diffs) file(proposal *edits.Proposal, text string, before uri.URI) (*document.View, error) {
	if before != "" {
		return r.Views.Write(filepath.Base(document.FilePath(before)), text)
	}
	name := document.ViewName(diffViewName, proposal.Title)
	if v, there, err := r.Views.Read(name); err == nil && there == text && r.Documents.Get(v.URI) == nil {
		return v, nil
	}
	return r.Views.Create(name, text)
}
