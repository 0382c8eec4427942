package protocol

import "go.lsp.dev/uri"

// MethodProposalCheck runs the checks of a proposal again, in a sandbox, and replies when they have ended. The
// person has asked for it, so only a standing answer that forbids it stops it. What did not run is unknown, which is
// not an error.
const MethodProposalCheck = "ploke/proposal/check"

// ProposalCheckParams names a proposal; without one, it is what is not committed.
type ProposalCheckParams struct {
	ID    string `json:"id,omitzero"`
	Tests bool   `json:"tests,omitzero"` // also its tests, whatever the settings say
	// also stores that commands may run in a sandbox on copies of the folders that the proposal changes
	Always bool `json:"always,omitzero"`
}

// ProposalCheckResult holds what is known then.
type ProposalCheckResult struct {
	Version  string     `json:"version,omitzero"` // as in [Proposal]
	Evidence []Evidence `json:"evidence"`
	Reason   string     `json:"reason,omitzero"` // why there is none
}

// Evidence is what one source says of a proposal as it is now: whether it builds, or what its tests say. No decision
// depends on it.
type Evidence struct {
	Source  string        `json:"source"` // names it among those of the proposal, such as "go vet"
	Kind    EvidenceKind  `json:"kind"`
	State   EvidenceState `json:"state"`
	Summary string        `json:"summary"`          // the state in one line, with the reason
	Command string        `json:"command,omitzero"` // as people write it
	// those that are not there without the proposal, at most 100
	Problems []EvidenceProblem `json:"problems,omitzero"`
	Omitted  int               `json:"omitted,omitzero"` // how many more there are
	Before   int               `json:"before,omitzero"`  // how many problems there are without the proposal, too
	Passed   int               `json:"passed,omitzero"`  // how many tests
	Failed   int               `json:"failed,omitzero"`  // how many tests
	// what the command has printed, or its end; only in [ProposalGetResult] and [ProposalCheckResult]
	Output     string `json:"output,omitzero"`
	StartedAt  int64  `json:"startedAt,omitzero"`  // in milliseconds since 1970
	DurationMS int64  `json:"durationMs,omitzero"` // of the command, in milliseconds
}

// EvidenceKind is what a piece of evidence comes from.
type EvidenceKind string

// The kinds of evidence.
const (
	EvidenceSyntax   EvidenceKind = "syntax"   // the parser
	EvidenceProblems EvidenceKind = "problems" // a command that checks or builds
	EvidenceCommand  EvidenceKind = "command"  // any other command, such as tests
)

// EvidenceState is what a source has found.
type EvidenceState string

// The states of evidence.
const (
	EvidenceRunning EvidenceState = "running"
	EvidencePassed  EvidenceState = "passed"  // it has looked, and found nothing new
	EvidenceFailed  EvidenceState = "failed"  // it has found new problems
	EvidenceUnknown EvidenceState = "unknown" // it did not run, or its result says nothing of the proposal
	EvidenceStale   EvidenceState = "stale"   // the proposal or the files below it have changed since
)

// An EvidenceProblem is a problem that is not there without the proposal.
type EvidenceProblem struct {
	URI     uri.URI `json:"uri,omitzero"`  // of the file as the proposal leaves it; omitted if it is of no file
	Path    string  `json:"path,omitzero"` // relative to its workspace folder
	Line    int     `json:"line,omitzero"` // 1-based, in the text after the change; omitted if it is of the whole file
	Message string  `json:"message"`
	Code    string  `json:"code,omitzero"` // that the source gives it
	Warning bool    `json:"warning,omitzero"`
}
