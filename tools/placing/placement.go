package placing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/tools/wording"
)

// Placed is an edit with its place in the file's text.
type Placed struct {
	edits.Edit
	Index   int    // in the call
	Deletes string // canon of the symbol that the edit deletes
	// readings are what new may mean, the likeliest first; see [source.readings]. New is one of them, and given is
	// what the call has. Without them New is sure.
	readings []string
	given    string
}

// FileEdits are the edits of one call to one file.
type FileEdits struct {
	Src   *SourceFile
	Edits []Placed
}

// Placement is where one edit of a call goes: to one or more places, in one or more files.
type Placement struct {
	Files       []FileEdits
	Note        string      // how the places were chosen
	Adapted     bool        // the new text, or its place, is not just what the call says
	Canonical   bool        // the place is that of a symbol
	Renames     *SourceFile // the file that declares the symbol, if the edit is a rename
	By          string      // the compiler that has found the places of a rename, "" if they were found by name
	Left        []CodeLine  // what a rename leaves as it is
	LeftOmitted int
}

// BySymbol places an edit by a symbol's address. It removes line numbers from code.
func BySymbol(src *SourceFile, e Request) (where Placement, err error) {
	note := ""
	if plain, _, numbered := wording.Unnumbered(e.Code); numbered {
		e.Code, note = plain, "line numbers removed from code"
	}
	edit, err := placeCanonical(src, e)
	where = InFile(src, edit)
	where.Note, where.Canonical = note, true
	where.Adapted = note != "" || e.At != AtDelete && e.At != AtReplace && e.At != "" ||
		strings.TrimSpace(edit.New) != strings.TrimSpace(e.Code)
	if e.At == AtDelete {
		where.Files[0].Edits[0].Deletes = e.Canon
	}
	return where, err
}

// InFile returns the placement of edits in one file.
func InFile(src *SourceFile, list ...edits.Edit) Placement {
	f := FileEdits{Src: src}
	for _, e := range list {
		f.Edits = append(f.Edits, Placed{Edit: e})
	}
	return Placement{Files: []FileEdits{f}}
}

// ChangesNothing reports whether the files already read as the edit requires, with the line ends
// that staging gives it.
func (p Placement) ChangesNothing() bool {
	for _, f := range p.Files {
		for _, e := range f.Edits {
			if string(f.Src.Text[e.Start:e.End]) != edits.WithLineEnds(f.Src.Text, e.Edit) {
				return false
			}
		}
	}
	return true
}

// checkOverlaps adds a fault for each of the sorted edits that begins before the end of the one before it.
func (f *FileEdits) checkOverlaps(faults *Faults) error {
	for i, e := range f.Edits {
		if i > 0 && f.Edits[i-1].End > e.Start {
			if err := faults.Add(overlap(f.Edits[i-1].Index, e.Index, f.Src.Rel)); err != nil {
				return err
			}
		}
	}
	return nil
}

// operation sorts the edits, an insertion before a replacement that begins at the same offset, and
// gives them the line ends of the file. Edits that overlap, or leave an empty block, are faults.
func (f *FileEdits) operation(faults *Faults) (edits.Operation, error) {
	operation := edits.Operation{Op: edits.OpEdit, Path: f.Src.Path, BaseHash: f.Src.Hash}
	slices.SortStableFunc(f.Edits, func(a, b Placed) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	if err := f.checkOverlaps(faults); err != nil {
		return operation, err
	}
	if err := faults.Add(f.fillEmptyBlocks()); err != nil {
		return operation, err
	}
	if err := f.chooseReadings(faults); err != nil {
		return operation, err
	}
	operation.Edits = f.staged()
	for i := range f.Edits {
		f.Edits[i].Edit = operation.Edits[i]
	}
	return operation, nil
}

func overlap(a, b int, path string) *wording.Failure {
	first, second := min(a, b), max(a, b)
	return &wording.Failure{
		Message: fmt.Sprintf("edits[%d] and edits[%d] change the same text of %s", first, second, path),
		Code:    "overlap",
		Field:   fmt.Sprintf("edits[%d]", second),
		Hint:    "make them one edit, or send the second in a later call",
	}
}

// Call are the edits of a call with their places.
type Call struct {
	Files      []*FileEdits // in the order of the call
	Operations []edits.Operation
	Placements []Placement // by the edit's index
}

// Add adds the places of the edit with this index. What a rename shares with an earlier one is added once.
func (c *Call) Add(index int, where Placement) {
	c.Placements = append(c.Placements, where)
	for _, part := range where.Files {
		at := slices.IndexFunc(c.Files, func(f *FileEdits) bool { return f.Src == part.Src })
		if at < 0 {
			at = len(c.Files)
			c.Files = append(c.Files, &FileEdits{Src: part.Src})
		}
		known := map[edits.Edit]bool{}
		if where.Renames != nil {
			for _, e := range c.Files[at].Edits {
				known[e.Edit] = c.Placements[e.Index].Renames != nil
			}
		}
		for _, e := range part.Edits {
			if e.Index = index; !known[e.Edit] {
				c.Files[at].Edits = append(c.Files[at].Edits, e)
			}
		}
	}
}

// Complete makes the operations, once all edits have their places. It reports all faults.
func (c *Call) Complete(faults *Faults) error {
	for _, f := range c.Files {
		operation, err := f.operation(faults)
		if err != nil {
			return err
		}
		c.Operations = append(c.Operations, operation)
		c.noteReadings(f)
	}
	return faults.failure()
}

// noteReadings notes where the new text is not just what the call has.
func (c *Call) noteReadings(f *FileEdits) {
	for _, e := range f.Edits {
		if where := &c.Placements[e.Index]; len(e.readings) > 0 &&
			e.New != edits.WithLineEnds(f.Src.Text, edits.Edit{Start: e.Start, End: e.End, New: e.given}) {
			where.Adapted, where.Note = true, wording.JoinNotes(where.Note, "indentation adapted to the line")
		}
	}
}
