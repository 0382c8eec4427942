package edits

import (
	"io/fs"
	"slices"

	"ploke-lsp/edits/rooted"
	"ploke-lsp/internal/workspace"
)

// Plan is what is to be done to files, by the editor or by WriteToDisk. Every plan has to be
// settled, whether it was carried out or not.
type Plan struct {
	ProposalID string
	Files      []PlannedFile

	id      string   // of its entry in the proposal's row; "" for a plan of an earlier version
	target  State    // state of the hunks if the files read as planned
	redone  []Change // of a redo: the changes as they fit the current files
	journal string   // id of the plan's journal entry; "" if there is none
	stuck   bool     // the files are half written, and the entry is needed to finish or restore them
	unclean bool     // the entry is still needed after Settle, to remove temporary files
	settled []Hunk   // the plan's hunks as Settle left them
	offered Version  // of the proposal, if the plan is only offered
}

// PlannedFile is what is to be done to one file.
type PlannedFile struct {
	Op      Op
	Path    string
	To      string // the new path, for OpRename
	Version *int32 // version of the document that Before is; nil if no editor has the file open
	// as the workspace serves them; Before is nil for a file that does not exist, After for OpDelete
	Before, After []byte
	Edits         []Edit // turn Before into After
	Hunks         []string
	Link          bool `json:",omitempty"` // the file is a symbolic link; its text is where it leads
	// the disk takes the old and the new path for one name; see respell.go
	Respells           bool         `json:",omitempty"`
	Done               bool         // the file is as planned already; nothing is to be done
	workspace.Encoding              // of the file before and after
	Mode               *fs.FileMode // of a file that is deleted or created again; nil: the default of a new file
	rooted.Extended                 // of such a file
	PlannedDirs
}

// PlannedDirs are the folders that come and go with a file. Their paths are canonical.
type PlannedDirs struct {
	CreatedDirs []string `json:"Made"` // that are created for the file, outermost first
	EmptiedDirs []string `json:"Left"` // that were created for the file and are removed with it if they are empty
}

// target is the file's path afterwards, "" if it is deleted.
func (f *PlannedFile) target() string {
	switch f.Op {
	case OpRename:
		return f.To
	case OpDelete:
		return ""
	}
	return f.Path
}

// NeedsDisk reports whether only WriteToDisk can carry out the plan, since it changes a link, or a
// file that no editor has open and that is not UTF-8 or has mixed line ends. An editor may read such a
// file in another charset than the workspace, or make all its line ends the same, and would then
// store other bytes.
func (p *Plan) NeedsDisk() bool {
	return slices.ContainsFunc(p.Files, func(f PlannedFile) bool {
		return !f.Done && (f.Link || f.Version == nil && (f.Charset != "" || hasMixedLineEnds(f.Before)))
	})
}

// Verb returns what a person asked for: accept, undo or redo.
func (p *Plan) Verb() string {
	switch {
	case p.target == Undone:
		return "undo"
	case p.redone != nil:
		return "redo"
	}
	return "accept"
}

// Outcome is what the party that carried out a plan reports.
type Outcome struct {
	Applied bool
	Reason  string // why the plan was not applied; "" if it was
}

// texts returns the texts that the plan's changes are made against.
func (p *Plan) texts() (texts [][]byte) {
	for _, f := range p.Files {
		texts = append(texts, f.Before)
	}
	return texts
}

// plan returns what has to be done to the files to reach the overlay's state.
func (s *overlay) plan() (files []PlannedFile) {
	for _, f := range s.files {
		if len(f.applied) == 0 {
			continue // only looked at
		}
		p := PlannedFile{Op: f.op(), Path: f.from, After: f.text, Edits: editsOf(f.hunks), Hunks: f.applied,
			Done: f.unchanged()}
		p.Link = f.now == nil && f.link
		if p.Op == OpRename {
			p.To, p.Respells = f.path, s.same(f.from, f.path)
		}
		if f.now != nil {
			p.Before = f.now.Text
			p.Encoding, p.Link = f.encoding(), f.now.Link
			if f.now.Open {
				p.Version = &f.now.Version
			}
		}
		files = append(files, p)
	}
	return files
}
