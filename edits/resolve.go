package edits

import (
	"bytes"
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"ploke-lsp/internal/workspace"
)

// Resolve records that the person has merged by hand what is undecided in a file. before is the text
// of the file when they began. What they have changed since then takes the place of the undecided hunks, as if they had
// edited and accepted them, and can be undone. If they have changed nothing, the hunks are rejected. A rename stays
// undecided. path is the file's current name or the new name that the proposal gives it.
func (m *Manager) Resolve(ctx context.Context, id, path string, before []byte) (*Proposal, error) {
	return m.decide(ctx, id, func(p *Proposal) ([][]byte, error) {
		c, err := m.undecidedChange(p, path)
		if err != nil {
			return nil, err
		}
		if err := m.checkLanded(p, c, c.Hunks); err != nil {
			return nil, err
		}
		if len(textual(c.Hunks)) == 0 {
			return nil, fmt.Errorf("only the name of %s is left to decide; accept or reject that", m.ws.Rel(c.Path))
		}
		now, err := m.readIfExists(ctx, c.Path)
		switch {
		case err != nil:
			return nil, err
		case now == nil:
			return nil, fmt.Errorf("%s does not exist, so nothing was merged in it; accept or reject the change", m.ws.Rel(c.Path))
		case !utf8.Valid(now.Text):
			return nil, fmt.Errorf("%s is not UTF-8, so its text can't be merged here; accept or reject the change as it is", m.ws.Rel(c.Path))
		case bytes.Equal(before, now.Text):
			return nil, m.reject(ctx, p, []choice{{c, textual(c.Hunks)}})
		}
		return m.resolved(ctx, p, c, before, now.Text)
	})
}

// resolved puts the change from before to now in the place of the undecided hunks of c. It returns the texts that the changes
// are now made against.
func (m *Manager) resolved(ctx context.Context, p *Proposal, c *Change, before, now []byte) ([][]byte, error) {
	done := Change{
		Op: OpEdit, Path: c.Path, BaseHash: workspace.Hash(before), Charset: c.Charset,
		EditedAt: max(time.Now().UnixMilli(), c.EditedAt+1), Order: p.nextOrder(),
	}
	was := Placed{File: &workspace.File{Text: before}, Hunks: c.undecided()}
	if err := m.movePlaces(ctx, c, &was); err != nil {
		return nil, err
	}
	for _, h := range was.Hunks {
		if !h.Renames {
			done.Hunks = append(done.Hunks, Hunk{ID: h.ID, Edit: h.Edit})
		}
	}
	done.setHunks(before, string(now))
	done.setState(idsOf(done.Hunks), Verified)
	s := m.newOverlay()
	s.texts[done.BaseHash] = before
	d, err := s.making(ctx, &done)
	if err != nil {
		return nil, err
	}
	if c.Op == OpRename {
		c.Hunks, c.BaseHash, c.Problems = c.Hunks[:1:1], workspace.Hash(now), nil
		p.Changes = append(p.Changes, done)
	} else {
		*c = done
	}
	return append(s.stored(), now), s.moveAlong(ctx, p, d)
}
