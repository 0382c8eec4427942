package edits

import (
	"bytes"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"ploke-lsp/edits/problems"
	"ploke-lsp/internal/syntax"
)

// Op is what a change does to its file.
type Op string

// The operations.
const (
	OpEdit   Op = "edit"
	OpCreate Op = "create"
	OpRename Op = "rename"
	OpDelete Op = "delete"
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

// Hunk is one edit of a file, the smallest unit that can be accepted. Creating or deleting a
// file is one edit of its complete text. Renaming a file is a hunk of its own that changes no
// text.
type Hunk struct {
	ID                 string
	Edit               Edit
	Renames            bool `json:",omitempty"`
	StartLine, EndLine int  // lines of the base text, 1-based, inclusive
	State              State
	// id of the latest plan to change the hunk's text in its file; "" if there was none
	Plan string `json:",omitempty"`
}

// Change is what a proposal does to one file, as edits of one base text. After a part of it was
// accepted, the remaining hunks become a Change of their own, made against the accepted text. A
// file that is renamed and edited is one Change: the edits refer to the text under the old
// name, and the first hunk is the rename.
type Change struct {
	Op          Op
	Path        string           // canonical
	To          string           // canonical; the new path, for OpRename
	BaseHash    string           // hash of the text that the hunks edit; for OpCreate, the hash of an empty text
	BaseVersion *int32           // document version, if an editor had the file open
	Charset     string           `json:",omitempty"` // of the file, as in workspace.Encoding
	Link        bool             `json:",omitempty"` // the file is a symbolic link; its text is where it leads
	Hunks       []Hunk           // sorted by offset, not overlapping
	Problems    []syntax.Problem // syntax errors that the base text does not have, with places in the new text
	// unix milliseconds: when the person last changed it before accepting it, since it was last staged
	EditedAt int64       `json:",omitempty"`
	Deleted  *Attributes `json:",omitempty"` // attributes of a file that an OpDelete removed
	Split    *Split      `json:",omitempty"` // set if other hunks were left when this was applied
	// folders that were created for the file when it was last applied or undone; canonical, outermost first
	CreatedDirs []string `json:"Made,omitempty"`
}

// Split says what an applied change was while the hunks that were left still waited next to it. The hunks that were
// left are edits of what these edits make of the text.
type Split struct {
	BaseHash string // hash of the text
	Edits    []Edit
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

// target is the file's path after the change; "" if the file is deleted.
func (c *Change) target() string {
	switch c.Op {
	case OpRename:
		return c.To
	case OpDelete:
		return ""
	}
	return c.Path
}

// part returns a copy of c that has only the given hunks of it.
func (c *Change) part(hunks []Hunk) *Change {
	p := *c
	p.Hunks = hunks
	if c.Op == OpRename && !hunks[0].Renames {
		p.Op, p.To = OpEdit, ""
	}
	return &p
}

// textual returns the hunks that change text.
func textual(hunks []Hunk) []Hunk {
	if len(hunks) > 0 && hunks[0].Renames {
		return hunks[1:]
	}
	return hunks
}

// Waits reports whether the change is undecided.
func (c *Change) Waits() bool {
	return slices.ContainsFunc(c.Hunks, func(h Hunk) bool { return h.State == Staged })
}

func (c *Change) pending() bool {
	for i := range c.Hunks {
		if c.Hunks[i].State.open() {
			return true
		}
	}
	return false
}

// texts returns the hashes of the texts that deciding on c needs.
func (c *Change) texts() []string {
	if c.Split == nil {
		return []string{c.BaseHash}
	}
	return []string{c.BaseHash, c.Split.BaseHash}
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

func (c *Change) hunk(id string) *Hunk {
	for i := range c.Hunks {
		if c.Hunks[i].ID == id {
			return &c.Hunks[i]
		}
	}
	return nil
}

// setState sets the state of c's hunks with these ids.
func (c *Change) setState(ids []string, state State) {
	for _, id := range ids {
		c.hunk(id).State = state
	}
}

// clone returns a copy that shares nothing with c that is modified.
func (c *Change) clone() *Change {
	d := *c
	d.Hunks = slices.Clone(c.Hunks)
	return &d
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

func editsOf(hunks []Hunk) []Edit {
	es := make([]Edit, len(hunks))
	for i, h := range hunks {
		es[i] = h.Edit
	}
	return es
}

// newProblems returns the syntax errors that base with the hunks has and base does not.
func newProblems(path string, base []byte, hunks []Hunk) ([]syntax.Problem, error) {
	after, err := Apply(base, editsOf(hunks))
	if err != nil {
		return nil, err
	}
	return problems.New(path, base, after), nil
}

// newHunk returns a staged hunk with a new id.
func newHunk(e Edit) Hunk {
	return Hunk{ID: newID(), Edit: e, State: Staged}
}

// setLines sets the hunks' lines. base is the text that the hunks edit.
func setLines(base []byte, hunks []Hunk) {
	line, at := 1, 0
	for i := range hunks {
		h := &hunks[i]
		line += bytes.Count(base[at:h.Edit.Start], []byte("\n"))
		at = h.Edit.Start
		h.StartLine = line
		h.EndLine = line + bytes.Count(base[at:max(at, h.Edit.End-1)], []byte("\n"))
	}
}

func newID() string {
	return uuid.Must(uuid.NewV7()).String()
}
