package edits

import (
	"context"
	"errors"
	"fmt"

	udiff "github.com/aymanbagabas/go-udiff"
)

// Conflict is one place where a proposal no longer fits its file: since the proposal was made,
// lines were changed that overlap or touch the lines of a hunk, or the file as a whole is
// gone or in the way. The texts are complete lines. Hunks whose conflicting lines overlap or
// touch share one Conflict. See rebase for the rule.
type Conflict struct {
	Path   string
	Hunks  []string // ids, in the file's order
	Line   int      // first line of Theirs in the current file, 1-based; 0 if the file does not exist
	Base   string   // the lines that the hunks were made against
	Ours   string   // the lines with the hunks applied
	Theirs string   // the lines as they are in the file now
	Reason string
}

// Conflicts returns the places where the undecided hunks of p do not fit the current files,
// with the texts of both sides.
func (r *Preview) Conflicts(ctx context.Context, p *Proposal) ([]Conflict, error) {
	var all []Conflict
	for i := range p.Changes {
		c := p.Changes[i]
		if !c.pending() {
			continue
		}
		unfit, err := r.newOverlay().apply(ctx, c)
		var stale *StaleError
		if errors.As(err, &stale) {
			var found []Conflict
			found, err = r.conflicts(ctx, c, unfit, stale)
			all = append(all, found...)
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// conflicts returns the conflicts of one change. If the file as a whole is the reason, there is
// exactly one.
func (r *Preview) conflicts(ctx context.Context, c *Change, unfit []Hunk, stale *StaleError) ([]Conflict, error) {
	base, err := r.proposals.text(ctx, c.BaseHash)
	if err != nil {
		return nil, err
	}
	now, err := r.readIfExists(ctx, stale.Path)
	if err != nil {
		return nil, err
	}
	if now != nil && stale.Reason == "" {
		return stale.conflicts(base, now.Text, unfit), nil
	}
	after, err := r.newOverlay().after(ctx, c)
	x := Conflict{Path: stale.Path, Hunks: idsOf(unfit), Base: string(base), Ours: string(after), Reason: stale.Error()}
	if now != nil {
		x.Line, x.Theirs = 1, string(now.Text)
	}
	return []Conflict{x}, err
}

// conflicts returns what both sides make of the lines that both have changed.
func (e *StaleError) conflicts(base, now []byte, unfit []Hunk) (all []Conflict) {
	theirs := udiff.Lines(string(base), string(now))
	for _, c := range conflictRegions(base, theirs, unfit) {
		at := *e
		at.Line = 0
		from, to := 0, 0 // offsets in now minus offsets in base
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

// conflictRegion is a run of lines of the base text that is touched both by hunks and by
// the other side's changes.
type conflictRegion struct {
	start, end int // byte offsets in the base text
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

// ours returns the region with the hunks applied.
func (c *conflictRegion) ours(base []byte) (text string) {
	at := c.start
	for _, h := range c.hunks {
		text += string(base[at:h.Edit.Start]) + h.Edit.New
		at = h.Edit.End
	}
	return text + string(base[at:c.end])
}

// StaleError says that a file no longer reads as an edit expects.
type StaleError struct {
	Path   string // canonical
	Rel    string
	Line   int    // first conflicting line of the current text, 1-based; 0 if unknown
	Reason string // why the file as a whole does not fit; "" if only lines conflict

	undoing bool
}

func (e *StaleError) Error() string {
	switch {
	case e.Reason != "":
		return fmt.Sprintf("%s %s, so the change does not fit", e.Rel, e.Reason)
	case e.undoing:
		return fmt.Sprintf("%s has changed at line %d, where the change would be undone; undo it by hand, or restore the "+
			"line and try again", e.Rel, e.Line)
	case e.Line == 0:
		return fmt.Sprintf("%s has changed since it was read; read it again and make the edit against its current text",
			e.Rel)
	}
	return fmt.Sprintf("%s has changed at line %d, where the edit applies; make the edit again against the current text",
		e.Rel, e.Line)
}
