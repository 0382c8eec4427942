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
			return nil, fmt.Errorf("the edit of bytes %d to %d is outside the text, which has %d bytes", e.Start, e.End,
				len(text))
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
