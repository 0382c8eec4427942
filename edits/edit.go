// Package edits keeps proposed changes to files. It stages them, checks them, rebases them onto
// later states of the files, and plans and verifies their application. It never decides whether
// a change may be applied.
//
// Its promises:
//   - Staging writes to no file. Only WriteToDisk writes files, and only what Accept, Undo or
//     Redo has planned: all files of a plan or none, even if the program is killed in the
//     middle (see Recover). At any moment each file has its complete old or its complete new
//     content, except a file that can't be replaced, which Recover completes.
//   - WriteToDisk keeps what a file has beside its text: owner, mode, access control lists,
//     extended attributes and its other names (hard links). Rolling back and undoing keep it,
//     too. What can't be kept is refused with the reason. What another program writes to a
//     file that is being replaced is found and stays. Deleting a link leaves its target.
//   - A file stays in its encoding. If the encoding lacks a character, or is not certain, the
//     edit is refused with the reason. No character is ever replaced by another one.
//   - When a call returns without an error, its result is durable in state.db, together with
//     the texts that the changes were made against.
//   - What was applied can be undone. If nobody has changed the file since, it gets its old
//     bytes back; text that somebody typed since is never lost. Folders that were made for a
//     new file are removed with it, if they are empty.
//   - Of several decisions on a change, in any processes, one is made at a time. Each is one
//     compare-and-set, before anything is touched. A decision that comes too late gets an error
//     that says what was decided.
//   - Every decision gets an outcome, by what the files show, hunk by hunk. If its process ends
//     before, the next decision or the next start settles it (see Recover). A process that was
//     taken for dead can't settle it any more.
//   - A change that is not in its file, whatever an editor said, can be accepted again or
//     rejected. A change that is in its file can be undone, unless somebody has changed it.
//   - Each file name takes part in at most one change of a proposal, so changes can be accepted
//     one by one and in any order.
//   - An edit applies to the exact text that it was made for. If that text has changed since,
//     the edit moves along if nothing near it changed. Otherwise it is stale, and the error
//     says where. Bytes of the file outside the edits never change.
//   - State is kept on hunks. A hunk's id lives as long as its proposal, wherever the hunk
//     moves.
//
// Offsets are bytes, 0-based and end-exclusive, in the text as the workspace serves it. Lines
// are 1-based and inclusive. Hashes are those of workspace.Hash.
package edits

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Edit replaces the bytes from Start (inclusive) to End (exclusive) by New.
type Edit struct {
	Start, End int
	New        string
}

// shift returns by how many bytes e moves the text behind it.
func (e Edit) shift() int {
	return len(e.New) - (e.End - e.Start)
}

// editJSON is the stored form of an Edit. JSON cannot hold bytes that are not UTF-8, so such
// text is stored as base64.
type editJSON struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	New   string `json:"new,omitempty"`
	Raw   []byte `json:"raw,omitempty"`
}

// MarshalJSON keeps every byte of New.
func (e Edit) MarshalJSON() ([]byte, error) {
	j := editJSON{Start: e.Start, End: e.End, New: e.New}
	if !utf8.ValidString(e.New) {
		j.New, j.Raw = "", []byte(e.New)
	}
	return json.Marshal(j)
}

// UnmarshalJSON is the inverse of MarshalJSON.
func (e *Edit) UnmarshalJSON(data []byte) error {
	var j editJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	*e = Edit{Start: j.Start, End: j.End, New: j.New + string(j.Raw)}
	return nil
}

// OverlapError says that two edits change the same bytes.
type OverlapError struct {
	Rel           string // the file; "" from Apply
	First, Second Edit
}

func (e *OverlapError) Error() string {
	text := fmt.Sprintf("the edits of bytes %d to %d and %d to %d overlap; make them one edit",
		e.First.Start, e.First.End, e.Second.Start, e.Second.End)
	if e.Rel != "" {
		return e.Rel + ": " + text
	}
	return text
}

// Apply returns a copy of text with the edits made. The edits must be sorted and inside text.
// If two of them overlap, Apply returns an *OverlapError. Insertions at the same offset keep
// their order.
func Apply(text []byte, es []Edit) ([]byte, error) {
	size := len(text)
	for i, e := range es {
		if e.Start < 0 || e.End < e.Start || e.End > len(text) {
			return nil, fmt.Errorf("the edit of bytes %d to %d is outside the text, which has %d bytes", e.Start, e.End, len(text))
		}
		if i > 0 && e.Start < es[i-1].End {
			return nil, &OverlapError{First: es[i-1], Second: e}
		}
		size += e.shift()
	}
	out := make([]byte, 0, size)
	at := 0
	for _, e := range es {
		out = append(out, text[at:e.Start]...)
		out = append(out, e.New...)
		at = e.End
	}
	return append(out, text[at:]...), nil
}

// sortEdits sorts edits by offset, an insertion before a replacement that begins at the same
// offset. Otherwise it keeps their order.
func sortEdits(es []Edit) {
	slices.SortStableFunc(es, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
}
