package review

import (
	"context"

	"go.lsp.dev/uri"

	"ploke-lsp/edits"
	"ploke-lsp/internal/display"
	"ploke-lsp/internal/rpc"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
)

// List returns the review as data, for clients that show it themselves.
func (r *Review) List(ctx context.Context, _ *rpc.None) (*ploke.ReviewResult, error) {
	project := r.Project
	rpc.Release(ctx)
	if err := r.queue.refreshAll(ctx, project); err != nil {
		return nil, err
	}
	waiting, _ := r.queue.now()
	result := &ploke.ReviewResult{Proposals: []ploke.ReviewedProposal{}}
	for _, w := range waiting {
		reviewed := ploke.ReviewedProposal{
			ID: w.ID, Title: display.Name(w.Title), ConversationID: w.ConversationID,
			Status: ploke.ProposalStatus(w.Status()), Version: string(w.Version()), Files: []ploke.ReviewedFile{},
			Evidence: client.EncodeEvidence(w.evidence, false),
		}
		for i := range w.files {
			reviewed.Files = append(reviewed.Files, r.encodeReviewedFile(project.Workspace, &w.files[i]))
		}
		result.Proposals = append(result.Proposals, reviewed)
		r.Client.Shown.ChangesShown(w.ID, w.Version())
	}
	return result, nil
}

func (r *Review) encodeReviewedFile(ws *workspace.Workspace, f *edits.Placed) ploke.ReviewedFile {
	out := ploke.ReviewedFile{
		URI: r.Documents.URIOf(f.Path), Path: display.Name(ws.Rel(f.Path)), Op: ploke.FileOp(f.Op),
		Version: openVersion(f.File), Reason: display.Name(f.Reason), Hunks: []ploke.ReviewedHunk{},
	}
	if f.To != "" {
		out.NewURI, out.NewPath = uri.File(f.To), display.Name(ws.Rel(f.To))
	}
	var text []byte
	if f.File != nil {
		text = f.File.Text
	}
	m := r.Documents.Mapper(f.Path, text, r.Client.Encoding)
	for i, e := range reviewedEdits(f, text) {
		h := &f.Hunks[i]
		out.Hunks = append(out.Hunks, ploke.ReviewedHunk{
			ID: h.ID, Summary: summary(f, *h), Rename: h.Renames, Conflict: h.Stale || f.Reason != "",
			Range: m.TextRange(e.Start, e.End), OldText: string(text[e.Start:e.End]), NewText: e.New,
		})
	}
	return out
}

// reviewedEdits returns what a client shows of each hunk: an edit of whole lines of the file's text, unless it shares a
// line with another hunk.
func reviewedEdits(f *edits.Placed, text []byte) []edits.Edit {
	shown := make([]edits.Edit, len(f.Hunks))
	for i := range f.Hunks {
		switch h := &f.Hunks[i]; {
		case f.File == nil || f.Reason != "":
			shown[i].New = h.Edit.New
		case !h.Renames:
			shown[i] = h.WholeLines(text)
		}
	}
	exact := make([]bool, len(shown))
	for i := 1; i < len(shown); i++ {
		if shown[i].Start < shown[i-1].End {
			exact[i-1], exact[i] = true, true
		}
	}
	for i, h := range f.Hunks {
		if exact[i] && !h.Stale {
			shown[i] = h.Edit
		}
	}
	return shown
}

// Merge returns the texts for a three-way merge of a file.
func (r *Review) Merge(ctx context.Context, p *ploke.ReviewMergeParams) (*ploke.ReviewMergeResult, error) {
	project := r.Project
	rpc.Release(ctx)
	texts, err := project.Edits.Preview.MergeTexts(ctx, p.ID, document.FilePath(p.URI))
	if err != nil {
		return nil, err
	}
	result := &ploke.ReviewMergeResult{Base: string(texts.Base), Ours: string(texts.Ours), Merged: string(texts.Merged),
		Version:         openVersion(texts.File),
		ProposalVersion: string(texts.Version)}
	if texts.File != nil {
		result.Theirs = string(texts.File.Text)
	}
	return result, nil
}

// openVersion returns the version of the document that the text of a file is from, or nil if it is not open.
func openVersion(f *workspace.File) *int {
	if f == nil || !f.Open {
		return nil
	}
	version := int(f.Version)
	return &version
}
