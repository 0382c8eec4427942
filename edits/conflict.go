package edits

import (
	"context"
	"errors"
	"fmt"

	udiff "github.com/aymanbagabas/go-udiff"
)

// Conflict shows one place where a proposal no longer fits its file. The texts
// are whole lines. Hunks that can't be told apart there share one.
type Conflict struct {
	Path   string
	Hunks  []string // ids, in the file's order
	Line   int      // where Theirs begins in the file as it is now; 0 where it is not there
	Base   string   // what the hunks were made for
	Ours   string   // what the hunks make of it
	Theirs string   // what the file says there now
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
		unfit, err := m.newOverlay().apply(ctx, c)
		var stale *StaleError
		if errors.As(err, &stale) {
			var found []Conflict
			found, err = m.conflicts(ctx, c, unfit, stale)
			all = append(all, found...)
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// conflicts are those of one change. Where what is wrong is wrong with the whole file,
// there is one.
func (m *Manager) conflicts(ctx context.Context, c *Change, unfit []Hunk, stale *StaleError) ([]Conflict, error) {
	base, err := m.text(ctx, c.BaseHash)
	if err != nil {
		return nil, err
	}
	now, err := m.readIfExists(ctx, stale.Path)
	if err != nil {
		return nil, err
	}
	if now != nil && stale.Reason == "" {
		return stale.conflicts(base, now.Text, unfit), nil
	}
	after, err := m.newOverlay().after(ctx, c)
	x := Conflict{Path: stale.Path, Hunks: idsOf(unfit), Base: string(base), Ours: string(after), Reason: stale.Error()}
	if now != nil {
		x.Line, x.Theirs = 1, string(now.Text)
	}
	return []Conflict{x}, err
}

// places shows what either side makes of the lines that both have changed.
func (e *StaleError) conflicts(base, now []byte, unfit []Hunk) (all []Conflict) {
	theirs := udiff.Lines(string(base), string(now))
	for _, c := range conflictRegions(base, theirs, unfit) {
		at := *e
		at.Line = 0
		from, to := 0, 0 // places in now less those in base
		for _, t := range theirs {
			switch {
			case t.End < c.start:
				from += Edit(t).shift()
			case t.Start <= c.end:
				if at.Line == 0 {
					at.Line = lineAt(now, t.Start+from)
				}
				to += Edit(t).shift()
			}
		}
		all = append(all, Conflict{
			Path: e.Path, Hunks: idsOf(c.hunks), Line: lineAt(now, c.start+from),
			Base: string(base[c.start:c.end]), Ours: c.ours(base), Theirs: string(now[c.start+from : c.end+from+to]),
			Reason: at.Error(),
		})
	}
	return all
}

// clash is a run of lines of a text that hunks, and changes that somebody else has made,
// touch together.
type conflictRegion struct {
	start, end int // bytes of the base text
	hunks      []Hunk
}

func conflictRegions(base []byte, theirs []udiff.Edit, unfit []Hunk) (all []conflictRegion) {
	for _, h := range unfit {
		first, last := wholeLines(base, h.Edit)
		c := conflictRegion{start: first, end: last, hunks: []Hunk{h}}
		for _, t := range theirs {
			if first <= t.End && t.Start <= last {
				c.start, c.end = min(c.start, t.Start), max(c.end, t.End)
			}
		}
		if n := len(all) - 1; n >= 0 && c.start <= all[n].end {
			c.start, c.hunks = all[n].start, append(all[n].hunks, h)
			all = all[:n]
		}
		all = append(all, c)
	}
	return all
}

// ours is what the hunks make of the lines.
func (c *conflictRegion) ours(base []byte) (text string) {
	at := c.start
	for _, h := range c.hunks {
		text += string(base[at:h.Edit.Start]) + h.Edit.New
		at = h.Edit.End
	}
	return text + string(base[at:c.end])
}

// StaleError says that a file no longer reads as an edit expects it to.
type StaleError struct {
	Path   string // canonical
	Rel    string
	Line   int    // of the text of now where they part; 0 where that is unknown
	Reason string // what is wrong with the file as a whole, if that is it

	undoing bool
}

func (e *StaleError) Error() string {
	switch {
	case e.Reason != "":
		return fmt.Sprintf("%s %s, so that the change does not fit", e.Rel, e.Reason)
	case e.undoing:
		return fmt.Sprintf("%s has changed at line %d, where it would be changed back; do that by hand, or restore the line and try again", e.Rel, e.Line)
	case e.Line == 0:
		return fmt.Sprintf("%s has changed since it was read; read it again and make the edit for what it says now", e.Rel)
	}
	return fmt.Sprintf("%s has changed at line %d, where the edit belongs; the edit has to be made again for what it says now", e.Rel, e.Line)
}

// stale is a StaleError about the file at path.
func (m *Manager) stale(path string) *StaleError { return &StaleError{Path: path, Rel: m.ws.Rel(path)} }

// missing is the StaleError of a file that is gone, or of one that should not
// be there.
func (m *Manager) existenceConflict(path string, gone bool) *StaleError {
	stale := m.stale(path)
	stale.Reason = "exists by now"
	if gone {
		stale.Reason = "does not exist any more"
	}
	return stale
}
