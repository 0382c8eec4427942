package o200k

import (
	"hash/maphash"
	"sync"
)

const (
	cachePairs     = 1 << 15
	maxCachedBytes = 30 // in bytes of text: a pair of entries fills a cache line of the processor
)

// cache holds the token counts of short texts in pairs of entries. The hash of the text
// selects the pair, and a new text replaces the older entry. The cache takes two megabytes
// and has no pointers for the garbage collector to follow.
var cache struct {
	sync.Mutex
	seed  maphash.Seed
	pairs []pair // allocated at the first use
}

// pair holds the newer entry first.
type pair [2]cacheEntry

// cacheEntry is a text and its number of tokens.
type cacheEntry struct {
	text   [maxCachedBytes]byte
	length uint8 // 0: the entry is empty
	tokens uint8
}

// cachedCount returns count(s), from the cache if possible. The caller holds the lock.
func cachedCount(s string, count func(string) int) int {
	if len(s) > maxCachedBytes {
		return count(s)
	}
	if cache.pairs == nil {
		cache.seed, cache.pairs = maphash.MakeSeed(), make([]pair, cachePairs)
	}
	p := &cache.pairs[maphash.String(cache.seed, s)%cachePairs]
	n, ok := p.get(s)
	if !ok {
		n = count(s)
		p.put(s, n)
	}
	return n
}

func (p *pair) get(s string) (tokens int, ok bool) {
	for i := range p {
		if c := &p[i]; string(c.text[:c.length]) == s {
			return int(c.tokens), true
		}
	}
	return 0, false
}

func (p *pair) put(s string, tokens int) {
	p[1] = p[0]
	p[0].length, p[0].tokens = uint8(copy(p[0].text[:], s)), uint8(tokens)
}
