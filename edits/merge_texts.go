package edits

import (
	"context"
	"slices"

	"ploke-lsp/internal/workspace"
)

// MergeTexts are the whole texts of a file for a three-way merge, with the names of [Conflict].
type MergeTexts struct {
	Base   []byte // the text that the undecided hunks are made against
	Ours   []byte // the base with these hunks
	Merged []byte // the file as it is now, with those of the hunks that fit
	File   *workspace.File

	Version Version // of the proposal
}

// MergeTexts returns the texts of a file of which something is undecided. path is its current name
// or the new name that the proposal gives it.
func (r *Preview) MergeTexts(ctx context.Context, id, path string) (*MergeTexts, error) {
	p, err := r.proposals.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	c, err := r.undecidedChange(p, path)
	if err != nil {
		return nil, err
	}
	texts := &MergeTexts{Version: p.Version()}
	if texts.Base, err = r.proposals.text(ctx, c.BaseHash); err != nil {
		return nil, err
	}
	if texts.Ours, err = r.newOverlay().after(ctx, c); err != nil {
		return nil, err
	}
	placed, err := r.place(ctx, c)
	if err != nil {
		return nil, err
	}
	texts.File = placed.File
	texts.Merged, err = placed.merged()
	return texts, err
}

// merged returns the file's text with the hunks that fit.
func (f *Placed) merged() ([]byte, error) {
	var now []byte
	if f.File != nil {
		now = f.File.Text
	}
	if f.Reason != "" {
		return now, nil
	}
	var fit []Edit
	for _, h := range f.Hunks {
		if !h.Stale && !h.Renames {
			fit = append(fit, h.Edit)
		}
	}
	return Apply(slices.Clone(now), fit)
}
