package edits

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	udiff "github.com/aymanbagabas/go-udiff"
)

// EditFile lets the person replace what a proposal makes of one file, before it is accepted.
// after is the complete text that the file shall have; it is usually made from what Files
// returns for the file. A hunk that is still there in some form keeps its id. If all lines of
// the base text end in CRLF, the lines of after get CRLF, too. path is the file's current name
// or the new name that the proposal gives it.
func (m *Manager) EditFile(ctx context.Context, id, path, after string) (*Proposal, error) {
	return m.decide(ctx, id, func(p *Proposal) ([][]byte, error) {
		c, err := m.undecidedChange(p, path)
		if err != nil {
			return nil, err
		}
		if err := m.checkLanded(p, c, c.Hunks); err != nil {
			return nil, err
		}
		if c.Op == OpDelete {
			return nil, fmt.Errorf("%s is deleted by this proposal; reject it to keep the file", m.ws.Rel(c.Path))
		}
		base, err := m.text(ctx, c.BaseHash)
		if err != nil {
			return nil, err
		}
		if !utf8.Valid(base) {
			return nil, fmt.Errorf("%s is not UTF-8, so its text can't be edited here; accept or reject the change as it is", m.ws.Rel(c.Path))
		}
		if err := c.setText(base, after); err != nil {
			return nil, err
		}
		return nil, m.checkCharset(c, after)
	})
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
