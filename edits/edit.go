// Package edits keeps proposed changes to files: it stages them, checks them,
// carries them over what happened to the files since, and plans and verifies
// their application. It never decides whether something may be applied.
//
// Its promises:
//   - Nothing is written to a file while it is staged. Only WriteToDisk writes
//     files, and only what Accept, Undo or Redo has planned: all files of a plan
//     or none, even if the program is killed in the middle (see Recover). Each is
//     whole at any moment, old or new.
//   - What returns without an error is in state.db durably, with the texts that
//     the changes were made against.
//   - What was applied can be undone: the bytes come back if nobody has changed
//     the file since, and are never taken from under what somebody typed.
//     Folders that were made for a new file go with it, if nothing else is in them.
//   - Nothing stays accepted without an outcome: what a program that is gone had
//     accepted, the next start settles by what the files say then (see Recover).
//   - A name takes part in one change of a proposal at most, so that changes can be
//     accepted one by one and in any order.
//   - An edit applies to the very text that it was made for. Where that text
//     has moved on, the edit moves along if nothing near it changed; else it is
//     stale, and the error says where. Bytes outside of the edits never change.
//   - State is kept on hunks, whose ids live as long as the proposal does,
//     whatever happens to their place.
//
// Offsets are bytes, 0-based, end-exclusive, in the text as the workspace
// serves it. Lines are 1-based and inclusive. Hashes are workspace hashes.
package edits

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Edit replaces the bytes from Start to End by New.
type Edit struct {
	Start, End int
	New        string
}

// shift is by how much the text behind e moves.
func (e Edit) shift() int {
	return len(e.New) - (e.End - e.Start)
}

// editJSON is an Edit at rest. JSON can't hold bytes that are not UTF-8, so
// such text is kept as base64.
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

// Apply returns text with the edits made; text itself stays as it is. The
// edits must be sorted and inside of text; where two of them overlap it
// returns an *OverlapError. Insertions at one place come in their order.
func Apply(text []byte, es []Edit) ([]byte, error) {
	size := len(text)
	for i, e := range es {
		if e.Start < 0 || e.End < e.Start || e.End > len(text) {
			return nil, fmt.Errorf("the edit of bytes %d to %d does not lie in the text, which has %d bytes", e.Start, e.End, len(text))
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

// sortEdits orders edits by place, an insertion before a replacement that
// begins there, and otherwise keeps their order.
func sortEdits(es []Edit) {
	slices.SortStableFunc(es, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
}
