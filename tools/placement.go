package tools

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/tools/wording"
)

// placed is an edit with its place in the file's text.
type placed struct {
	edits.Edit
	index   int    // in the call
	deletes string // canon of the symbol that the edit deletes
	// readings are what new may mean, the likeliest first; see [source.readings]. New is one of them, and given is
	// what the call has. Without them New is sure.
	readings []string
	given    string
}

// fileEdits are the edits of one call to one file.
type fileEdits struct {
	src   *sourceText
	edits []placed
}

// placement is where one edit of a call goes: to one or more places, in one or more files.
type placement struct {
	files       []fileEdits
	note        string       // how the places were chosen
	adapted     bool         // the new text, or its place, is not just what the call says
	canonical   bool         // the place is that of a symbol
	renames     *sourceText  // the file that declares the symbol, if the edit is a rename
	left        []lineOfCode // what a rename leaves as it is
	leftOmitted int
}

// placeSymbol places an edit by a symbol's address. It removes line numbers from code.
func placeSymbol(src *sourceText, e editRequest) (where placement, err error) {
	note := ""
	if plain, _, numbered := wording.Unnumbered(e.Code); numbered {
		e.Code, note = plain, "line numbers removed from code"
	}
	edit, err := placeCanonical(src, e)
	where = inFile(src, edit)
	where.note, where.canonical = note, true
	where.adapted = note != "" || e.At != placeDelete && e.At != placeReplace && e.At != "" || strings.TrimSpace(edit.New) != strings.TrimSpace(e.Code)
	if e.At == placeDelete {
		where.files[0].edits[0].deletes = e.Canon
	}
	return where, err
}

// inFile returns the placement of edits in one file.
func inFile(src *sourceText, list ...edits.Edit) placement {
	f := fileEdits{src: src}
	for _, e := range list {
		f.edits = append(f.edits, placed{Edit: e})
	}
	return placement{files: []fileEdits{f}}
}

// changesNothing reports whether the files already read as the edit requires, with the line ends
// that staging gives it.
func (p placement) changesNothing() bool {
	for _, f := range p.files {
		for _, e := range f.edits {
			if string(f.src.Text[e.Start:e.End]) != edits.WithLineEnds(f.src.Text, e.Edit) {
				return false
			}
		}
	}
	return true
}

// operation sorts the edits, an insertion before a replacement that begins at the same offset, and
// gives them the line ends of the file. Edits that overlap, or leave an empty block, are faults.
func (f *fileEdits) operation(faults *faultList) (edits.Operation, error) {
	operation := edits.Operation{Op: edits.OpEdit, Path: f.src.Path, BaseHash: f.src.Hash}
	slices.SortStableFunc(f.edits, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	for i, e := range f.edits {
		if i > 0 && f.edits[i-1].End > e.Start {
			if err := faults.add(overlap(f.edits[i-1].index, e.index, f.src.rel)); err != nil {
				return operation, err
			}
		}
	}
	if err := faults.add(f.fillEmptyBlocks()); err != nil {
		return operation, err
	}
	if err := f.chooseReadings(faults); err != nil {
		return operation, err
	}
	operation.Edits = f.staged()
	for i := range f.edits {
		f.edits[i].Edit = operation.Edits[i]
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

// placedCall are the edits of a call with their places.
type placedCall struct {
	files      []*fileEdits // in the order of the call
	operations []edits.Operation
	placements []placement // by the edit's index
}

// add adds the places of the edit with this index.
func (c *placedCall) add(index int, where placement) {
	c.placements = append(c.placements, where)
	for _, part := range where.files {
		at := slices.IndexFunc(c.files, func(f *fileEdits) bool { return f.src == part.src })
		if at < 0 {
			at = len(c.files)
			c.files = append(c.files, &fileEdits{src: part.src})
		}
		for _, e := range part.edits {
			e.index = index
			c.files[at].edits = append(c.files[at].edits, e)
		}
	}
}

// complete makes the operations, once all edits have their places. It reports all faults.
func (c *placedCall) complete(faults *faultList) error {
	for _, f := range c.files {
		operation, err := f.operation(faults)
		if err != nil {
			return err
		}
		c.operations = append(c.operations, operation)
		c.noteReadings(f)
	}
	return faults.failure()
}

// noteReadings notes where the new text is not just what the call has.
func (c *placedCall) noteReadings(f *fileEdits) {
	for _, e := range f.edits {
		if where := &c.placements[e.index]; len(e.readings) > 0 && e.New != edits.WithLineEnds(f.src.Text, edits.Edit{Start: e.Start, End: e.End, New: e.given}) {
			where.adapted, where.note = true, wording.JoinNotes(where.note, "indentation adapted to the line")
		}
	}
}
