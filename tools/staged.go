package tools

import (
	"context"
	"maps"
	"slices"

	"ploke-lsp/edits"
)

// stagedPath is what a turn has staged for a path: an operation, or, if a file is renamed,
// movedAway for its old path and movedHere for the new one.
type stagedPath struct {
	what string
	to   string // the new path, for movedAway
}

const (
	movedAway = "moved_away"
	movedHere = "moved_here"
)

// appears reports whether the change creates a file at the path.
func (p stagedPath) appears() bool { return p.what == string(edits.OpCreate) || p.what == movedHere }

// gone reports whether the change leaves no file at the path.
func (p stagedPath) gone() bool { return p.what == string(edits.OpDelete) || p.what == movedAway }

// staged returns what the turn has staged, by path.
func (d Deps) staged(ctx context.Context, requestID string) (map[string]stagedPath, error) {
	proposals, err := d.Edits.StagedIn(ctx, requestID)
	if err != nil {
		return nil, err
	}
	staged := make(map[string]stagedPath)
	for _, p := range proposals {
		for _, change := range p.Changes {
			staged[change.Path] = stagedPath{what: string(change.Op)}
			if change.Op == edits.OpRename {
				staged[change.Path] = stagedPath{movedAway, change.To}
				staged[change.To] = stagedPath{what: movedHere}
			}
		}
	}
	return staged, nil
}

// touched returns the paths for which the turn has staged something, sorted.
func (d Deps) touched(ctx context.Context, requestID string) ([]string, error) {
	staged, err := d.staged(ctx, requestID)
	return slices.Sorted(maps.Keys(staged)), err
}
