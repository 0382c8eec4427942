package o200k

import (
	"bytes"
	"encoding/base64"
	"hash/maphash"
	"slices"
	"sync"

	"github.com/pkoukk/tiktoken-go-loader/assets"
)

// A vocabulary says which bytes are tokens. It takes four megabytes without pointers, so
// that the garbage collector need not look through them.
type vocabulary struct {
	tokens string   // all of them, by rank
	ends   []uint32 // of each in tokens
	seed   maphash.Seed
	slots  []uint32 // by hash, the first free one from there: rank + 1, or 0
}

const (
	slots = 1 << 19 // a power of two; less than half of them are taken
	none  = ^uint32(0)
)

// shipped is the vocabulary that is built in, as it was published: a line for each token, in
// base64, by rank.
var shipped = sync.OnceValue(func() *vocabulary {
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

// rank is the place of a token in the vocabulary, from 0, or none.
func (v *vocabulary) rank(token string) uint32 { return v.slots[v.slot(token)] - 1 }

// slot is where a token is, or would be.
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

// merge is how many tokens a piece has. From its bytes on, of all neighbours that are a token
// together those of the lowest rank become one, until there are none: byte pair encoding
// (Sennrich, Haddow, Birch: Neural Machine Translation of Rare Words with Subword Units, 2016).
// It takes time quadratic in the piece's length.
func (v *vocabulary) merge(piece string) int {
	if v.rank(piece) != none {
		return 1
	}
	var few [64]part
	parts := few[:0]
	for i := range len(piece) + 1 {
		parts = append(parts, part{begin: i})
	}
	join := func(i int) {
		parts[i].joined = none
		if i+2 < len(parts) {
			parts[i].joined = v.rank(piece[parts[i].begin:parts[i+2].begin])
		}
	}
	for i := range parts {
		join(i)
	}
	for {
		best := 0
		for i := range parts {
			if parts[i].joined < parts[best].joined {
				best = i
			}
		}
		if parts[best].joined == none {
			return len(parts) - 1
		}
		parts = slices.Delete(parts, best+1, best+2)
		join(best)
		if best > 0 {
			join(best - 1)
		}
	}
}

// part is a token of a piece; the last one is empty.
type part struct {
	begin  int    // in the piece
	joined uint32 // the rank of what it makes with the next part, or none
}
