package chatdoc

import "slices"

// A tail is the place in a text at which an answer grows, and the pieces of it that were written. It
// moves along when the text changes elsewhere.
type tail struct {
	at     int
	pieces []piece // in the order of their offsets, not empty
}

// A piece is the bytes [start, end) of the text.
type piece struct{ start, end int }

func (t tail) clone() tail { return tail{t.at, slices.Clone(t.pieces)} }

// moved takes a change that is not part of the answer. What is typed at the tail comes after it. What
// is typed inside a piece splits it.
func (t *tail) moved(e Edit) {
	grown := len(e.New) - (e.End - e.Start)
	move := func(offset int) int {
		switch {
		case offset <= e.Start:
			return offset
		case offset >= e.End:
			return offset + grown
		}
		return e.Start
	}
	t.at = move(t.at)
	var pieces []piece
	for _, p := range t.pieces {
		if p.end <= e.Start {
			pieces = append(pieces, p)
			continue
		}
		if p.start < e.Start { // what is left of the piece before the change
			pieces = append(pieces, piece{p.start, e.Start})
		}
		if p.end > e.End {
			pieces = append(pieces, piece{max(p.start, e.End) + grown, p.end + grown})
		}
	}
	t.pieces = pieces
}

// movedByAll is moved for each of several changes.
func (t *tail) movedByAll(changes []Edit) {
	for _, c := range changes {
		t.moved(c)
	}
}

// wrote takes text of the answer that was inserted at an offset. The answer continues back bytes before the
// end of the text. It becomes a piece unless it stays in any case.
func (t *tail) wrote(offset int, text string, back int, stays bool) {
	t.moved(Edit{offset, offset, text})
	t.at = offset + len(text) - back
	if stays || text == "" {
		return
	}
	i := slices.IndexFunc(t.pieces, func(p piece) bool { return p.start >= offset })
	if i < 0 {
		i = len(t.pieces)
	}
	if i > 0 && t.pieces[i-1].end == offset {
		t.pieces[i-1].end += len(text)
		return
	}
	t.pieces = slices.Insert(t.pieces, i, piece{offset, offset + len(text)})
}

// erase returns the edits that take the pieces back.
func (t *tail) erase() (edits []Edit) {
	for _, p := range t.pieces {
		edits = append(edits, Edit{Start: p.start, End: p.end})
	}
	return edits
}
