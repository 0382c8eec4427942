package tools

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"ploke-lsp/edits"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/wording"
)

// edit returns the operation that makes a text of what a file reads: an edit of the lines that differ.
func edit(path string, source *current.File, text string) edits.Operation {
	operation := edits.Operation{Op: edits.OpEdit, Path: path, BaseHash: source.Hash, Exact: true}
	for _, e := range udiff.Lines(string(source.Text), text) {
		operation.Edits = append(operation.Edits, edits.Edit(e))
	}
	return operation
}

// stage stages the files, all at once, or if that is refused, each by itself.
func (w *written) stage(ctx context.Context, files []*writtenFile) (done writes, err error) {
	some := staging(files)
	if len(some) == 0 {
		return writes{}, nil
	}
	var all []edits.Operation
	for _, f := range some {
		all = append(all, f.operations...)
	}
	result, err := w.stageBatch(ctx, all)
	var refused *wording.Failure
	if err == nil || !errors.As(err, &refused) {
		return result.of(len(some)), err
	}
	for _, f := range some {
		one, err := w.stageBatch(ctx, f.operations)
		switch {
		case errors.As(err, &refused):
			f.Left = refused.Message
		case err != nil:
			return writes{}, err
		default:
			done = one.of(done.staged + 1)
		}
	}
	return done, nil
}

// stageBatch stages operations with the command as their author.
func (w *written) stageBatch(ctx context.Context, operations []edits.Operation) (*stagedResult, error) {
	reason := w.c.title
	if w.c.reason != "" {
		reason += ": " + w.c.reason
	}
	result, _, err := w.deps.stageBatch(ctx, w.env, reason, w.c.title, operations)
	return result, err
}

// of returns what is known of files that were staged.
func (r *stagedResult) of(files int) writes {
	if r == nil {
		return writes{}
	}
	return writes{staged: files, proposal: r.ProposalID, note: "what it changed is " + r.Note}
}

// withRenames joins a file that is gone and one that is new, with the same text or one that is alike, to one that is
// renamed.
func withRenames(files []*writtenFile) []*writtenFile {
	var gone, made []*writtenFile
	for _, f := range staging(files) {
		switch f.What {
		case "deleted":
			gone = append(gone, f)
		case "created":
			made = append(made, f)
		}
	}
	joined := map[*writtenFile]bool{}
	for _, least := range []float64{1, leastAlike} {
		for _, old := range gone {
			if joined[old] {
				continue
			}
			best, fit := (*writtenFile)(nil), least
			for _, other := range made {
				if joined[other] || filepath.Ext(other.path) != filepath.Ext(old.path) {
					continue
				}
				if alike := old.alike(other); alike > fit || alike == fit && (best == nil || filepath.Base(other.path) == filepath.Base(old.path)) {
					best, fit = other, alike
				}
			}
			if best != nil && old.renameTo(best) {
				joined[old], joined[best] = true, true
				files = slices.DeleteFunc(files, func(f *writtenFile) bool { return f == best })
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
func (f *writtenFile) alike(other *writtenFile) float64 {
	old, fresh := string(f.source.Text), other.operations[0].Text
	switch {
	case old == "" || fresh == "":
		return 0
	case old == fresh:
		return 1
	case len(old)+len(fresh) > alikeBytes || min(len(old), len(fresh))*2 < max(len(old), len(fresh)):
		return 0
	}
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
	return min(float64(same)/float64(max(lines, others)), 0.999)
}

// renameTo makes f, which is gone, a file that is renamed to a new one. It reports false if that can't be said so.
func (f *writtenFile) renameTo(made *writtenFile) bool {
	renamed := writtenFile{path: made.path, data: made.data, source: f.source}
	text, left := renamed.text()
	if left != "" {
		return false
	}
	f.What, f.RenamedTo, f.data = "renamed", made.path, made.data
	f.operations = []edits.Operation{{Op: edits.OpRename, Path: f.path, To: made.path}}
	if operation := edit(made.path, f.source, text); len(operation.Edits) > 0 {
		f.operations = append(f.operations, operation)
	}
	return true
}
