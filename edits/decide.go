package edits

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
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

	into    State    // what the hunks become where the files read as planned
	remade  []Change // of a redoing: the changes as they fit the files now
	journal string   // id of the record of its writing, where there is one
	left    []Hunk   // its hunks as Settle left them
}

// PlannedFile is what is to be done to one file.
type PlannedFile struct {
	Op            Op
	Path          string
	To            string // the new path, for OpRename
	Version       *int32 // of the document, where an editor has it open: the one that Before is
	Before, After []byte // without byte order mark; Before is nil where there is no file, After for OpDelete
	Edits         []Edit // make After of Before
	Hunks         []string
	Done          bool         // it is as planned already: nothing is to be done
	BOM           bool         // Before follows a byte order mark, or After has to, for OpCreate
	Mode          *fs.FileMode // permissions of a file that is created again; nil: those of any new file
	Made          []string     // folders that are made for the file; canonical, the outermost first
	Left          []string     // folders that were made for the file, and go with it if nothing else is in them; canonical
}

// target is the path that the file has afterwards, "" if it is deleted.
func (f *PlannedFile) target() string {
	switch f.Op {
	case OpRename:
		return f.To
	case OpDelete:
		return ""
	}
	return f.Path
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
	if err := m.hold(ctx); err != nil {
		return nil, err
	}
	defer m.letGo()
	plan, stale, err := m.planAll(ctx, p, chosen)
	if err != nil {
		return nil, err
	}
	if err := attributes(plan); err != nil {
		return nil, err
	}
	if err := m.save(ctx, p, plan.texts()...); err != nil {
		return nil, err
	}
	m.onChange(p)
	if stale != nil {
		return nil, stale
	}
	m.setInFlight(plan, true)
	return plan, nil
}

// texts returns the texts that the plan's changes are made against.
func (p *Plan) texts() (texts [][]byte) {
	for _, f := range p.Files {
		texts = append(texts, f.Before)
	}
	return texts
}

// attributes notes what is lost with the files that the plan deletes, and has to
// come back if that is undone.
func attributes(plan *Plan) error {
	for i := range plan.Files {
		f := &plan.Files[i]
		if f.Op != OpDelete || f.Before == nil {
			continue
		}
		info, err := os.Lstat(f.Path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // there is only the editor's text of it
		}
		if err != nil {
			return err
		}
		mode := info.Mode().Perm()
		f.Mode = &mode
	}
	return nil
}

// planAll plans all that was chosen and marks it accepted, or else marks what
// does not fit as stale and returns the first such place.
func (m *Manager) planAll(ctx context.Context, p *Proposal, chosen []choice) (*Plan, *StaleError, error) {
	s := m.scene()
	var first *StaleError
	for _, c := range chosen {
		unfit, err := s.makeOrFind(ctx, c.change.part(c.hunks))
		var stale *StaleError
		switch {
		case errors.As(err, &stale):
			c.change.setState(idsOf(unfit), Stale)
			first = cmp.Or(first, stale)
		case err != nil:
			return nil, nil, err
		}
	}
	if first == nil {
		for _, c := range chosen {
			c.change.setState(idsOf(c.hunks), Accepted)
		}
	}
	return &Plan{ProposalID: p.ID, Files: s.plan(), into: Verified}, first, nil
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
		if !slices.ContainsFunc(p.Changes, func(c Change) bool { return c.Path == path || c.To == path }) {
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
	return func(c *Change, h Hunk) bool { return wanted[c.Path] || c.To != "" && wanted[c.To] || wanted[h.ID] }, nil
}

// applying reports whether a plan is changing hunks of c.
func (m *Manager) applying(c *Change) bool {
	return slices.ContainsFunc(c.Hunks, func(h Hunk) bool { return m.inFlight[h.ID] })
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
