package current

import (
	"context"
	"maps"
	"slices"

	"ploke-lsp/edits"
)

// Change is what the proposal that a turn sees does to a path: an operation, or, if a file is renamed,
// movedAway for its old path and movedHere for the new one.
type Change struct {
	What string
	to   string // the new path, for movedAway
}

const (
	movedAway = "moved_away"
	movedHere = "moved_here"
)

// Appears reports whether the change creates a file at the path.
func (p Change) Appears() bool { return p.What == string(edits.OpCreate) || p.What == movedHere }

// gone reports whether the change leaves no file at the path.
func (p Change) gone() bool { return p.What == string(edits.OpDelete) || p.What == movedAway }

// Staged returns what is staged in the proposals that the turn sees, by path.
func (f *Files) Staged(ctx context.Context) (map[string]Change, error) {
	staged := make(map[string]Change)
	waiting, err := f.edits.Staging.Waiting(ctx, f.turn)
	if err != nil {
		return nil, err
	}
	for _, p := range slices.Backward(waiting) { // the turn's own proposal takes precedence
		for i := range p.Changes { // not by value: a proposal may have thousands
			change := p.Changes[i]
			if !change.Waits() {
				continue
			}
			staged[change.Path] = Change{What: string(change.Op)}
			if change.Op == edits.OpRename {
				staged[change.Path] = Change{movedAway, change.To}
				staged[change.To] = Change{What: movedHere}
			}
		}
	}
	return staged, nil
}

// Touched returns the paths for which something is staged in the proposals that the turn sees, sorted.
func (f *Files) Touched(ctx context.Context) ([]string, error) {
	staged, err := f.Staged(ctx)
	return slices.Sorted(maps.Keys(staged)), err
}
