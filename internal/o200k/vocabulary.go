package o200k

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"encoding/binary"
	"hash/maphash"
	"io"
	"sync"
)

// A vocabulary maps byte strings to tokens. It takes four megabytes and has no pointers
// for the garbage collector to follow.
type vocabulary struct {
	tokens string   // all tokens, one after the other by rank
	ends   []uint32 // by rank: the end of the token in tokens
	seed   maphash.Seed
	slots  []uint32 // hash table with linear probing: rank + 1, or 0 for a free slot
}

const (
	slots = 1 << 19 // a power of two; less than half of them are used
	none  = ^uint32(0)
)

// packed is the vocabulary that OpenAI has published as o200k_base, in a seventh of the
// space: the number of tokens as a varint, the length of each token in a byte, and all tokens, by rank,
// compressed with DEFLATE. "go test ./internal/o200k -update" writes it.
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
	v := &vocabulary{tokens: string(tokens), ends: make([]uint32, count), seed: maphash.MakeSeed(), slots: make([]uint32, slots)}
	end := uint32(0)
	for rank, length := range lengths {
		end += uint32(length)
		v.ends[rank] = end
	}
	for rank := range v.ends {
		v.slots[v.slot(v.token(uint32(rank)))] = uint32(rank) + 1
	}
	return v
})

// rank returns the rank of a token, from 0, or none.
func (v *vocabulary) rank(token string) uint32 { return v.slots[v.slot(token)] - 1 }

// slot returns the slot of a token, or the free slot where it would be.
func (v *vocabulary) slot(token string) uint64 {
	at := maphash.String(v.seed, token) % slots
	for v.slots[at] != 0 && v.token(v.slots[at]-1) != token {
		at = (at + 1) % slots
	}
	return at
}

func (v *vocabulary) token(rank uint32) string {
	begin := uint32(0)
	if rank > 0 {
		begin = v.ends[rank-1]
	}
	return v.tokens[begin:v.ends[rank]]
}
