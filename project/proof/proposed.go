package proof

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/internal/trial"
)

// proposed returns the texts of a folder as a proposal would make it: what waits of it, in the texts as they are now.
// The person may have changed these since. misfit says why it does not fit them, "" if it does.
func (c *Checker) proposed(ctx context.Context, p *edits.Proposal,
	root string) (texts []trial.Text, misfit string, err error) {
	if texts, err = c.deps.Texts(ctx, edits.Turn{ID: p.RequestID, Earlier: p.ID}, root); err != nil {
		return nil, "", err
	}
	placed, err := c.deps.Place(ctx, p)
	if err != nil {
		return nil, "", err
	}
	all := map[string]trial.Text{}
	for _, t := range texts {
		all[t.Path] = t
	}
	for i := range placed {
		f := &placed[i]
		rel, err := filepath.Rel(root, f.Path)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		if why := lay(f, root, all); why != "" {
			misfit = cmp.Or(misfit, "the proposal does not fit "+filepath.ToSlash(rel)+" as it is now: "+why)
		}
	}
	texts = texts[:0]
	for _, t := range all {
		texts = append(texts, t)
	}
	slices.SortFunc(texts, func(a, b trial.Text) int { return strings.Compare(a.Path, b.Path) })
	return texts, misfit, nil
}

// lay adds what a proposal makes of a file, or says why that is not known.
func lay(f *edits.Placed, root string, all map[string]trial.Text) (misfit string) {
	if f.Reason != "" {
		return f.Reason
	}
	var fit []edits.Edit
	name, renamed := f.Path, ""
	for _, h := range f.Hunks {
		switch {
		case h.Stale:
			return "lines that it changes have changed"
		case h.Renames:
			name, renamed = f.To, f.Path
		default:
			fit = append(fit, h.Edit)
		}
	}
	if f.File == nil {
		return "" // a new file, which the texts have
	}
	text := trial.Text{Path: relative(root, name), Gone: f.Op == edits.OpDelete}
	if !text.Gone {
		data, err := edits.Apply(f.File.Text, fit)
		if err == nil {
			text.Data, err = f.File.Encode(data)
		}
		if err != nil {
			return err.Error()
		}
	}
	if filepath.IsLocal(filepath.FromSlash(text.Path)) { // else it is renamed into another folder
		all[text.Path] = text
	}
	if renamed != "" {
		gone := relative(root, renamed)
		all[gone] = trial.Text{Path: gone, Gone: true}
	}
	return ""
}

// relative returns a path relative to a folder, with slashes.
func relative(root, path string) string {
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}
