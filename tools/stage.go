package tools

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/wording"
)

const (
	shownHunks        = 50
	shownSyntaxErrors = 10
)

// codeStale is the code of a Failure about an edit of a text that has changed since.
const codeStale = "stale"

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
	FileHash     string        `json:"file_hash,omitempty"` // of the text with the edits
	RenamedTo    string        `json:"renamed_to,omitempty"`
	Deleted      bool          `json:"deleted,omitempty"`
	Hunks        []stagedHunk  `json:"hunks"`
	Omitted      int           `json:"hunks_omitted,omitempty"`
	SyntaxErrors []syntaxError `json:"syntax_errors"`
	MoreErrors   int           `json:"syntax_errors_omitted,omitempty"`
}

// current returns the path that the file has in the proposal.
func (f *stagedFile) current() string { return cmp.Or(f.RenamedTo, f.File) }

type stagedResult struct {
	OK          bool         `json:"ok"`
	ProposalID  string       `json:"proposal_id"`
	Status      edits.State  `json:"status"`
	Edits       []editEcho   `json:"edits,omitempty"`
	CodeOmitted int          `json:"code_omitted,omitempty"` // edits whose code should be shown, but is not
	Files       []stagedFile `json:"files"`
	// FilesOmitted is how many more files a rename changes, and PlacesOmitted in how many places.
	FilesOmitted  int        `json:"files_omitted,omitempty"`
	PlacesOmitted int        `json:"places_omitted,omitempty"`
	Importers     *importers `json:"importers,omitempty"` // of a file that is renamed
	Note          string     `json:"note"`
}

// broken reports whether the proposal has new syntax errors.
func (r *stagedResult) broken() bool {
	return slices.ContainsFunc(r.Files, func(f stagedFile) bool { return len(f.SyntaxErrors) > 0 })
}

// stage stages the operations of one call, all or none, and reports their files. what says in a
// few words what is staged, and replaces an empty reason.
func (d Deps) stage(ctx context.Context, env Env, reason, what string, operations []edits.Operation) (Result, error) {
	result, summary, err := d.stageBatch(ctx, env, reason, what, operations)
	if err != nil {
		return Result{}, err
	}
	return OK(result, summary)
}

// stageBatch is like stage, and returns what the result consists of.
func (d Deps) stageBatch(ctx context.Context, env Env, reason, what string,
	operations []edits.Operation) (result *stagedResult, summary string, err error) {
	if err := checkText(operations); err != nil {
		return nil, "", err
	}
	call, namesFiles := env.Call(), reason == ""
	reason = cmp.Or(reason, what)
	proposal, err := d.Edits.Staging.Stage(ctx, edits.Batch{
		ConversationID: call.ConversationID, RequestID: call.RequestID, Earlier: call.Earlier, CallID: call.ID,
		Title: wording.OneLine(wording.Cut(reason, 80)), NamesFiles: namesFiles, Reason: reason, Operations: operations,
		Visible: env.Visible})
	if err != nil {
		return nil, "", stageFailure(err)
	}
	result = &stagedResult{OK: true, Files: []stagedFile{}, ProposalID: proposal.ID, Status: proposal.Status(),
		Note: "staged, not written: the user decides"}
	summary = "staged " + what
	if proposal.Status() == edits.Withdrawn {
		result.Note = "the proposal has no changes left: it is withdrawn, and the user is not asked"
		summary += ", which takes back the complete proposal"
	}
	broken := 0
	for _, operation := range operations {
		for _, change := range proposal.ChangesOf(operation.Path, operation.To) {
			if file, some := stagedFileOf(change); some {
				result.Files = append(result.Files, file)
				broken += len(file.SyntaxErrors) + file.MoreErrors
			}
		}
	}
	if broken > 0 {
		result.Note += "; the result has new syntax errors: fix them with another edit"
		summary += ", with " + wording.Plural(broken, "new syntax error")
	}
	return result, summary, nil
}

// checkText checks that the files stay text.
func checkText(operations []edits.Operation) error {
	for _, operation := range operations {
		bad := strings.Contains(operation.Text, "\x00")
		for _, e := range operation.Edits {
			bad = bad || strings.Contains(e.New, "\x00")
		}
		if bad {
			return &wording.Failure{Message: "the text for " + filepath.Base(operation.Path) + " contains a NUL byte",
				Code: "no_text",
				Hint: "write it as an escape of the language, such as \\x00; only text files can be created"}
		}
	}
	return nil
}

// stagedFileOf converts one change of a proposal. some is false if none of its hunks is staged any
// more.
func stagedFileOf(change *edits.Change) (file stagedFile, some bool) {
	file = stagedFile{File: change.Path, RenamedTo: change.To, Deleted: change.Op == edits.OpDelete, Hunks: []stagedHunk{},
		SyntaxErrors: []syntaxError{}}
	for _, h := range change.Hunks {
		if h.State != edits.Staged {
			continue // the user's earlier decisions are other changes to the file
		}
		some = true
		if h.Renames {
			continue
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
	return file, some
}

// stageFailure turns an error of staging into a Failure if the model can correct it.
func stageFailure(err error) error {
	var overlap *edits.OverlapError
	var stale *edits.StaleError
	var skipped *workspace.SkippedError
	var refused *edits.RefusedError
	switch {
	case errors.As(err, &refused):
		message, hint, _ := strings.Cut(err.Error(), "; ")
		return &wording.Failure{Message: message, Code: "refused", Hint: hint}
	case errors.As(err, &overlap):
		return &wording.Failure{Message: err.Error(), Code: "overlap", Field: "edits",
			Hint: "read the file again and join the overlapping edits into one"}
	case errors.As(err, &stale):
		return &wording.Failure{Message: err.Error(), Code: codeStale, Field: "edits",
			Hint: "the file has changed since: read it again and repeat the call"}
	case errors.As(err, &skipped):
		return &wording.Failure{Message: err.Error(), Code: "left_out", Field: "file",
			Hint: "this path is excluded from the workspace; use another one"}
	}
	return err
}

func (d Deps) fileNames(operations []edits.Operation) string {
	first := d.Workspace.Rel(operations[0].Path)
	if more := len(operations) - 1; more > 0 {
		return first + " and " + wording.Plural(more, "more file")
	}
	return first
}
