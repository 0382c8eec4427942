package written

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"ploke-lsp/edits"
	"ploke-lsp/tools/current"
)

// edit returns the operation that makes a text of what a file reads: an edit of the lines that differ.
func edit(path string, source *current.File, text string) edits.Operation {
	operation := edits.Operation{Op: edits.OpEdit, Path: path, BaseHash: source.Hash, Exact: true}
	for _, e := range udiff.Lines(string(source.Text), text) {
		operation.Edits = append(operation.Edits, edits.Edit(e))
	}
	return operation
}

// withRenames joins a file that is gone and one that is new, with the same text or one that is alike, to one that is
// renamed.
func withRenames(files []*File) []*File {
	var gone, made []*File
	for _, f := range Staging(files) {
		switch f.What {
		case "deleted":
			gone = append(gone, f)
		case "created":
			made = append(made, f)
		}
	}
	joined := map[*File]bool{}
	for _, least := range []float64{1, leastAlike} {
		for _, old := range gone {
			if joined[old] {
				continue
			}
			best, fit := (*File)(nil), least
			for _, other := range made {
				if joined[other] || filepath.Ext(other.File) != filepath.Ext(old.File) {
					continue
				}
				sameName := filepath.Base(other.File) == filepath.Base(old.File)
				if alike := old.alike(other); alike > fit || alike == fit && (best == nil || sameName) {
					best, fit = other, alike
				}
			}
			if best != nil && old.renameTo(best) {
				joined[old], joined[best] = true, true
				files = slices.DeleteFunc(files, func(f *File) bool { return f == best })
			}
		}
	}
	return files
}

const (
	leastAlike = 0.5     // of the lines of a file that is renamed and changed
	alikeBytes = 1 << 20 // of a file that is compared by its lines
)

// alike returns which part of the lines of two files is in both, from 0 to 1.
func (f *File) alike(other *File) float64 {
	old, fresh := string(f.source.Text), other.Operations[0].Text
	switch {
	case old == "" || fresh == "":
		return 0
	case old == fresh:
		return 1
	case len(old)+len(fresh) > alikeBytes || min(len(old), len(fresh))*2 < max(len(old), len(fresh)):
		return 0
	}
	return min(commonLines(old, fresh), 0.999)
}

// commonLines returns which part of the lines of two texts is in both, wherever it is.
func commonLines(old, fresh string) float64 {
	count := map[string]int{}
	lines := 0
	for line := range strings.Lines(old) {
		count[line]++
		lines++
	}
	same, others := 0, 0
	for line := range strings.Lines(fresh) {
		if others++; count[line] > 0 {
			count[line]--
			same++
		}
	}
	return float64(same) / float64(max(lines, others))
}

// renameTo makes f, which is gone, a file that is renamed to a new one. It reports false if that can't be said so.
func (f *File) renameTo(made *File) bool {
	renamed := File{Change: Change{File: made.File}, data: made.data, source: f.source}
	text, left := renamed.text()
	if left != "" {
		return false
	}
	f.What, f.RenamedTo, f.data, f.Bytes = "renamed", made.File, made.data, made.Bytes
	f.Operations = []edits.Operation{{Op: edits.OpRename, Path: f.File, To: made.File}}
	if operation := edit(made.File, f.source, text); len(operation.Edits) > 0 {
		f.Operations = append(f.Operations, operation)
	}
	return true
}
