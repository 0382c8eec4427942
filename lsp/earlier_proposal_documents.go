package lsp

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/lsp/document"
)

// errEarlierDiff is why an open diff of an earlier process has no actions.
var errEarlierDiff = errors.New("this diff is of an earlier session, and something else waits now; show the diff of the proposal again")

// recognizeDiffs takes up the open diffs that an earlier process has written: those that read as a proposal that waits
// now. In any other one the person learns why nothing can be decided there.
func (s *Server) recognizeDiffs(ctx context.Context) {
	for _, u := range s.documents.All() {
		open := s.documents.Get(u)
		if open == nil || open.OutOfStep != "" || !s.isEarlierDiff(u) {
			continue
		}
		text := string(open.Text.Bytes())
		var problems []protocol.Diagnostic
		if doc := s.diffThatReads(ctx, u, text); doc != nil {
			s.proposalDocuments.add(doc)
		} else if strings.Contains(text, diffFence) {
			problems = append(problems, problemAt(errEarlierDiff))
		}
		s.published.Set(u, proposalTopic, problems)
	}
}

// isEarlierDiff reports whether a document has the place and the name of a diff, and this process has not written it.
func (s *Server) isEarlierDiff(u uri.URI) bool {
	return s.views.Holds(u) && strings.HasPrefix(filepath.Base(document.FilePath(u)), diffViewName) && s.proposalDocuments.get(u) == nil
}

// diffThatReads returns the document of the proposal whose diff has this text, or nil.
func (s *Server) diffThatReads(ctx context.Context, u uri.URI, text string) *proposalDocument {
	waiting, _ := s.review.now()
	for _, w := range waiting {
		proposal, views, err := undecidedViews(ctx, s.project, w.ID)
		if err == nil && proposalText(proposal, views) == text {
			return newProposalDocument(u, proposal, text, views)
		}
	}
	return nil
}
