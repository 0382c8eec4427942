package syntax

import (
	"bytes"

	sitter "github.com/smacker/go-tree-sitter"
)

// change says that the bytes [from,to) of a text became the bytes [newFrom,newTo) of the next one.
type change struct{ from, to, newFrom, newTo int }

// changesBetween returns what lies between the same pieces of two texts, in order. These need not be all pieces
// that are the same: a few places that a person edits are told apart if they are far from each other.
func changesBetween(before, after []byte) []change { return appendChanges(nil, before, after, 0, 0) }

// appendChanges appends the changes between pieces of two texts that begin at these offsets.
func appendChanges(all []change, before, after []byte, at, newAt int) []change {
	start, end := commonEnds(before, after)
	before, after = before[start:len(before)-end], after[start:len(after)-end]
	if len(before) == 0 && len(after) == 0 {
		return all
	}
	at, newAt = at+start, newAt+start
	if mid, newMid := samePiece(before, after); mid >= 0 {
		all = appendChanges(all, before[:mid], after[:newMid], at, newAt)
		return appendChanges(all, before[mid:], after[newMid:], at+mid, newAt+newMid)
	}
	return append(all, change{at, at + len(before), newAt, newAt + len(after)})
}

// commonEnds returns the lengths in bytes of the common prefix of two texts, and of the common suffix of what
// follows it.
func commonEnds(before, after []byte) (start, end int) {
	for start < min(len(before), len(after)) && before[start] == after[start] {
		start++
	}
	for end < min(len(before), len(after))-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	return start, end
}

// samePiece returns the offsets of a piece that long texts have in common, around the middle of the first one
// and nearly at the same place in the second, or -1.
func samePiece(before, after []byte) (at, newAt int) {
	const (
		length = 256     // bytes of the piece
		drift  = 1 << 10 // bytes by which the places differ at most
	)
	if len(before) < parsedAnew {
		return -1, -1
	}
	at, newAt = (len(before)-length)/2, -1
	piece := before[at : at+length]
	for next := max(0, at-drift); next < len(after); next++ {
		found := bytes.Index(after[next:min(len(after), at+length+drift)], piece)
		if found < 0 {
			break
		}
		next += found
		if newAt >= 0 && next-at >= max(newAt-at, at-newAt) {
			break // the places come in order, so that this one and all others are farther away
		}
		newAt = next
	}
	if newAt < 0 {
		return -1, -1
	}
	return at, newAt
}

// widened adds parsedAnew bytes on both sides of each change in a text of that length, and joins those that touch then.
func widened(changes []change, length int) (wide []change) {
	for _, c := range changes {
		left, right := min(parsedAnew, c.from), min(parsedAnew, length-c.to)
		c = change{c.from - left, c.to + right, c.newFrom - left, c.newTo + right}
		if last := len(wide) - 1; last >= 0 && c.from <= wide[last].to {
			wide[last].to, wide[last].newTo = c.to, c.newTo
		} else {
			wide = append(wide, c)
		}
	}
	return wide
}

// input returns the change as tree-sitter takes it, if nothing before it was changed yet.
func (c change) input(before, after []byte) sitter.EditInput {
	start := past(sitter.Point{}, before[:c.from])
	return sitter.EditInput{
		StartIndex: uint32(c.from), StartPoint: start,
		OldEndIndex: uint32(c.to), OldEndPoint: past(start, before[c.from:c.to]),
		NewEndIndex: uint32(c.from + c.newTo - c.newFrom), NewEndPoint: past(start, after[c.newFrom:c.newTo]),
	}
}

// past returns the row and the column behind a piece of a text that begins at p, both 0-based and the column in
// bytes.
func past(p sitter.Point, piece []byte) sitter.Point {
	if line := bytes.LastIndexByte(piece, '\n') + 1; line > 0 {
		return sitter.Point{Row: p.Row + uint32(bytes.Count(piece, []byte{'\n'})), Column: uint32(len(piece) - line)}
	}
	return sitter.Point{Row: p.Row, Column: p.Column + uint32(len(piece))}
}
