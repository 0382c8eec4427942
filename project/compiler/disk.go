package compiler

import (
	"context"
	"maps"
	"os"
	"slices"
	"strings"

	"ploke-lsp/internal/lspclient"
	"ploke-lsp/internal/workspace"
)

// diskState are the files of a folder on disk by path. It is not modified.
type diskState struct {
	files  map[string]fileState
	stamp  uint64 // see [Options.Disk]
	stamps bool
}

// same reports whether nothing has changed between two states.
func (d *diskState) same(other *diskState) bool {
	return d == other || maps.Equal(d.files, other.files)
}

type fileState struct{ size, time int64 } // the time of the last change

// changes returns what has changed from one state to the next, sorted.
func (d *diskState) changes(now *diskState) (changes []lspclient.FileChange) {
	if d == nil || d == now {
		return nil
	}
	for path, state := range now.files {
		switch known, old := d.files[path]; {
		case !old:
			changes = append(changes, lspclient.FileChange{Path: path, Kind: lspclient.Created})
		case known != state:
			changes = append(changes, lspclient.FileChange{Path: path, Kind: lspclient.Changed})
		}
	}
	for path := range d.files {
		if _, kept := now.files[path]; !kept {
			changes = append(changes, lspclient.FileChange{Path: path, Kind: lspclient.Deleted})
		}
	}
	slices.SortFunc(changes, func(a, b lspclient.FileChange) int { return strings.Compare(a.Path, b.Path) })
	return changes
}

// onDisk walks the folder, unless nothing was reported since the last time where all changes are.
func (s *server) onDisk(ctx context.Context) (*diskState, error) {
	now := &diskState{files: map[string]fileState{}}
	if s.options.Disk != nil {
		now.stamp, now.stamps = s.options.Disk() // before the walk, which what changes meanwhile may miss
	}
	if last := s.known.walked.Load(); last != nil && last.stamps && now.stamps && last.stamp == now.stamp {
		return last, nil
	}
	err := s.options.Workspace.Walk(ctx, s.root, func(e workspace.Entry) error {
		if !e.Dir {
			now.files[e.Path] = fileState{e.Size, e.ModTime.UnixNano()}
		}
		return nil
	})
	if err == nil {
		s.known.walked.Store(now)
	}
	return now, err
}

// outdated reports whether a file on disk is not as it was, before that is reported.
func (d *diskState) outdated(path string) bool {
	known, was := d.files[path]
	info, err := os.Lstat(path)
	return was && (err != nil || known != fileState{info.Size(), info.ModTime().UnixNano()})
}
