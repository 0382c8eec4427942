package edits

import (
	"context"
	"fmt"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"
)

// Preview shows proposals to a person: as they were made, and in the files as they read now. It is safe for concurrent
// use.
type Preview struct{ *currentFiles }

// FileView is a change with its texts.
type FileView struct {
	Path, Rel     string
	To, RelTo     string // the new path, for OpRename
	Op            Op
	Before, After string // the text that the hunks are made against, and the text with the hunks applied
	Hunks         []Hunk // offsets in Before
}

// Files returns a proposal's changes with their texts, as they were made. Each part that was
// decided on separately is an entry of its own: a file of which a part was accepted has two
// entries, and the second builds on the first.
func (r *Preview) Files(ctx context.Context, p *Proposal) ([]FileView, error) {
	var views []FileView
	for i := range p.Changes {
		c := p.Changes[i]
		before, err := r.proposals.text(ctx, c.BaseHash)
		if err != nil {
			return nil, err
		}
		after, err := r.newOverlay().after(ctx, c)
		if err != nil {
			return nil, err
		}
		v := FileView{
			Path: c.Path, Rel: r.ws.Rel(c.Path), Op: c.Op,
			Before: string(before), After: string(after), Hunks: c.Hunks,
		}
		if c.Op == OpRename {
			v.To, v.RelTo = c.To, r.ws.Rel(c.To)
		}
		views = append(views, v)
	}
	return views, nil
}

// Lines returns how many lines the view adds and removes.
func (v *FileView) Lines() (added, removed int) {
	for _, e := range udiff.Lines(v.Before, v.After) {
		added += lineCount(e.New)
		removed += lineCount(v.Before[e.Start:e.End])
	}
	return added, removed
}

// lineCount returns the number of lines of a text, the last of which may lack its end.
func lineCount(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

// Diff returns a proposal as a unified diff that git apply accepts.
func (r *Preview) Diff(ctx context.Context, p *Proposal) (string, error) {
	views, err := r.Files(ctx, p)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, v := range views {
		out.WriteString(v.Patch().String())
	}
	return out.String(), nil
}

// NewCode returns a proposal as the new code, with its files and lines. The lines are those of
// the files with all changes made, 1-based and inclusive.
func (r *Preview) NewCode(ctx context.Context, p *Proposal) (string, error) {
	views, err := r.Files(ctx, p)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, v := range views {
		v.newCode(&out)
	}
	return out.String(), nil
}

func (v *FileView) newCode(out *strings.Builder) {
	name := v.Rel
	switch v.Op {
	case OpDelete:
		fmt.Fprintf(out, "%s: the file is deleted\n", v.Rel)
		return
	case OpRename:
		fmt.Fprintf(out, "%s: the file is renamed to %s\n", v.Rel, v.RelTo)
		name = v.RelTo
	}
	after := []byte(v.After)
	for _, r := range v.newRegions() {
		code, line := v.After[r.start:r.end], lineAt(after, r.start)
		switch n := strings.Count(strings.TrimSuffix(code, "\n"), "\n"); {
		case code == "":
			fmt.Fprintf(out, "%s:%d: %s removed\n", name, line, countLines(r.removed))
		case n == 0:
			fmt.Fprintf(out, "%s:%d\n%s\n", name, line, code)
		default:
			fmt.Fprintf(out, "%s:%d-%d\n%s\n", name, line, line+n, code)
		}
		if code != "" && !strings.HasSuffix(code, "\n") {
			out.WriteString("\n")
		}
	}
}

// newRegion is a run of complete lines in a file's new text that hunks have changed, as byte
// offsets, and how many lines they have removed there if none is left.
type newRegion struct{ start, end, removed int }

func (v *FileView) newRegions() (regions []newRegion) {
	shift := 0
	for _, h := range textual(v.Hunks) {
		start := h.Edit.Start + shift
		shift += h.Edit.shift()
		old := v.Before[h.Edit.Start:h.Edit.End]
		first, last := wholeLines([]byte(v.After), Edit{Start: start, End: start + len(h.Edit.New), New: old})
		if n := len(regions); n > 0 && first <= regions[n-1].end && last > first {
			regions[n-1].end = max(regions[n-1].end, last)
			continue
		}
		regions = append(regions, newRegion{start: first, end: last, removed: strings.Count(old, "\n")})
	}
	return regions
}

func countLines(n int) string {
	if n == 1 {
		return "1 line is"
	}
	return fmt.Sprintf("%d lines are", n)
}
