package edits

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	udiff "github.com/aymanbagabas/go-udiff"
)

// EditFile replaces what a proposal makes of one file by what the person wants
// instead, before it is accepted: after is the whole text that the file shall
// have, made from what Files shows for it. Hunks that are still there in some form
// keep their ids; if the base text's lines all end in CRLF, so do those of after.
// path is the name that the file has now, or will have.
func (m *Manager) EditFile(ctx context.Context, id, path, after string) (*Proposal, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, err := m.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if path, err = m.ws.Resolve(path); err != nil {
		return nil, err
	}
	c := p.pending(path)
	switch {
	case c == nil:
		return nil, fmt.Errorf("nothing of %s is left to decide on in this proposal", m.ws.Rel(path))
	case m.applying(c):
		return nil, fmt.Errorf("%s is being applied already; wait for the outcome", m.ws.Rel(path))
	case c.Op == OpDelete:
		return nil, fmt.Errorf("%s is deleted by this proposal; reject it if the file shall stay", m.ws.Rel(path))
	}
	base, err := m.text(ctx, c.BaseHash)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(base) {
		return nil, fmt.Errorf("%s is not UTF-8, so that its text can't be sent here whole; accept or reject the change as it is", m.ws.Rel(path))
	}
	if err := c.amend(base, after); err != nil {
		return nil, err
	}
	if err := m.save(ctx, p); err != nil {
		return nil, err
	}
	m.onChange(p.clone())
	return p, nil
}

// amend has the change make after of its base text.
func (c *Change) amend(base []byte, after string) (err error) {
	if c.Op == OpCreate {
		h := c.Hunks[0]
		h.Edit.New, h.State = after, Staged
		c.Hunks = []Hunk{h}
	} else {
		c.rewrite(base, after)
	}
	if len(c.Hunks) == 0 {
		return errors.New("nothing would be changed; reject the proposal if that is meant")
	}
	c.Problems, err = newProblems(c.target(), base, textual(c.Hunks))
	return err
}

// rewrite makes one hunk of each run of lines that differ.
func (c *Change) rewrite(base []byte, after string) {
	if endsInCRLF(base) {
		after = withCRLF(after)
	}
	old := textual(c.Hunks)
	hunks := c.Hunks[: len(c.Hunks)-len(old) : len(c.Hunks)-len(old)]
	for _, e := range udiff.Lines(string(base), after) {
		h := newHunk(Edit(e))
		for len(old) > 0 && old[0].Edit.End < e.Start {
			old = old[1:]
		}
		if len(old) > 0 && old[0].Edit.Start <= e.End {
			h.ID = old[0].ID
			old = old[1:]
		}
		hunks = append(hunks, h)
	}
	for i := range hunks {
		hunks[i].State = Staged
	}
	setLines(base, hunks)
	c.Hunks = hunks
}

// Conflict shows one place where a proposal no longer fits its file. The texts
// are whole lines.
type Conflict struct {
	Path   string
	Hunk   string // id
	Line   int    // where Theirs begins in the file as it is now; 0 where it is not there
	Base   string // what the hunk was made for
	Ours   string // what the hunk makes of it
	Theirs string // what the file says there now
	Reason string
}

// Conflicts returns the places where what is undecided of p does not fit its
// files as they are now, with what either side says there.
func (m *Manager) Conflicts(ctx context.Context, p *Proposal) ([]Conflict, error) {
	var all []Conflict
	for i := range p.Changes {
		c := &p.Changes[i]
		if !c.pending() {
			continue
		}
		hunks, err := m.scene().make(ctx, c)
		var stale *StaleError
		if err != nil && !errors.As(err, &stale) {
			return nil, err
		}
		if stale == nil {
			continue
		}
		for _, h := range hunks {
			x, err := m.conflict(ctx, c, h, stale)
			if err != nil {
				return nil, err
			}
			all = append(all, x)
		}
	}
	return all, nil
}

func (m *Manager) conflict(ctx context.Context, c *Change, h Hunk, stale *StaleError) (Conflict, error) {
	x := Conflict{Path: stale.Path, Hunk: h.ID, Reason: stale.Error()}
	base, err := m.text(ctx, c.BaseHash)
	if err != nil {
		return x, err
	}
	now, err := m.readIfExists(ctx, stale.Path)
	if err != nil {
		return x, err
	}
	if now == nil || stale.Reason != "" {
		x.Base, x.Ours = string(base), h.Edit.New
		if now != nil {
			x.Line, x.Theirs = 1, string(now.Text)
		}
		return x, nil
	}
	x.Line, x.Base, x.Ours, x.Theirs = threeSides(base, now.Text, h.Edit)
	return x, nil
}

// threeSides returns the lines of base that e and the changes from base to now
// near it touch, and what either side makes of them.
func threeSides(base, now []byte, e Edit) (line int, was, ours, theirs string) {
	start, end := wholeLines(base, e)
	from, to := 0, 0 // places in now less those in base
	for _, t := range udiff.Lines(string(base), string(now)) {
		switch {
		case t.End < start:
			from += Edit(t).shift()
			to = from
		case t.Start <= end:
			start, end = min(start, t.Start), max(end, t.End)
			to += Edit(t).shift()
		}
	}
	was = string(base[start:end])
	ours = string(base[start:e.Start]) + e.New + string(base[e.End:end])
	return lineAt(now, start+from), was, ours, string(now[start+from : end+to])
}
