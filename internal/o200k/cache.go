package o200k

import (
	"math/bits"
	"sync"
)

const (
	cacheSets      = 1 << 15
	maxCachedBytes = 14 // in bytes of text: a set of entries fills a cache line of the processor
)

// cache holds the token counts of short texts in sets of entries. The hash of the text
// selects the set, and a new text replaces the oldest entry. The cache takes two megabytes
// and has no pointers for the garbage collector to follow.
var cache struct {
	sync.Mutex
	sets []cacheSet // allocated at the first use
}

// cacheSet holds the newest entry first.
type cacheSet [4]cacheEntry

// cacheEntry is a text and its number of tokens. They are in two numbers, because these are compared
// faster than strings: the bytes of the text, then one byte for its length and one for the tokens.
// Zero is an empty entry.
type cacheEntry struct{ low, high uint64 }

const (
	lengthShift = 48 // of the bits of cacheEntry.high
	tokensShift = 56
)

// cachedCount returns count(s), from the cache if possible. The caller holds the lock, and s is not
// empty.
func cachedCount(s string, count func(string) int) int {
	if len(s) > maxCachedBytes {
		return count(s)
	}
	if cache.sets == nil {
		cache.sets = make([]cacheSet, cacheSets)
	}
	e := newCacheEntry(s)
	set := &cache.sets[e.hash()%cacheSets]
	for i := range set {
		if known := &set[i]; known.sameText(e) {
			return int(known.high >> tokensShift)
		}
	}
	n := count(s)
	e.high |= uint64(n) << tokensShift
	copy(set[1:], set[:])
	set[0] = e
	return n
}

// newCacheEntry returns the entry for a text of up to maxCachedBytes bytes without its tokens. It loads
// the first and the last bytes at once; where they overlap, they are the same.
func newCacheEntry(s string) cacheEntry {
	n := len(s)
	length := uint64(n) << lengthShift
	switch {
	case n >= 8:
		return cacheEntry{low: load8(s), high: length | load8(s[n-8:])>>(8*(16-n))}
	case n >= 4:
		return cacheEntry{low: load4(s) | load4(s[n-4:])<<(8*(n-4)), high: length}
	}
	return cacheEntry{low: uint64(s[0]) | uint64(s[n/2])<<(8*(n/2)) | uint64(s[n-1])<<(8*(n-1)), high: length}
}

func load8(s string) uint64 { return load4(s) | load4(s[4:])<<32 }

func load4(s string) uint64 {
	_ = s[3] // checks the bounds once
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
}

func (e cacheEntry) sameText(other cacheEntry) bool {
	return e.low == other.low && (e.high^other.high)<<(64-tokensShift) == 0
}

// hash multiplies the halves of the entry, which the constants keep from being zero.
func (e cacheEntry) hash() uint64 {
	high, low := bits.Mul64(e.low^0x9e3779b97f4a7c15, e.high^0xc2b2ae3d27d4eb4f)
	return high ^ low
}
