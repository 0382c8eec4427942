package edits

import "slices"

// transform returns es, edits of a text, as edits of the same text after the edits made. Both are sorted. ok is false if
// two of them overlap, or insert at the same place, where nothing says which comes first.
func transform(es, made []Edit) (moved []Edit, ok bool) {
	shift := 0
	for _, e := range es {
		for len(made) > 0 && made[0].End <= e.Start && !samePoint(made[0], e) {
			shift += made[0].shift()
			made = made[1:]
		}
		if len(made) > 0 && (made[0].Start < e.End || samePoint(made[0], e)) {
			return nil, false
		}
		moved = append(moved, Edit{Start: e.Start + shift, End: e.End + shift, New: e.New})
	}
	return moved, true
}

// samePoint reports whether both edits insert at the same place.
func samePoint(a, b Edit) bool { return a.Start == b.Start && a.End == b.End && a.Start == a.End }

// inverse returns the edits that take es, edits of text, back.
func inverse(text []byte, es []Edit) []Edit {
	back := slices.Clone(es)
	shift := 0
	for i, e := range es {
		back[i] = Edit{Start: e.Start + shift, End: e.Start + shift + len(e.New), New: string(text[e.Start:e.End])}
		shift += e.shift()
	}
	return back
}
