package edits

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"ploke-lsp/internal/workspace"
)

// Selection names the part of a proposal that a decision is about: all hunks of
// the files and the hunks named. An empty one is everything.
type Selection struct {
	Files []string // paths, in any form that the workspace resolves
	Hunks []string // ids
}

// Plan is what is to be done to files: by the editor, or by WriteToDisk. Every
// plan has to be settled, whether it was carried out or not.
type Plan struct {
	ProposalID string
	Files      []PlannedFile
}

// PlannedFile is what is to be done to one file.
type PlannedFile struct {
	Op            Op
	Path          string
	To            string // the new path, for OpRename
	Version       *int32 // of the document, where an editor has it open: the one that Before is
	Before, After []byte // without byte order mark; Before is nil for OpCreate
	Edits         []Edit // make After of Before; none if the file reads like After already
	Hunks         []string
}

// Outcome is what whoever carried out a plan says of it.
type Outcome struct {
	Applied bool
	Reason  string // where not: why
}

// Accept plans the application of the selected hunks that are not decided yet,
// or that could not be applied before, to the files as they read now. Where one
// doesn't fit any more, nothing is planned, it is marked stale, and a
// *StaleError says which file and line.
func (m *Manager) Accept(ctx context.Context, id string, sel Selection) (*Plan, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, err := m.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	chosen, err := m.choose(p, sel)
	if err != nil {
		return nil, err
	}
	plan, stale, err := m.planAll(ctx, p, chosen)
	if err != nil {
		return nil, err
	}
	var texts [][]byte
	for _, f := range plan.Files {
		texts = append(texts, f.Before)
	}
	if err := m.save(ctx, p, texts...); err != nil {
		return nil, err
	}
	m.onChange(p)
	if stale != nil {
		return nil, stale
	}
	m.setInFlight(plan, true)
	return plan, nil
}

// planAll plans all that was chosen and marks it accepted, or else marks what
// does not fit as stale and returns the first such place.
func (m *Manager) planAll(ctx context.Context, p *Proposal, chosen []choice) (*Plan, *StaleError, error) {
	plan := &Plan{ProposalID: p.ID}
	var first *StaleError
	for _, c := range chosen {
		f, unfit, err := m.plan(ctx, c)
		var stale *StaleError
		switch {
		case errors.As(err, &stale):
			c.change.setState(idsOf(unfit), Stale)
			first = cmp.Or(first, stale)
		case err != nil:
			return nil, nil, err
		default:
			plan.Files = append(plan.Files, *f)
		}
	}
	if first == nil {
		for _, c := range chosen {
			c.change.setState(idsOf(c.hunks), Accepted)
		}
	}
	return plan, first, nil
}

// choice is the part of a change that a decision is about.
type choice struct {
	change *Change
	hunks  []Hunk
}

// choose returns the selected hunks that are still to be decided on.
func (m *Manager) choose(p *Proposal, sel Selection) ([]choice, error) {
	match, err := m.matcher(p, sel)
	if err != nil {
		return nil, err
	}
	var chosen []choice
	for i := range p.Changes {
		c := choice{change: &p.Changes[i]}
		for _, h := range c.change.Hunks {
			if !h.State.open() || !match(c.change, h) {
				continue
			}
			if m.inFlight[h.ID] {
				return nil, fmt.Errorf("%s is being applied already; wait for the outcome", m.ws.Rel(c.change.Path))
			}
			c.hunks = append(c.hunks, h)
		}
		if len(c.hunks) > 0 {
			chosen = append(chosen, c)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("nothing of it is left to decide on: the proposal is %s", p.Status())
	}
	return chosen, nil
}

// matcher returns whether a hunk is selected. A selection that names something
// the proposal does not have is an error.
func (m *Manager) matcher(p *Proposal, sel Selection) (func(*Change, Hunk) bool, error) {
	if len(sel.Files) == 0 && len(sel.Hunks) == 0 {
		return func(*Change, Hunk) bool { return true }, nil
	}
	wanted := make(map[string]bool)
	for _, name := range sel.Files {
		path, err := m.ws.Resolve(name)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(p.Changes, func(c Change) bool { return c.Path == path }) {
			return nil, fmt.Errorf("the proposal does not change %s", name)
		}
		wanted[path] = true
	}
	for _, id := range sel.Hunks {
		if p.hunk(id) == nil {
			return nil, fmt.Errorf("the proposal has no hunk %s", id)
		}
		wanted[id] = true
	}
	return func(c *Change, h Hunk) bool { return wanted[c.Path] || wanted[h.ID] }, nil
}

// plan says how the chosen hunks are applied to what the file says now. With a
// *StaleError come the hunks that don't fit.
func (m *Manager) plan(ctx context.Context, c choice) (f *PlannedFile, unfit []Hunk, err error) {
	now, err := m.readIfExists(ctx, c.change.Path)
	if err != nil {
		return nil, nil, err
	}
	f = &PlannedFile{Op: c.change.Op, Path: c.change.Path, Hunks: idsOf(c.hunks)}
	if now != nil {
		f.Before = now.Text
		if now.Open {
			f.Version = &now.Version
		}
	}
	done, err := m.done(ctx, c, now)
	if err != nil {
		return nil, nil, err
	}
	if done {
		f.After = now.Text
		return f, nil, nil
	}
	hunks, unfit, err := m.carry(ctx, c.change, c.hunks, now)
	if err != nil {
		return nil, unfit, err
	}
	f.Edits = editsOf(hunks)
	f.After, err = Apply(f.Before, f.Edits)
	return f, nil, err
}

// done reports whether the file says already what the chosen hunks make of it,
// as it does when an earlier application was cut short before it was settled.
func (m *Manager) done(ctx context.Context, c choice, now *workspace.File) (bool, error) {
	if now == nil {
		return false, nil
	}
	base, err := m.text(ctx, c.change.BaseHash)
	if err != nil {
		return false, err
	}
	after, err := Apply(base, editsOf(c.hunks))
	return workspace.Hash(after) == now.Hash, err
}

func (m *Manager) readIfExists(ctx context.Context, path string) (*workspace.File, error) {
	f, err := m.ws.Read(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f, err
}

func (m *Manager) setInFlight(plan *Plan, applying bool) {
	for _, f := range plan.Files {
		for _, id := range f.Hunks {
			if applying {
				m.inFlight[id] = true
			} else {
				delete(m.inFlight, id)
			}
		}
	}
}

// Reject turns down all of the proposal that is still to be decided on.
func (m *Manager) Reject(ctx context.Context, id, reason string) (*Proposal, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, err := m.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	chosen, err := m.choose(p, Selection{})
	if err != nil {
		return nil, err
	}
	for _, c := range chosen {
		c.change.setState(idsOf(c.hunks), Rejected)
	}
	p.DecisionReason = reason
	if err := m.save(ctx, p); err != nil {
		return nil, err
	}
	m.onChange(p.clone())
	return p, nil
}
