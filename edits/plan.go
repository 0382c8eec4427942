package edits

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
)

// Plan is what is to be done to files: by the editor, or by WriteToDisk. Every
// plan has to be settled, whether it was carried out or not.
type Plan struct {
	ProposalID string
	Files      []PlannedFile

	target  State    // what the hunks become where the files read as planned
	redone  []Change // of a redoing: the changes as they fit the files now
	journal string   // id of the record of its writing, where there is one
	settled []Hunk   // its hunks as Settle left them
}

// PlannedFile is what is to be done to one file.
type PlannedFile struct {
	Op            Op
	Path          string
	To            string // the new path, for OpRename
	Version       *int32 // of the document, where an editor has it open: the one that Before is
	Before, After []byte // without byte order mark; Before is nil where there is no file, After for OpDelete
	Edits         []Edit // make After of Before
	Hunks         []string
	Done          bool         // it is as planned already: nothing is to be done
	BOM           bool         // Before follows a byte order mark, or After has to, for OpCreate
	Mode          *fs.FileMode // permissions of a file that is created again; nil: those of any new file
	CreatedDirs   []string     `json:"Made"` // folders that are made for the file; canonical, the outermost first
	EmptiedDirs   []string     `json:"Left"` // folders that were made for the file, and go with it if nothing else is in them; canonical
}

// target is the path that the file has afterwards, "" if it is deleted.
func (f *PlannedFile) target() string {
	switch f.Op {
	case OpRename:
		return f.To
	case OpDelete:
		return ""
	}
	return f.Path
}

// Outcome is what whoever carried out a plan says of it.
type Outcome struct {
	Applied bool
	Reason  string // where not: why
}

// texts returns the texts that the plan's changes are made against.
func (p *Plan) texts() (texts [][]byte) {
	for _, f := range p.Files {
		texts = append(texts, f.Before)
	}
	return texts
}

// attributes notes what is lost with the files that the plan deletes, and has to
// come back if that is undone.
func recordAttributes(plan *Plan) error {
	for i := range plan.Files {
		f := &plan.Files[i]
		if f.Op != OpDelete || f.Before == nil {
			continue
		}
		info, err := os.Lstat(f.Path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // there is only the editor's text of it
		}
		if err != nil {
			return err
		}
		mode := info.Mode().Perm()
		f.Mode = &mode
	}
	return nil
}

// Shows reports whether every file reads as planned, but for changes elsewhere.
func (m *Manager) IsInEffect(ctx context.Context, plan *Plan) bool {
	return !slices.ContainsFunc(plan.Files, func(f PlannedFile) bool { return m.outcomeOf(ctx, f, Outcome{}) != Verified })
}

// plan returns what has to be done to the files for the scene to come true.
func (s *overlay) plan() (files []PlannedFile) {
	for _, f := range s.files {
		if len(f.applied) == 0 {
			continue // only looked at
		}
		p := PlannedFile{Op: f.op(), Path: f.from, After: f.text, Edits: editsOf(f.hunks), Hunks: f.applied, Done: f.unchanged()}
		if p.Op == OpRename {
			p.To = f.path
		}
		if f.now != nil {
			p.Before = f.now.Text
			p.BOM = f.now.BOM
			if f.now.Open {
				p.Version = &f.now.Version
			}
		}
		files = append(files, p)
	}
	return files
}
