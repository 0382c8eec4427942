package protocol

import "go.lsp.dev/uri"

// ProposalListParams selects the proposals with a status, or all of them if Status is
// empty.
type ProposalListParams struct {
	Status string `json:"status,omitzero"`
}

// ProposalListResult holds the proposals, the newest first.
type ProposalListResult struct {
	Proposals []Proposal `json:"proposals"`
}

// A Proposal is the summary of a proposal. Status is staged, accepted, applied,
// verified, rejected, stale, failed, undone, withdrawn or partial. CreatedAt is in
// milliseconds since 1970.
type Proposal struct {
	ID             string         `json:"id"`
	Title          string         `json:"title"`
	Status         string         `json:"status"`
	ConversationID string         `json:"conversationId,omitzero"`
	TurnID         string         `json:"turnId,omitzero"`
	Files          []ProposalFile `json:"files"`
	CreatedAt      int64          `json:"createdAt"`
}

// A ProposalFile is one file that a proposal changes. Op is edit, create, rename or
// delete. A renamed file may also have edits; NewURI and NewPath are its new name.
// Problems are the syntax errors that the proposal adds to the file.
type ProposalFile struct {
	URI      uri.URI   `json:"uri"`
	Path     string    `json:"path"`
	NewURI   uri.URI   `json:"newUri,omitzero"`
	NewPath  string    `json:"newPath,omitzero"`
	Op       string    `json:"op"`
	Hunks    int       `json:"hunks"`
	Problems []Problem `json:"problems,omitzero"`
}

// A Problem is a syntax error. Line is 1-based, in the text after the change.
type Problem struct {
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// ProposalParams names a proposal.
type ProposalParams struct {
	ID string `json:"id"`
}

// ProposalGetResult is a proposal with its changes. Preview is the text to show to the
// user, in the form that the setting edits.preview names: a unified diff, or the new code
// with its files and lines. Diff is always the unified diff. Conflicts are the conflicts
// with the current text of its files.
type ProposalGetResult struct {
	Proposal  Proposal       `json:"proposal"`
	Preview   string         `json:"preview"`
	Diff      string         `json:"diff"`
	Files     []ProposalView `json:"files"`
	Conflicts []Conflict     `json:"conflicts,omitzero"`
}

// A ProposalView is the full text of one file of a proposal, before and after the
// change. Op, NewURI and NewPath are as in [ProposalFile].
type ProposalView struct {
	URI     uri.URI `json:"uri"`
	Path    string  `json:"path"`
	NewURI  uri.URI `json:"newUri,omitzero"`
	NewPath string  `json:"newPath,omitzero"`
	Op      string  `json:"op"`
	Before  string  `json:"before"`
	After   string  `json:"after"`
	Hunks   []Hunk  `json:"hunks"`
}

// A Conflict is a range of lines where a proposal conflicts with the current text: the
// lines before the proposal (Base), after the proposal (Ours), and now (Theirs). Hunks
// whose ranges overlap or touch share one conflict. Line is the 1-based first line of
// Theirs, or 0 if the file no longer exists.
type Conflict struct {
	URI    uri.URI  `json:"uri"`
	Path   string   `json:"path"`
	Hunks  []string `json:"hunks"`
	Line   int      `json:"line"`
	Base   string   `json:"base"`
	Ours   string   `json:"ours"`
	Theirs string   `json:"theirs"`
	Reason string   `json:"reason"`
}

// A Hunk is one edit. Lines are 1-based and inclusive, in the text before the change. A
// rename is a separate hunk, which is the first one and changes no text.
type Hunk struct {
	ID        string `json:"id"`
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	State     string `json:"state"`
}

// ProposalAcceptParams accepts a proposal. Files and Hunks (ids) select parts of it; if
// both are empty, the whole proposal is accepted.
type ProposalAcceptParams struct {
	ID    string    `json:"id"`
	Files []uri.URI `json:"files,omitzero"`
	Hunks []string  `json:"hunks,omitzero"`
}

// ProposalRejectParams rejects a proposal. Files and Hunks select parts of it, as in
// [ProposalAcceptParams]. The model reads Reason.
type ProposalRejectParams struct {
	ID     string    `json:"id"`
	Files  []uri.URI `json:"files,omitzero"`
	Hunks  []string  `json:"hunks,omitzero"`
	Reason string    `json:"reason,omitzero"`
}

// ProposalEditParams replaces the result of an undecided proposal for one file. After is
// the new full text, based on the view in [ProposalGetResult]. File is the file's current
// name or its new one.
type ProposalEditParams struct {
	ID    string  `json:"id"`
	File  uri.URI `json:"file"`
	After string  `json:"after"`
}

// ProposalDecision is the outcome of a decision on a proposal.
type ProposalDecision struct {
	Status string         `json:"status"`
	Files  []ProposalFile `json:"files"`
}
