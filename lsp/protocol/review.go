package protocol

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// The methods of a review: what waits for the person's decision, in the texts as they are now.
const (
	// MethodReview reads what waits for a decision. A proposal is in the review once its turn has ended. After each
	// change of the review, of texts in which something waits too, a client that handles ploke/event gets a part
	// of the type review, and asks again.
	MethodReview = "ploke/review"
	// MethodReviewMerge reads the texts for a three-way merge of a file in which something waits. It
	// fails if nothing does, or if the text that the proposal was made against is not kept any more.
	MethodReviewMerge = "ploke/review/merge"
)

// ReviewResult holds the proposals that wait for a decision.
type ReviewResult struct {
	Proposals []ReviewedProposal `json:"proposals"` // the newest first, at most 100
}

// A ReviewedProposal is what waits of a proposal.
type ReviewedProposal struct {
	ID             string         `json:"id"`
	Title          string         `json:"title"`
	ConversationID string         `json:"conversationId,omitzero"`
	Status         ProposalStatus `json:"status"`
	Version        string         `json:"version"`           // as in [Proposal]
	Evidence       []Evidence     `json:"evidence,omitzero"` // as in [Proposal]
	Files          []ReviewedFile `json:"files"`             // of which something waits; none while all of it is being applied
}

// A ReviewedFile is what waits of a proposal in one file.
type ReviewedFile struct {
	URI     uri.URI        `json:"uri"`
	Path    string         `json:"path"`             // relative to its workspace folder
	NewURI  uri.URI        `json:"newUri,omitzero"`  // of a file that is renamed
	NewPath string         `json:"newPath,omitzero"` // of a file that is renamed
	Op      FileOp         `json:"op"`
	Version *int           `json:"version,omitzero"` // of the document that the ranges are in; omitted if it is not open
	Reason  string         `json:"reason,omitzero"`  // why the file as a whole does not fit; omitted if it does
	Hunks   []ReviewedHunk `json:"hunks"`            // in the order of the file
}

// A ReviewedHunk is a hunk that waits. Its range and its texts are whole lines, unless another hunk shares
// a line with it. The range ends after the line break of its last line. It is empty if the hunk only inserts, if
// the file does not exist, and if the file as a whole does not fit.
type ReviewedHunk struct {
	ID      string `json:"id"`
	Summary string `json:"summary"` // what it does, in one line
	// in the text as it is now; of a hunk that does not fit, the lines with which it conflicts
	Range   protocol.Range `json:"range"`
	OldText string         `json:"oldText"` // the text of the range
	// what replaces it; of a hunk that does not fit, the lines that it proposes
	NewText  string `json:"newText"`
	Rename   bool   `json:"rename,omitzero"`   // the hunk renames the file, and changes no text
	Conflict bool   `json:"conflict,omitzero"` // the hunk does not fit the text as it is now
}

// ReviewMergeParams names a file of a proposal.
type ReviewMergeParams struct {
	ID  string  `json:"id"`  // of the proposal
	URI uri.URI `json:"uri"` // of the file, under its current name or its new one
}

// ReviewMergeResult holds the whole texts of a file for a three-way merge, with the names of
// [Conflict]. A text is empty if the file does not exist there. Without conflicts, theirs and
// merged are what a diff of the waiting change shows.
type ReviewMergeResult struct {
	Base    string `json:"base"`             // before the proposal
	Ours    string `json:"ours"`             // as the proposal would have it
	Theirs  string `json:"theirs"`           // as the file is now
	Merged  string `json:"merged"`           // as the file is now, with the hunks that fit
	Version *int   `json:"version,omitzero"` // of the document whose text theirs is; omitted if it is not open

	ProposalVersion string `json:"proposalVersion"` // as in [Proposal]
}
