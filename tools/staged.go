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

// stagedFor returns what is staged in the proposals that the turn sees, by path.
func (s *sources) stagedFor(ctx context.Context) (map[string]stagedPath, error) {
	staged := make(map[string]stagedPath)
	waiting, err := s.edits.Waiting(ctx, s.turn)
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

// touched returns the paths for which something is staged in the proposals that the turn sees, sorted.
func (s *sources) touched(ctx context.Context) ([]string, error) {
	staged, err := s.stagedFor(ctx)
	return slices.Sorted(maps.Keys(staged)), err
}
