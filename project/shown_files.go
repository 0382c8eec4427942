package project

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"syscall"

	udiff "github.com/aymanbagabas/go-udiff"

	"ploke-lsp/edits"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/session"
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

// stateDigits is how many digits of a hash the state of a file has.
const stateDigits = 16

// shownFiles knows the states of the files that models were shown.
type shownFiles struct {
	ws    *workspace.Workspace
	edits *edits.Manager
	texts shownTexts
}

// fileStates returns the current states of files, as a turn sees them, and keeps their texts.
func (s *shownFiles) fileStates(ctx context.Context, turn tools.Call, files []string) (states []records.FileState) {
	view := s.edits.Staging.View(edits.Turn{ID: turn.RequestID, Earlier: turn.Earlier})
	for _, name := range files {
		path, err := s.ws.Resolve(name)
		if err != nil {
			continue
		}
		own, err := s.stateOf(ctx, s.ws, path)
		if err != nil {
			continue
		}
		state := records.FileState{Path: path, Hash: own}
		if proposed, err := s.stateOf(ctx, view, path); err == nil && proposed != own {
			state.Proposed = proposed
		}
		if own != records.NoFile || state.Proposed != "" {
			states = append(states, state)
		}
	}
	return states
}

// stateOf returns the digits of a file's hash, and keeps its text.
func (s *shownFiles) stateOf(ctx context.Context, from workspace.Reader, path string) (hash string, err error) {
	file, err := from.Read(ctx, path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return records.NoFile, nil
	case err != nil:
		return "", err
	}
	hash = file.Hash[:stateDigits]
	s.texts.put(hash, file.Text)
	return hash, nil
}

// fileChanges returns which files are not as they were.
func (s *shownFiles) fileChanges(ctx context.Context,
	since []records.FileState) (changes []session.FileChange, err error) {
	for _, before := range since {
		now, err := s.stateOf(ctx, s.ws, before.Path)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil || now == before.Hash || now == before.Proposed {
			continue // what can't be read can't be told
		}
		changes = append(changes, session.FileChange{FileState: records.FileState{Path: before.Path, Hash: now},
			Name: s.ws.Rel(before.Path), What: s.whatChanged(before, now)})
	}
	return changes, nil
}

// whatChanged says what has become of a file. Of a file with a proposal, one of two texts was the one before, and the
// nearer one is taken.
func (s *shownFiles) whatChanged(before records.FileState, now string) (what string) {
	switch {
	case now == records.NoFile:
		return "deleted"
	case before.Hash == records.NoFile:
		return "new"
	}
	text, _ := s.texts.get(now)
	least := -1
	for _, hash := range []string{before.Proposed, before.Hash} {
		if old, known := s.texts.get(hash); known {
			if lines, count := changedLines(string(old), string(text)); least < 0 || count < least {
				what, least = lines, count
			}
		}
	}
	return what
}

// changedRanges is how many ranges of lines are named.
const changedRanges = 4

// changedLines says in which lines a text differs from the one before it, and in how many.
func changedLines(before, now string) (what string, count int) {
	var ranges []string
	shift := 0 // from offsets before to those now
	for _, e := range udiff.Lines(before, now) {
		at := e.Start + shift
		shift += len(e.New) - (e.End - e.Start)
		first := strings.Count(now[:at], "\n") + 1
		lines := strings.Count(strings.TrimSuffix(e.New, "\n"), "\n") + 1
		count += lines
		switch {
		case e.New == "":
			ranges = append(ranges, fmt.Sprintf("some removed before %d", first))
		case lines == 1:
			ranges = append(ranges, fmt.Sprint(first))
		default:
			ranges = append(ranges, fmt.Sprintf("%d-%d", first, first+lines-1))
		}
	}
	if len(ranges) > changedRanges {
		ranges = append(ranges[:changedRanges], "…")
	}
	list := strings.Join(ranges, ", ")
	if _, err := strconv.Atoi(list); err == nil {
		return "line " + list, count
	}
	return "lines " + list, count
}
