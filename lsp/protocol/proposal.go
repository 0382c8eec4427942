package protocol

import "go.lsp.dev/uri"

// The methods of proposals. Those that name a proposal fail if there is none with this id. Those
// that decide also fail if nothing is left to decide, or if another window decides at the same moment.
const (
	// MethodProposalList lists the proposals of the workspace.
	MethodProposalList = "ploke/proposal/list"
	// MethodProposalGet reads a proposal with its texts and its conflicts.
	MethodProposalGet = "ploke/proposal/get"
	// MethodProposalAccept accepts a proposal or a part of it. The server applies it through workspace/applyEdit
	// before it replies, so a client must handle that meanwhile. It fails if a file or hunk is not one
	// of the proposal's.
	MethodProposalAccept = "ploke/proposal/accept"
	// MethodProposalReject rejects a proposal or a part of it.
	MethodProposalReject = "ploke/proposal/reject"
	// MethodProposalEdit replaces the result of an undecided proposal for one file. It fails if that changes
	// nothing, or if the file is deleted by the proposal or is not UTF-8.
	MethodProposalEdit = "ploke/proposal/edit"
	// MethodProposalUndo undoes what was accepted of a proposal, through workspace/applyEdit. What was typed
	// since stays. It fails if nothing of it is applied.
	MethodProposalUndo = "ploke/proposal/undo"
	// MethodProposalRedo applies what was undone again, through workspace/applyEdit. It fails if nothing is undone.
	MethodProposalRedo = "ploke/proposal/redo"
)

// ProposalListParams filters the proposals.
type ProposalListParams struct {
	Status ProposalStatus `json:"status,omitzero"` // by default all
}

// ProposalListResult holds proposals.
type ProposalListResult struct {
	Proposals []Proposal `json:"proposals"` // the newest first
}

// A Proposal is the summary of a proposal.
type Proposal struct {
	ID             string         `json:"id"`
	Title          string         `json:"title"`
	Status         ProposalStatus `json:"status"`
	ConversationID string         `json:"conversationId,omitzero"`
	TurnID         string         `json:"turnId,omitzero"`
	Files          []ProposalFile `json:"files"`
	CreatedAt      int64          `json:"createdAt"` // in milliseconds since 1970
	// names what it proposes and what of that is undecided; a decision names it, too
	Version string `json:"version"`
	// what is known of it besides its changes, by source
	Evidence []Evidence `json:"evidence,omitzero"`
}

// ProposalStatus is the state of a proposal or of one of its hunks.
type ProposalStatus string

// The states of a proposal and of a hunk.
const (
	ProposalStaged    ProposalStatus = "staged"    // no decision has been made yet
	ProposalAccepted  ProposalStatus = "accepted"  // decided; being applied
	ProposalApplied   ProposalStatus = "applied"   // the editor reported success, which the workspace can't confirm
	ProposalVerified  ProposalStatus = "verified"  // found in the file
	ProposalRejected  ProposalStatus = "rejected"  // turned down
	ProposalStale     ProposalStatus = "stale"     // did not fit the file at the latest attempt; may be accepted again
	ProposalFailed    ProposalStatus = "failed"    // accepted, but not found in the file afterwards; may be accepted again
	ProposalUndone    ProposalStatus = "undone"    // taken back after it was applied; of a proposal: the rest is rejected
	ProposalWithdrawn ProposalStatus = "withdrawn" // taken back before a decision by the turn that proposed it
	// of a proposal: a part of it is decided, or only a part of it is in the files
	ProposalPartial ProposalStatus = "partial"
)

// A ProposalFile is one file that a proposal changes.
type ProposalFile struct {
	URI      uri.URI   `json:"uri"`
	Path     string    `json:"path"`              // relative to its workspace folder
	NewURI   uri.URI   `json:"newUri,omitzero"`   // of a renamed file
	NewPath  string    `json:"newPath,omitzero"`  // of a renamed file
	Op       FileOp    `json:"op"`                // a renamed file may also have edits
	Hunks    int       `json:"hunks"`             // how many there are
	Problems []Problem `json:"problems,omitzero"` // the syntax errors that the proposal adds to the file
}

// FileOp is what a proposal does to a file.
type FileOp string

// What a proposal does to a file.
const (
	FileEdit   FileOp = "edit"
	FileCreate FileOp = "create"
	FileRename FileOp = "rename"
	FileDelete FileOp = "delete"
)

// A Problem is a syntax error.
type Problem struct {
	Line    int    `json:"line"` // 1-based, in the text after the change
	Message string `json:"message"`
}

// ProposalParams names a proposal. In a command it may be omitted.
type ProposalParams struct {
	ID string `json:"id"`
	// that was shown, as in [ProposalAcceptParams]; to read a proposal, none is needed
	Version string `json:"version,omitzero"`
}

// ProposalGetResult is a proposal with its changes.
type ProposalGetResult struct {
	Proposal Proposal `json:"proposal"`
	// for people, as the setting edits.preview says: a unified diff, or the new code with its files and lines
	Preview   string         `json:"preview"`
	Diff      string         `json:"diff"` // a unified diff
	Files     []ProposalView `json:"files"`
	Conflicts []Conflict     `json:"conflicts,omitzero"` // with the current text of its files
}

// A ProposalView is the full text of one file of a proposal, before and after the
// change. A file that was accepted in part has several.
type ProposalView struct {
	URI     uri.URI `json:"uri"`
	Path    string  `json:"path"`             // relative to its workspace folder
	NewURI  uri.URI `json:"newUri,omitzero"`  // of a renamed file
	NewPath string  `json:"newPath,omitzero"` // of a renamed file
	Op      FileOp  `json:"op"`
	Before  string  `json:"before"`
	After   string  `json:"after"`
	Added   int     `json:"added"`   // how many lines it adds
	Removed int     `json:"removed"` // how many lines it removes
	Hunks   []Hunk  `json:"hunks"`
}

// A Conflict is a range of lines where a proposal conflicts with the current text. Hunks
// whose ranges overlap or touch share one conflict.
type Conflict struct {
	URI    uri.URI  `json:"uri"`
	Path   string   `json:"path"`   // relative to its workspace folder
	Hunks  []string `json:"hunks"`  // their ids
	Line   int      `json:"line"`   // the 1-based first line of theirs, or 0 if the file no longer exists
	Base   string   `json:"base"`   // the lines before the proposal
	Ours   string   `json:"ours"`   // the lines after the proposal
	Theirs string   `json:"theirs"` // the lines now
	Reason string   `json:"reason"`
}

// A Hunk is one edit, the smallest part that can be decided on. A rename is a separate hunk, which is the
// first one and changes no text.
type Hunk struct {
	ID        string         `json:"id"`
	StartLine int            `json:"startLine"` // 1-based, in the text before the change
	EndLine   int            `json:"endLine"`   // 1-based and inclusive, in the text before the change
	State     ProposalStatus `json:"state"`
}

// ProposalAcceptParams accepts a proposal. Without files and hunks it is the whole proposal.
//
// Version is that of the proposal which the person has seen. If the proposal has changed since, or
// some of the hunks that are decided on were decided meanwhile, the request fails and nothing is
// decided: show the proposal again. A client that names no version decides on what this server has
// shown it last: the result of a request that reads the proposal or the review, else what a turn
// has proposed.
type ProposalAcceptParams struct {
	ID      string    `json:"id"` // in a command it may be omitted
	Version string    `json:"version,omitzero"`
	Files   []uri.URI `json:"files,omitzero"`
	Hunks   []string  `json:"hunks,omitzero"` // their ids
}

// ProposalRejectParams rejects a proposal. Without files and hunks it is the whole proposal.
type ProposalRejectParams struct {
	ID      string    `json:"id"`               // in a command it may be omitted
	Version string    `json:"version,omitzero"` // that was shown, as in [ProposalAcceptParams]
	Files   []uri.URI `json:"files,omitzero"`
	Hunks   []string  `json:"hunks,omitzero"`  // their ids
	Reason  string    `json:"reason,omitzero"` // for the model
}

// ProposalEditParams replaces the result of an undecided proposal for one file.
type ProposalEditParams struct {
	ID      string  `json:"id"`
	Version string  `json:"version,omitzero"` // that the text was made from, as in [ProposalAcceptParams]
	File    uri.URI `json:"file"`             // its current name, or its new one
	After   string  `json:"after"`            // the new full text, based on that of [ProposalView], or on over

	// Over is the text of the file that After was made from, if that is not the one of [ProposalView]:
	// the text of the file now, as in [ReviewMergeResult]. A hunk that did not fit it is settled.
	Over *string `json:"over,omitzero"`
}

// ProposalDecision is the outcome of a decision on a proposal.
type ProposalDecision struct {
	Status  ProposalStatus `json:"status"`
	Version string         `json:"version"` // that the proposal has now; the decision has changed nothing else of it
	Files   []ProposalFile `json:"files"`
}
