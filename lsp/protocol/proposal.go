package protocol

import "go.lsp.dev/uri"

// ProposalListParams asks for the proposals with a status; empty means all.
type ProposalListParams struct {
	Status string `json:"status,omitzero"`
}

// ProposalListResult holds them, the latest first.
type ProposalListResult struct {
	Proposals []Proposal `json:"proposals"`
}

// A Proposal is the summary of one. Status is staged, accepted, applied,
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

// A ProposalFile is one file that a proposal changes. Op is edit, create,
// rename or delete; a renamed file may be edited as well. NewURI and NewPath
// are what it is renamed to. Problems are syntax errors that the proposal
// brings into the file.
type ProposalFile struct {
	URI      uri.URI   `json:"uri"`
	Path     string    `json:"path"`
	NewURI   uri.URI   `json:"newUri,omitzero"`
	NewPath  string    `json:"newPath,omitzero"`
	Op       string    `json:"op"`
	Hunks    int       `json:"hunks"`
	Problems []Problem `json:"problems,omitzero"`
}

// A Problem is a syntax error at a line, 1-based, of the text afterwards.
type Problem struct {
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// ProposalParams names one.
type ProposalParams struct {
	ID string `json:"id"`
}

// ProposalGetResult is a proposal to look at: Diff is unified, Conflicts are
// the places where it does not fit its files as they are now.
type ProposalGetResult struct {
	Proposal  Proposal       `json:"proposal"`
	Diff      string         `json:"diff"`
	Files     []ProposalView `json:"files"`
	Conflicts []Conflict     `json:"conflicts,omitzero"`
}

// A ProposalView is one file of a proposal, whole, before and after. Op and the
// new name are those of [ProposalFile].
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

// A Conflict is one place where a proposal does not fit: whole lines, as the
// hunks found them (Base), as they make them (Ours), and as they are now (Theirs).
// Hunks that are too near to be told apart there share one. Line is where Theirs begins, 1-based; it is 0 where the file is gone.
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

// A Hunk is one edit. Lines are 1-based and inclusive, in the text before. What
// renames a file is a hunk of its own, which changes no text and comes first.
type Hunk struct {
	ID        string `json:"id"`
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	State     string `json:"state"`
}

// ProposalAcceptParams accepts a proposal; Files (URIs) and Hunks (ids) narrow
// it, both empty mean all of it.
type ProposalAcceptParams struct {
	ID    string    `json:"id"`
	Files []uri.URI `json:"files,omitzero"`
	Hunks []string  `json:"hunks,omitzero"`
}

// ProposalRejectParams rejects one.
type ProposalRejectParams struct {
	ID     string `json:"id"`
	Reason string `json:"reason,omitzero"`
}

// ProposalEditParams replaces what an undecided proposal makes of one file:
// After is its whole text, made from the view that [ProposalGetResult] gave.
// File is the file's name of now or its new one.
type ProposalEditParams struct {
	ID    string  `json:"id"`
	File  uri.URI `json:"file"`
	After string  `json:"after"`
}

// ProposalDecision is what became of it.
type ProposalDecision struct {
	Status string         `json:"status"`
	Files  []ProposalFile `json:"files"`
}
