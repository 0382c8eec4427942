package tools

import (
	"context"
	"errors"

	"ploke-lsp/edits"
	"ploke-lsp/internal/workspace"
)

const (
	shownHunks        = 50
	shownSyntaxErrors = 10
)

type stagedHunk struct {
	ID        string `json:"id"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
}

type syntaxError struct {
	Line    int    `json:"line"`
	Message string `json:"message"`
}

type stagedFile struct {
	File         string        `json:"file"`
	Hunks        []stagedHunk  `json:"hunks"`
	Omitted      int           `json:"hunks_omitted,omitempty"`
	SyntaxErrors []syntaxError `json:"syntax_errors"`
	MoreErrors   int           `json:"syntax_errors_omitted,omitempty"`
}

type stagedResult struct {
	OK         bool         `json:"ok"`
	ProposalID string       `json:"proposal_id"`
	Status     edits.State  `json:"status"`
	Files      []stagedFile `json:"files"`
	Note       string       `json:"note"`
}

// stage proposes the drafts of one call, all or none, and tells about their files.
// Its errors are those of the edits; see unstaged.
func (d Deps) stage(ctx context.Context, env Env, reason string, drafts []edits.Draft) (Result, error) {
	call := env.Call()
	proposal, err := d.Edits.Stage(ctx, edits.Batch{
		ConversationID: call.ConversationID, RequestID: call.RequestID, CallID: call.ID,
		Title: oneLine(cut(reason, 80)), Reason: reason, Drafts: drafts})
	if err != nil {
		return Result{}, err
	}
	result := stagedResult{OK: true, ProposalID: proposal.ID, Status: proposal.Status(),
		Note: "staged, not written: the user decides"}
	broken := 0
	for _, draft := range drafts {
		for _, change := range proposal.Changes {
			if file := staged(change); change.Path == draft.Path && len(file.Hunks) > 0 {
				result.Files = append(result.Files, file)
				broken += len(file.SyntaxErrors) + file.MoreErrors
			}
		}
	}
	summary := "staged changes to " + d.fileNames(drafts)
	if broken > 0 {
		result.Note += "; the result has new syntax errors: mend them with another edit"
		summary += ", with " + plural(broken, "new syntax error")
	}
	return OK(result, summary)
}

// staged is what a result says about one file of a proposal.
func staged(change edits.Change) stagedFile {
	file := stagedFile{File: change.Path, Hunks: []stagedHunk{}, SyntaxErrors: []syntaxError{}}
	for _, h := range change.Hunks {
		if h.State != edits.Staged {
			continue // what the user has decided already is another change to the file
		}
		if len(file.Hunks) == shownHunks {
			file.Omitted++
			continue
		}
		file.Hunks = append(file.Hunks, stagedHunk{h.ID, h.StartLine, h.EndLine})
	}
	for _, p := range change.Problems[:min(len(change.Problems), shownSyntaxErrors)] {
		file.SyntaxErrors = append(file.SyntaxErrors, syntaxError{p.Line, p.Message})
	}
	file.MoreErrors = len(change.Problems) - len(file.SyntaxErrors)
	return file
}

// unstaged turns an error of staging into what the model can mend.
func unstaged(err error) error {
	var overlap *edits.OverlapError
	var stale *edits.StaleError
	var skipped *workspace.SkippedError
	switch {
	case errors.As(err, &overlap):
		return &Failure{Message: err.Error(), Code: "overlap", Field: "edits",
			Hint: "read the file again and make one edit of those that overlap"}
	case errors.As(err, &stale):
		return &Failure{Message: err.Error(), Code: "stale", Field: "edits",
			Hint: "the file has changed meanwhile: read it again and repeat the call"}
	case errors.As(err, &skipped):
		return &Failure{Message: err.Error(), Code: "left_out", Field: "file",
			Hint: "this path is left out of the workspace for everyone; use another one"}
	}
	return err
}

func (d Deps) fileNames(drafts []edits.Draft) string {
	first := d.Workspace.Rel(drafts[0].Path)
	if more := len(drafts) - 1; more > 0 {
		return first + " and " + plural(more, "more file")
	}
	return first
}
