package lsp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"ploke-lsp/edits"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/project"
	"ploke-lsp/session/bus"
)

// removeComment stages the removal of a comment that stood at an offset. It does nothing if the turn has proposed
// nothing, or has removed the comment itself.
func removeComment(ctx context.Context, p *project.Project, turn bus.TurnRef, path string, comment []byte,
	offset int) error {
	staged, err := p.Edits.Staging.StagedIn(ctx, turn.RequestID)
	if err != nil || len(staged) == 0 {
		return err
	}
	file, err := p.Edits.Staging.View(edits.Turn{ID: turn.RequestID}).Read(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	removal := edits.Edit{Start: nearest(file.Text, comment, offset)}
	removal.End = removal.Start + len(comment)
	if removal.Start < 0 {
		var ok bool
		if removal, ok, err = changedComment(ctx, p, staged, file, comment, offset); err != nil || !ok {
			return err
		}
	}
	_, err = p.Edits.Staging.Stage(ctx, edits.Batch{
		ConversationID: turn.ConversationID, RequestID: turn.RequestID, Title: staged[0].Title,
		Operations: []edits.Operation{{Op: edits.OpEdit, Path: path, BaseHash: file.Hash, Edits: []edits.Edit{removal}}},
	})
	if err != nil {
		return fmt.Errorf("its removal can't be proposed: %w", err)
	}
	return nil
}

// changedComment returns the removal of a comment that the turn has changed, such as one with the name of what it has
// renamed. It is a question that stands where the comment stood, and nowhere in the file as it is now.
func changedComment(ctx context.Context, p *project.Project, staged []*edits.Proposal, file *workspace.File,
	comment []byte, offset int) (edits.Edit, bool, error) {
	for _, proposal := range staged {
		placed, err := p.Edits.Preview.Place(ctx, proposal)
		if err != nil {
			return edits.Edit{}, false, err
		}
		for _, f := range placed {
			if f.Path != file.Path || f.File == nil {
				continue
			}
			now := f.File.Text
			start := nearest(now, comment, offset)
			if start < 0 {
				continue
			}
			start, end := proposedRange(f.Hunks, start, start+len(comment))
			for at := start; at < min(end, len(file.Text)); at = lineEnd(file.Text, at) {
				if q, ok := commentQuestionAt(file.Text, at); ok && !bytes.Contains(now, file.Text[q.start:q.end]) {
					return edits.Edit{Start: q.start, End: q.end}, true, nil
				}
			}
		}
	}
	return edits.Edit{}, false, nil
}

// proposedRange returns where bytes of a file are once hunks are applied, with all of the hunks that touch them.
func proposedRange(hunks []edits.PlacedHunk, start, end int) (int, int) {
	from, to, before, within := start, end, 0, 0
	for _, h := range hunks {
		grows := len(h.Edit.New) - (h.Edit.End - h.Edit.Start)
		switch {
		case h.Stale:
		case h.Edit.End < start:
			before += grows
		case h.Edit.Start <= end:
			from, to = min(from, h.Edit.Start), max(to, h.Edit.End)
			within += grows
		}
	}
	return from + before, to + before + within
}

// lineEnd returns the offset behind the line that has an offset.
func lineEnd(text []byte, offset int) int {
	if i := bytes.IndexByte(text[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(text)
}

// nearest returns where a part stands in a text nearest to an offset, or -1.
func nearest(text, part []byte, offset int) (at int) {
	at = -1
	for from := 0; ; {
		i := bytes.Index(text[from:], part)
		if i < 0 {
			return at
		}
		if from+i-offset <= offset-at || at < 0 {
			at = from + i
		}
		from += i + 1
	}
}
