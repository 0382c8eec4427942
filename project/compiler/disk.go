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

// folderState is what is on disk and in editors below a folder.
type folderState struct {
	disk    *diskState
	unsaved map[string]string // the hashes of the texts of editors by path
}

// same reports whether nothing has changed between two states.
func (f folderState) same(other folderState) bool {
	return (f.disk == other.disk || maps.Equal(f.disk.files, other.disk.files)) && maps.Equal(f.unsaved, other.unsaved)
}

// diskState are the files of a folder on disk by path. It is not modified.
type diskState struct {
	files  map[string]fileState
	stamp  uint64 // see [Options.Disk]
	stamps bool
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

// present returns the files of the folder as they are.
func (s *server) present(ctx context.Context) (now folderState, err error) {
	if now.disk, err = s.onDisk(ctx); err != nil {
		return now, err
	}
	now.unsaved = map[string]string{}
	ws := s.options.Workspace
	for _, path := range ws.Buffers() {
		root, inside := ws.RootOf(path)
		if file, open := ws.Buffer(path); open && inside && root == s.root {
			now.unsaved[path] = file.Hash
		}
	}
	return now, nil
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
