package tools

import (
	"context"
	"maps"
	"slices"

	"ploke-lsp/edits"
)

// stagedPath is what the proposal that a turn sees does to a path: an operation, or, if a file is renamed,
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

// staged returns what is staged in the proposals that the call's turn sees, by path.
func (d Deps) staged(ctx context.Context, call Call) (map[string]stagedPath, error) {
	staged := make(map[string]stagedPath)
	waiting, err := d.Edits.Waiting(ctx, call.turn())
	if err != nil {
		return nil, err
	}
	for _, p := range slices.Backward(waiting) { // the turn's own proposal takes precedence
		for i := range p.Changes { // not by value: a proposal may have thousands
			change := p.Changes[i]
			if !change.Waits() {
				continue
			}
			staged[change.Path] = stagedPath{what: string(change.Op)}
			if change.Op == edits.OpRename {
				staged[change.Path] = stagedPath{movedAway, change.To}
				staged[change.To] = stagedPath{what: movedHere}
			}
		}
	}
	return staged, nil
}

// touched returns the paths for which something is staged in the proposals that the call's turn
// sees, sorted.
func (d Deps) touched(ctx context.Context, call Call) ([]string, error) {
	staged, err := d.staged(ctx, call)
	return slices.Sorted(maps.Keys(staged)), err
}
