package edits

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ploke-lsp/internal/workspace"
)

// seenTexts remembers, by the paths of files, which hunks are in the texts that plans begin and end with, the latest
// last. It serves the undo of editors, which goes back to exactly these texts. Other texts don't count: no comparison
// can tell what was taken back where lines repeat.
type seenTexts map[string][]seenText

type seenText struct {
	hash, proposal string
	hunks          []string // ids of the proposal's hunks that are in the text
}

// maxSeenTexts is how many texts of a file are remembered.
const maxSeenTexts = 200

// note remembers the texts of a plan that is about to be carried out.
func (s seenTexts) note(p *Proposal, plan *Plan) {
	for _, f := range plan.Files {
		if f.Op != OpEdit || f.Done {
			continue
		}
		hash := workspace.Hash(f.Before)
		before, certain := p.hunksIn(f.Path)
		if !certain {
			if before, certain = s.hunksOf(p, f.Path, hash); !certain {
				continue
			}
		}
		after := slices.Concat(before, f.Hunks)
		if plan.target == Undone {
			after = slices.DeleteFunc(slices.Clone(before), func(id string) bool { return slices.Contains(f.Hunks, id) })
		}
		s.add(f.Path, seenText{hash, p.ID, before})
		s.add(f.Path, seenText{workspace.Hash(f.After), p.ID, after})
	}
}

func (s seenTexts) add(path string, text seenText) {
	texts := slices.DeleteFunc(s[path],
		func(t seenText) bool { return t.hash == text.hash && t.proposal == text.proposal })
	texts = append(texts, text)
	s[path] = slices.Delete(texts, 0, max(0, len(texts)-maxSeenTexts))
}

// in returns the texts with this hash that a file had, one for each proposal that changed it.
func (s seenTexts) in(path, hash string) (texts []seenText) {
	for _, t := range s[path] {
		if t.hash == hash {
			texts = append(texts, t)
		}
	}
	return texts
}

// hunksOf returns the ids of the hunks of p that are in a text, if a plan of p has begun or ended with it.
func (s seenTexts) hunksOf(p *Proposal, path, hash string) (ids []string, seen bool) {
	for _, t := range s.in(path, hash) {
		if t.proposal == p.ID {
			return t.hunks, true
		}
	}
	return nil, false
}

// hunksIn returns the ids of the hunks of p that are in the file at a canonical path. They are not certain while a plan
// that changes the file is in flight, or while the workspace can't confirm what an editor reported.
func (p *Proposal) hunksIn(path string) (ids []string, certain bool) {
	for i := range p.Changes {
		c := p.Changes[i]
		if c.Op != OpEdit || c.Path != path {
			continue
		}
		if p.applying(c) {
			return nil, false
		}
		switch c.Hunks[0].State {
		case Verified:
			ids = append(ids, idsOf(c.Hunks)...)
		case Applied:
			return nil, false
		}
	}
	return ids, true
}

// ConfirmFile looks whether the person has taken back edits of a file with their editor's undo, or made them again. It
// records what the file shows, and reports whether that is news.
func (m *Manager) ConfirmFile(ctx context.Context, path string) (changed bool, err error) {
	m.Proposals.mu.Lock()
	defer m.Proposals.mu.Unlock()
	if len(m.settler.seen[path]) == 0 {
		return false, nil
	}
	now, err := m.readIfExists(ctx, path)
	if err != nil || now == nil {
		return false, err
	}
	for _, text := range m.settler.seen.in(path, now.Hash) {
		_, err := m.refresh(ctx, text.proposal, func(ctx context.Context, p *Proposal) error {
			was := p.states()
			defer func() { changed = changed || p.states() != was }()
			return m.settler.confirm(ctx, p)
		})
		var deleted *NotFoundError
		if err != nil && !errors.As(err, &deleted) {
			return changed, err
		}
	}
	return changed, nil
}

// recall records which edits of p are in their files, where a file has a text that was seen.
func (s *settler) recall(ctx context.Context, p *Proposal) error {
	var compared []string
	for i := range p.Changes {
		path := p.Changes[i].Path
		if len(s.seen[path]) == 0 || slices.Contains(compared, path) {
			continue
		}
		compared = append(compared, path)
		now, err := s.readIfExists(ctx, path)
		if err != nil || now == nil {
			continue // what can't be read shows nothing
		}
		hunks, seen := s.seen.hunksOf(p, path, now.Hash)
		if !seen {
			continue
		}
		if err := s.recallHunks(ctx, p, path, hunks); err != nil {
			return fmt.Errorf("proposal %s: %w", p.ID, err)
		}
	}
	return nil
}

// recallHunks records that of the edits of a file exactly these hunks are in it.
//
// First what was tried and not seen is found, since it splits changes. What is gone is undone in the reverse order of
// the changes, and what is there again is redone in their order: each step then moves what waits from a text that the
// step before it has led to.
func (s *settler) recallHunks(ctx context.Context, p *Proposal, path string, hunks []string) error {
	for i := range p.Changes { // split appends more, which were not tried
		if err := s.recallTried(ctx, p, p.Changes[i], path, hunks); err != nil {
			return err
		}
	}
	var back, again []*Change
	for i := range p.Changes {
		c := p.Changes[i]
		there := slices.Contains(hunks, c.Hunks[0].ID)
		switch {
		case c.Op != OpEdit || c.Path != path || p.applying(c):
		case c.Hunks[0].State == Verified && !there:
			back = append(back, c)
		case c.Hunks[0].State == Undone && there:
			again = append(again, c)
		}
	}
	slices.Reverse(back)
	for _, c := range back {
		c.setState(idsOf(c.Hunks), Undone)
		if err := s.moveWaiting(ctx, p, c); err != nil {
			return err
		}
	}
	for _, c := range again {
		c.setState(idsOf(c.Hunks), Verified)
		if err := s.moveWaiting(ctx, p, c); err != nil {
			return err
		}
	}
	return nil
}

// recallTried records as verified those of these hunks that belong to c and that were not seen in the file, as after
// an editor's undo that came before the outcome.
func (s *settler) recallTried(ctx context.Context, p *Proposal, c *Change, path string, hunks []string) error {
	if c.Op != OpEdit || c.Path != path || p.applying(c) {
		return nil
	}
	var there []string
	for _, h := range c.Hunks {
		if h.tried() && slices.Contains(hunks, h.ID) {
			there = append(there, h.ID)
		}
	}
	if len(there) == 0 {
		return nil
	}
	base, err := s.split(ctx, p, c, PlannedFile{Hunks: there, Done: true}, Verified)
	p.unsaved = append(p.unsaved, base)
	return err
}
