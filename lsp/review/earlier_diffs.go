package review

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
var errEarlierDiff = errors.New(
	"this diff is of an earlier session, and something else waits now; show the diff of the proposal again")

// recognizeDiffs takes up the open diffs that an earlier process has written: those that read as a proposal that waits
// now. In any other one the person learns why nothing can be decided there.
func (r *diffs) recognizeDiffs(ctx context.Context) {
	for _, u := range r.Documents.All() {
		open := r.Documents.Get(u)
		if open == nil || open.OutOfStep != "" || !r.isEarlierDiff(u) {
			continue
		}
		text := string(open.Text.Bytes())
		var problems []protocol.Diagnostic
		if doc := r.diffThatReads(ctx, u, text); doc != nil {
			r.add(doc)
		} else if strings.Contains(text, diffFence) {
			problems = append(problems, problemAt(errEarlierDiff))
		}
		r.Published.Set(u, diffTopic, problems)
	}
}

// isEarlierDiff reports whether a document has the place and the name of a diff, and this process has not written it.
func (r *diffs) isEarlierDiff(u uri.URI) bool {
	return r.Views.Holds(u) && strings.HasPrefix(filepath.Base(document.FilePath(u)), diffViewName) && r.get(u) == nil
}

// diffThatReads returns the document of the proposal whose diff has this text, or nil.
func (r *diffs) diffThatReads(ctx context.Context, u uri.URI, text string) *proposalDocument {
	waiting, _ := r.queue.now()
	for _, w := range waiting {
		proposal, views, err := undecidedViews(ctx, r.Project, w.ID)
		if err == nil && proposalText(proposal, views) == text {
			return newProposalDocument(u, proposal, text, views)
		}
	}
	return nil
}
