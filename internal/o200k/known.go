package o200k

import (
	"hash/maphash"
	"sync"
)

const (
	keptPairs = 1 << 15
	keptBytes = 30 // of text that is remembered: a pair fills a line of the processor's cache
)

// known are short texts that were counted, in pairs whose place the hash says: a new one
// takes the place of the older of its pair. They take two megabytes without pointers.
var known struct {
	sync.Mutex
	seed  maphash.Seed
	pairs []pair // made when first needed
}

// pair holds the newer text first.
type pair [2]counted

// counted is a text and how many tokens it has.
type counted struct {
	text   [keptBytes]byte
	length uint8 // 0: none
	tokens uint8
}

// remembered is what count says of a text, or said; the caller holds the lock.
func remembered(s string, count func(string) int) int {
	if len(s) > keptBytes {
		return count(s)
	}
	if known.pairs == nil {
		known.seed, known.pairs = maphash.MakeSeed(), make([]pair, keptPairs)
	}
	p := &known.pairs[maphash.String(known.seed, s)%keptPairs]
	n, ok := p.find(s)
	if !ok {
		n = count(s)
		p.keep(s, n)
	}
	return n
}

func (p *pair) find(s string) (tokens int, ok bool) {
	for i := range p {
		if c := &p[i]; string(c.text[:c.length]) == s {
			return int(c.tokens), true
		}
	}
	return 0, false
}

func (p *pair) keep(s string, tokens int) {
	p[1] = p[0]
	p[0].length, p[0].tokens = uint8(copy(p[0].text[:], s)), uint8(tokens)
}
