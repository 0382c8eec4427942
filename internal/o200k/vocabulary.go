package o200k

import (
	"bytes"
	"encoding/base64"
	"hash/maphash"
	"sync"

	"github.com/pkoukk/tiktoken-go-loader/assets"
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

// builtin is the built-in vocabulary. The published file has a line for each token, by
// rank, with the token in base64.
var builtin = sync.OnceValue(func() *vocabulary {
	file, err := assets.Assets.ReadFile("o200k_base.tiktoken")
	if err != nil {
		panic("o200k: no vocabulary was built in: " + err.Error())
	}
	v := &vocabulary{seed: maphash.MakeSeed(), slots: make([]uint32, slots)}
	tokens := make([]byte, 0, len(file)/2)
	for line := range bytes.Lines(file) {
		token, _, _ := bytes.Cut(line, []byte(" "))
		if tokens, err = base64.StdEncoding.AppendDecode(tokens, token); err != nil {
			panic("o200k: the vocabulary is not in base64: " + err.Error())
		}
		v.ends = append(v.ends, uint32(len(tokens)))
	}
	v.tokens = string(tokens)
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
