package edits

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	udiff "github.com/aymanbagabas/go-udiff"

	"ploke-lsp/internal/workspace"
)

// EditFile lets the person replace what a proposal makes of one file, before it is accepted.
// after is the complete text that the file shall have; it is usually made from what Files
// returns for the file. A hunk that is still there in some form keeps its id. If all lines of
// the base text end in CRLF, the lines of after get CRLF, too. path is the file's current name
// or the new name that the proposal gives it. What the decision selects counts for nothing.
func (m *Manager) EditFile(ctx context.Context, d Decision, path, after string) (*Proposal, error) {
	return m.editFile(ctx, d, path, after, func(c *Change, base []byte) []byte { return base })
}

// EditFileOver is EditFile for an after that was made from over, a later text of the file, such as
// in a merge. What the proposal makes of the file is from then on the difference of these two texts;
// a hunk that did not fit over is settled by it.
func (m *Manager) EditFileOver(ctx context.Context, d Decision, path, over, after string) (*Proposal, error) {
	return m.editFile(ctx, d, path, after, func(c *Change, base []byte) []byte {
		c.moveTo(base, []byte(over))
		return []byte(over)
	})
}

// editFile replaces what a proposal makes of one file. move may have the change made against another text
// than base, and returns it.
func (m *Manager) editFile(ctx context.Context, d Decision, path, after string,
	move func(c *Change, base []byte) []byte) (*Proposal, error) {
	return m.decide(ctx, &d, func(p *Proposal) ([][]byte, error) {
		c, err := m.undecidedChange(p, path)
		if err != nil {
			return nil, err
		}
		if err := m.plans.checkLanded(p, c, c.Hunks); err != nil {
			return nil, err
		}
		if c.Op == OpDelete {
			return nil, fmt.Errorf("%s is deleted by this proposal; reject it to keep the file", m.ws.Rel(c.Path))
		}
		base, err := m.Proposals.text(ctx, c.BaseHash)
		if err != nil {
			return nil, err
		}
		base = move(c, base)
		if !utf8.Valid(base) {
			return nil, fmt.Errorf("%s is not UTF-8, so its text can't be edited here; accept or reject the change as it is",
				m.ws.Rel(c.Path))
		}
		before := p.contentName()
		if err := c.setText(base, after); err != nil {
			return nil, err
		}
		p.content = contentOf(before, []*Change{c})
		return [][]byte{base}, m.checkCharset(c, after)
	})
}

// moveTo makes the change refer to a later text of its file. Hunks that do not fit it cover the lines
// with which they conflict.
func (c *Change) moveTo(base, later []byte) {
	if c.Op == OpCreate && len(later) > 0 {
		c.Op, c.Hunks = OpEdit, nil // another program has created the file
	}
	hunks := textual(c.Hunks)
	moved, conflicts := rebase(base, later, editsOf(hunks))
	for i := range hunks {
		if len(conflicts) > 0 && conflicts[0].index == i {
			hunks[i].Edit = Edit{Start: conflicts[0].start, End: conflicts[0].end}
			conflicts = conflicts[1:]
			continue
		}
		hunks[i].Edit, moved = moved[0], moved[1:]
	}
	c.BaseHash, c.BaseVersion = workspace.Hash(later), nil
}

// setText replaces the hunks by edits that turn base into after.
func (c *Change) setText(base []byte, after string) (err error) {
	if c.Op == OpCreate {
		h := c.Hunks[0]
		h.Edit.New, h.State, h.Plan = after, Staged, ""
		c.Hunks = []Hunk{h}
	} else {
		c.setHunks(base, LineEndsOf(base)(after))
	}
	if len(c.Hunks) == 0 {
		return errors.New("this would change nothing; reject the proposal instead")
	}
	c.EditedAt = max(time.Now().UnixMilli(), c.EditedAt+1)
	c.Problems, err = newProblems(c.target(), base, textual(c.Hunks))
	return err
}

// setHunks makes one hunk of each run of lines in which base and after differ.
func (c *Change) setHunks(base []byte, after string) {
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
