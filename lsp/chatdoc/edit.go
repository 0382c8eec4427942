package chatdoc

import "strings"

// An Edit replaces the bytes [Start, End) of a text.
type Edit struct {
	Start, End int
	New        string
}

// Apply returns a text after edits, which are in the order of their offsets, don't overlap, and
// all refer to text itself.
func Apply(text string, edits []Edit) string {
	var out strings.Builder
	at := 0
	for _, e := range edits {
		out.WriteString(text[at:e.Start])
		out.WriteString(e.New)
		at = e.End
	}
	out.WriteString(text[at:])
	return out.String()
}
