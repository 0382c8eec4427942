package edits

import (
	"context"
	"errors"

	"ploke-lsp/internal/workspace"
)

// maxUndecided is how many proposals a person is shown at once. Older ones are in the list of
// proposals.
const maxUndecided = 100

// Undecided returns the proposals in which something waits for a decision, the newest first. It
// returns at most 100.
func (m *Manager) Undecided(ctx context.Context) ([]*Proposal, error) {
	return m.queryProposals(ctx, `WHERE status IN (?1, ?2, ?3)
		OR status = ?4 AND (instr(body, '"State":"staged"') OR instr(body, '"State":"stale"') OR instr(body, '"State":"failed"'))
		ORDER BY created_at DESC, id DESC LIMIT ?5`,
		string(Staged), string(Stale), string(Failed), string(Partial), maxUndecided)
}

// Applied returns the proposals of which something is applied, and can be undone: those that
// changed last come first. It returns at most limit.
func (m *Manager) Applied(ctx context.Context, limit int) ([]*Proposal, error) {
	return m.queryProposals(ctx, `WHERE status IN (?1, ?2)
		OR status = ?3 AND (instr(body, '"State":"applied"') OR instr(body, '"State":"verified"'))
		ORDER BY updated_at DESC, id DESC LIMIT ?4`,
		string(Applied), string(Verified), string(Partial), limit)
}

// Placed is the undecided part of what a proposal does to one file, in the file as it is now.
type Placed struct {
	Op       Op
	Path, To string          // as in Change
	File     *workspace.File // nil if there is no file
	Reason   string          // why the file as a whole does not fit; "" if it does
	Hunks    []PlacedHunk    // in the file's order
}

// PlacedHunk is an undecided hunk. Edit is an edit of the file's text as it is now, unless the
// hunk no longer fits. Then it is an empty edit where the hunk conflicts.
type PlacedHunk struct {
	ID      string
	Renames bool
	Edit    Edit
	Stale   bool
}

// Place finds the places of a proposal's undecided hunks in the files as they are now. What is
// being applied is left out.
func (m *Manager) Place(ctx context.Context, p *Proposal) (all []Placed, err error) {
	for i := range p.Changes {
		c := &p.Changes[i]
		if !c.pending() || p.applying(c) {
			continue
		}
		placed, err := m.place(ctx, c)
		if err != nil {
			return nil, err
		}
		all = append(all, placed)
	}
	return all, nil
}

// Touches reports whether something undecided in p changes the file at a canonical path, under
// its old or its new name.
func (p *Proposal) Touches(path string) bool { return p.pending(path) != nil }

func (m *Manager) place(ctx context.Context, c *Change) (Placed, error) {
	placed := Placed{Op: c.Op, Path: c.Path, To: c.To}
	for _, h := range c.Hunks {
		if h.State.open() {
			placed.Hunks = append(placed.Hunks, PlacedHunk{ID: h.ID, Renames: h.Renames, Edit: h.Edit})
		}
	}
	var err error
	if placed.File, err = m.readIfExists(ctx, c.Path); err != nil {
		return placed, err
	}
	switch there := placed.File != nil; {
	case there == (c.Op == OpCreate):
		placed.Reason = m.existenceConflict(c.Path, !there).Error()
	case there && placed.File.Hash != c.BaseHash:
		return placed, m.movePlaces(ctx, c, &placed)
	}
	return placed, nil
}

// movePlaces moves the hunks from the text that they were made against to the current one.
func (m *Manager) movePlaces(ctx context.Context, c *Change, placed *Placed) error {
	base, err := m.text(ctx, c.BaseHash)
	if errors.Is(err, errTextGone) {
		placed.Reason = err.Error()
		return nil
	}
	if err != nil {
		return err
	}
	hunks := placed.Hunks
	if len(hunks) > 0 && hunks[0].Renames {
		hunks = hunks[1:]
	}
	var es []Edit
	for _, h := range hunks {
		es = append(es, h.Edit)
	}
	moved, conflicts := rebase(base, placed.File.Text, es)
	for i := range hunks {
		if len(conflicts) > 0 && conflicts[0].index == i {
			at := offsetOfLine(placed.File.Text, conflicts[0].line)
			hunks[i].Edit, hunks[i].Stale = Edit{Start: at, End: at}, true
			conflicts = conflicts[1:]
			continue
		}
		hunks[i].Edit, moved = moved[0], moved[1:]
	}
	return nil
}

// offsetOfLine returns the byte offset at which a 1-based line begins.
func offsetOfLine(text []byte, line int) (at int) {
	for i, b := range text {
		if line == 1 {
			break
		}
		if b == '\n' {
			line, at = line-1, i+1
		}
	}
	return at
}
