package edits

import (
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"ploke-lsp/edits/problems"
	"ploke-lsp/internal/syntax"
)

// State is the state of a hunk or of a proposal.
type State string

// The states. Partial is only a proposal's state: a part of the proposal is decided, or only a part of it is
// in the files.
const (
	Staged   State = "staged"   // proposed; undecided
	Accepted State = "accepted" // decided; being applied
	Applied  State = "applied"  // the editor reported success, but the workspace cannot confirm it
	Verified State = "verified" // found in the file
	Rejected State = "rejected" // turned down
	Stale    State = "stale"    // did not fit the file at the latest attempt
	Failed   State = "failed"   // accepted, but not found in the file afterwards
	Undone   State = "undone"   // taken back after it was applied
	Partial  State = "partial"

	Withdrawn State = "withdrawn" // taken back before a decision by the turn that proposed it
)

// open reports whether a decision is still possible. A hunk that did not fit or could not be
// applied may be tried again.
func (s State) open() bool {
	return s == Staged || s == Stale || s == Failed || s == Accepted
}

// Proposal is one transaction over files.
type Proposal struct {
	ID             string
	ConversationID string
	RequestID      string   // the turn that proposed the latest part
	CallID         string   // the tool call that began the proposal
	Origins        []Origin // the turns that have proposed parts of it, if there are several, in their order
	Title          string
	Reason         string    // why it was proposed
	DecisionReason string    // why it was rejected, or could not be applied
	Changes        []*Change // at most one Change of a file has open hunks
	CreatedAt      time.Time

	follows bool   // the title names the files, since no reason was given
	content string // names the proposed texts; see [Version]. "" if a release stored it that kept none
	changeSummary
	storedState
}

// storedState is what a proposal's row has besides the proposal.
type storedState struct {
	unsaved   [][]byte                // texts to store with the proposal
	inFlight  map[string]inFlightPlan // by the plan's id
	updatedAt int64                   // unix milliseconds; the version of the stored row
}

// Origin is a turn that has proposed a part of a proposal, and its first call that did.
type Origin struct {
	RequestID string `json:"turn"`
	CallID    string `json:"call"`
}

// Broken reports whether the proposal has new syntax errors.
func (p *Proposal) Broken() bool {
	return slices.ContainsFunc(p.Changes, func(c *Change) bool { return len(c.Problems) > 0 })
}

// AllOrigins returns the turns that have proposed parts of p, in their order, also if there is only one.
func (p *Proposal) AllOrigins() []Origin {
	if len(p.Origins) == 0 {
		return []Origin{{p.RequestID, p.CallID}}
	}
	return p.Origins
}

// Status derives the proposal's state from the states of its hunks. While nothing is decided, a
// single hunk that is stale or failed makes the proposal Stale or Failed, because then it
// cannot be accepted as a whole. Once all is decided, it is Undone if nothing is in the files that was there
// before, whatever else was rejected.
func (p *Proposal) Status() State {
	all := slices.Collect(maps.Keys(p.hunkStates()))
	if len(all) == 1 {
		return all[0]
	}
	only := func(states ...State) bool {
		return !slices.ContainsFunc(all, func(s State) bool { return !slices.Contains(states, s) })
	}
	switch {
	case only(Staged, Stale, Failed) && slices.Contains(all, Stale):
		return Stale
	case only(Staged, Failed):
		return Failed
	case only(Applied, Verified):
		return Applied
	case only(Rejected, Undone, Withdrawn) && slices.Contains(all, Undone):
		return Undone
	case only(Rejected, Withdrawn):
		return Rejected
	}
	return Partial
}

// waits reports whether something in p is undecided and can still be amended: nothing in p is being
// applied, or has failed to fit.
func (p *Proposal) waits() bool {
	if len(p.inFlight) > 0 {
		return false
	}
	states := p.hunkStates()
	for state := range states {
		if state.open() && state != Staged {
			return false
		}
	}
	return states[Staged] > 0
}

// has reports whether a hunk is in the state.
func (p *Proposal) has(state State) bool { return p.hunkStates()[state] > 0 }

// states returns all hunk states as one string, for comparison.
func (p *Proposal) states() (all string) {
	for _, c := range p.Changes {
		for _, h := range c.Hunks {
			all += string(h.State) + " "
		}
	}
	return all
}

// changeOf returns the change that has all hunks with these ids, or nil.
func (p *Proposal) changeOf(ids []string) *Change {
	for i := range p.Changes {
		c := p.Changes[i]
		if !slices.ContainsFunc(ids, func(id string) bool { return c.hunk(id) == nil }) {
			return c
		}
	}
	return nil
}

func (p *Proposal) hunk(id string) *Hunk {
	for i := range p.Changes {
		if h := p.Changes[i].hunk(id); h != nil {
			return h
		}
	}
	return nil
}

// clone returns a copy that shares nothing mutable with p.
func (p *Proposal) clone() *Proposal {
	q := p.shallowClone()
	for i, c := range q.Changes {
		q.Changes[i] = c.clone()
	}
	q.changeSummary = changeSummary{}
	return q
}

// shallowClone returns a copy that shares its changes with p, which must not be modified any more.
func (p *Proposal) shallowClone() *Proposal {
	q := *p
	q.Changes, q.Origins = slices.Clone(p.Changes), slices.Clone(p.Origins)
	q.unsaved, q.inFlight = slices.Clone(p.unsaved), maps.Clone(p.inFlight)
	return &q
}

func idsOf(hunks []Hunk) []string {
	ids := make([]string, len(hunks))
	for i, h := range hunks {
		ids[i] = h.ID
	}
	return ids
}

// newProblems returns the syntax errors that base with the hunks has and base does not.
func newProblems(path string, base []byte, hunks []Hunk) ([]syntax.Problem, error) {
	after, err := Apply(base, editsOf(hunks))
	if err != nil {
		return nil, err
	}
	return problems.New(path, base, after), nil
}

func newID() string {
	return uuid.Must(uuid.NewV7()).String()
}
