package o200k

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"encoding/binary"
	"hash/maphash"
	"io"
	"sync"
	"unicode/utf8"
)

// A vocabulary maps byte strings to tokens. It takes four megabytes and has no pointers
// for the garbage collector to follow.
type vocabulary struct {
	tokens string   // all tokens, one after the other by rank
	ends   []uint32 // by rank: the end of the token in tokens
	seed   maphash.Seed
	slots  []uint32 // hash table with linear probing, see slot; 0 for a free slot
	// two has the ranks of the tokens of two ASCII characters, and none for all others. Of all pairs
	// of bytes, counting asks for these the most.
	two [utf8.RuneSelf][utf8.RuneSelf]uint32
}

const (
	slots    = 1 << 19 // a power of two; less than half of them are used
	rankBits = 18      // of a slot, for rank + 1; the others are bits of the token's hash
	rankMask = 1<<rankBits - 1
	none     = ^uint32(0)
)

// packed is the vocabulary that OpenAI has published as o200k_base, in a seventh of the
// space: the number of tokens as a varint, the length of each token in a byte, and all tokens, by rank,
// compressed with DEFLATE. "go test . -update" in e2e/libraries writes it.
//
//go:embed o200k_base.deflate
var packed []byte

// builtin is the built-in vocabulary.
var builtin = sync.OnceValue(func() *vocabulary {
	unpacked, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		panic("o200k: the built-in vocabulary is damaged: " + err.Error())
	}
	count, begin := binary.Uvarint(unpacked)
	lengths, tokens := unpacked[begin:begin+int(count)], unpacked[begin+int(count):]
	v := &vocabulary{tokens: string(tokens), ends: make([]uint32, count), seed: maphash.MakeSeed(),
		slots: make([]uint32, slots)}
	for i := range v.two {
		for j := range v.two[i] {
			v.two[i][j] = none
		}
	}
	end := uint32(0)
	for rank, length := range lengths {
		end += uint32(length)
		v.ends[rank] = end
	}
	for rank := range v.ends {
		token := v.token(uint32(rank))
		at, tag := v.slot(token)
		v.slots[at] = tag | uint32(rank) + 1
		if twoASCII(token) {
			v.two[token[0]][token[1]] = uint32(rank)
		}
	}
	return v
})

// twoASCII reports whether s is two ASCII characters.
func twoASCII(s string) bool { return len(s) == 2 && s[0]|s[1] < utf8.RuneSelf }

// rank returns the rank of a token, from 0, or none.
func (v *vocabulary) rank(token string) uint32 {
	if twoASCII(token) {
		return v.two[token[0]][token[1]]
	}
	at, _ := v.slot(token)
	return v.slots[at]&rankMask - 1
}

// slot returns the slot of a token, or the free slot where it would be, and the bits of its hash that a slot has
// beside the rank: where they differ, there is no need to look at the token.
func (v *vocabulary) slot(token string) (at uint64, tag uint32) {
	hash := maphash.String(v.seed, token)
	tag = uint32(hash>>32) &^ rankMask
	for at = hash % slots; v.slots[at] != 0; at = (at + 1) % slots {
		if v.slots[at]&^rankMask == tag && v.token(v.slots[at]&rankMask-1) == token {
			break
		}
	}
	return at, tag
}

func (v *vocabulary) token(rank uint32) string {
	begin := uint32(0)
	if rank > 0 {
		begin = v.ends[rank-1]
	}
	return v.tokens[begin:v.ends[rank]]
}
