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
// verified, rejected, stale, failed, undone or partial. CreatedAt is in
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
// rename or delete.
type ProposalFile struct {
	URI   uri.URI `json:"uri"`
	Path  string  `json:"path"`
	Op    string  `json:"op"`
	Hunks int     `json:"hunks"`
}

// ProposalParams names one.
type ProposalParams struct {
	ID string `json:"id"`
}

// ProposalGetResult is a proposal to look at: Diff is unified.
type ProposalGetResult struct {
	Proposal Proposal       `json:"proposal"`
	Diff     string         `json:"diff"`
	Files    []ProposalView `json:"files"`
}

// A ProposalView is one file of a proposal, whole, before and after.
type ProposalView struct {
	URI    uri.URI `json:"uri"`
	Path   string  `json:"path"`
	Before string  `json:"before"`
	After  string  `json:"after"`
	Hunks  []Hunk  `json:"hunks"`
}

// A Hunk is one edit. Lines are 1-based and inclusive, in the text before.
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

// ProposalDecision is what became of it.
type ProposalDecision struct {
	Status string         `json:"status"`
	Files  []ProposalFile `json:"files"`
}
