package query

import (
	"encoding/binary"
	"math"
)

// nameMarks tells most names from those in a set of a few dozen, ignoring case. Of a thousand bits, each name sets one.
type nameMarks [1 << (markBits - 6)]uint64

const markBits = 10

func (m *nameMarks) add(name []byte) {
	if mark, ok := nameMark(name); ok {
		m[mark/64] |= 1 << (mark % 64)
		return
	}
	for i := range m {
		m[i] = math.MaxUint64
	}
}

// mayHave reports whether a name may be in the set.
func (m *nameMarks) mayHave(name []byte) bool {
	mark, ok := nameMark(name)
	return !ok || m[mark/64]&(1<<(mark%64)) != 0
}

// nameMark returns a number below 1<<markBits, which is the same for names that differ only in case. ok is false for a
// name that is not ASCII: it may equal one of another length.
func nameMark(name []byte) (mark uint, ok bool) {
	const (
		ignoringCase = 0x2020202020202020
		notASCII     = 0x8080808080808080
		scatter      = 0x9E3779B97F4A7C15 // its products depend in their highest bits on all of the other factor's
	)
	hash := uint64(len(name))
	for ; len(name) >= 8; name = name[8:] {
		eight := binary.LittleEndian.Uint64(name)
		if eight&notASCII != 0 {
			return 0, false
		}
		hash = (hash ^ (eight | ignoringCase)) * scatter
	}
	var rest uint64
	for _, c := range name {
		rest = rest<<8 | uint64(c)
	}
	hash = (hash ^ (rest | ignoringCase)) * scatter
	return uint(hash >> (64 - markBits)), rest&notASCII == 0
}
