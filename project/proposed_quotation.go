package project

import (
	"context"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/tools/wording"
)

// citeProposed returns a quotation as it is shown, and the place where it stands in a proposal that
// waits in the conversation. proposed is false if the quotation stands in its file already, or in no
// such proposal.
func (q *quotations) citeProposed(ctx context.Context, conversationID string,
	said *wording.Code) (shown *wording.Code, c Citation, proposed bool) {
	plain := *said
	if text, first, numbered := wording.Unnumbered(said.Text); numbered {
		plain.Text, plain.StartLine = text, first
	}
	if saved, err := q.readCited(ctx, said.Path); err == nil {
		if _, found := findQuotation(saved.Text, plain.Text, plain.StartLine); found {
			return said, c, false
		}
	}
	texts, err := q.edits.Staging.ProposedTexts(ctx, conversationID, said.Path)
	if err != nil {
		q.log.Warn("a quotation was not looked for in proposals", "error", err)
		return said, c, false
	}
	for _, t := range texts {
		start, found := findQuotation(t.File.Text, plain.Text, plain.StartLine)
		if !found {
			continue
		}
		plain.StartLine, plain.EndLine = start, start+strings.Count(plain.Text, "\n")-1
		return &plain, q.proposedCitation(t, &plain), true
	}
	return said, c, false
}

func (q *quotations) proposedCitation(t edits.ProposedText, code *wording.Code) Citation {
	last, _ := lineOf(t.File.Text, code.EndLine)
	return Citation{Path: t.File.Path, StartLine: code.StartLine, EndLine: code.EndLine, LastLine: last,
		Proposal: t.ProposalID, Changes: t.Changes}
}
