package index

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode"

	"ploke-lsp/index/postings"
)

// nearName is a name with how far it is from the one that is wanted.
type rankedName struct {
	name     string
	distance float64
}

func compareNames(a, b rankedName) int {
	return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
}

const (
	// Of a byte that is left over where the name begins with the pattern, or its humps,
	// and where it has it elsewhere.
	prefixCost    = 0.2
	containedCost = 0.45
	// bytesPerEdit is how many bytes a name has for each edit that it is away by, at
	// least.
	bytesPerEdit = 3
	minContained = 3 // bytes; shorter ones are in every name
)

// namesLike are the declared names, limit at most, that come closest to wanted, closest
// first; all in lower case.
func namesLike(views []*view, wanted string, limit int) []string {
	p := newPattern(wanted)
	if p == nil {
		return nil
	}
	var near []rankedName // in order, the best so far
	r := p.sketchFilter(containedCost)
	for _, v := range views {
		names := v.Names()
		for i := range names.Len() {
			contains, edited := r.mayMatch(names.Sketch(i))
			if !contains && !edited {
				continue
			}
			name := names.Name(i)
			if distance := p.distance(name, contains, edited); distance <= r.bound {
				near = insert(near, rankedName{string(name), distance}, limit)
			}
			if len(near) == limit && near[limit-1].distance < r.bound {
				r = p.sketchFilter(near[limit-1].distance)
			}
		}
	}
	list := make([]string, len(near))
	for i, n := range near {
		list[i] = n.name
	}
	return list
}

// insert adds a name at its place, and drops the last where there are more than limit.
func insert(near []rankedName, n rankedName, limit int) []rankedName {
	at, known := slices.BinarySearchFunc(near, n, compareNames)
	if known {
		return near
	}
	near = slices.Insert(near, at, n)
	return near[:min(len(near), limit)]
}

// pattern is a name that is wanted, prepared to be compared with many.
type pattern struct {
	text    []byte // in lower case
	humps   [][]byte
	letters uint64
	places  [256]uint64 // of each byte: a bit for each place where text has it
}

// maxPattern is the length of the longest pattern in bytes; names aren't longer.
const maxPattern = 64

// newPattern is nil for a name that nothing comes close to.
func newPattern(wanted string) *pattern {
	p := &pattern{text: []byte(strings.ToLower(wanted)), humps: humps(wanted)}
	if len(p.text) == 0 || len(p.text) > maxPattern {
		return nil
	}
	p.letters = postings.NewSketch(string(p.text)).Letters()
	for i, c := range p.text {
		p.places[c] |= 1 << i
	}
	return p
}

// humps are the parts of an identifier as its underscores and capitals cut it, in
// lower case: lis, and, ser of LisAndSer.
func humps(name string) (list [][]byte) {
	start := 0
	for i, r := range name + "_" {
		if r != '_' && !unicode.IsUpper(r) {
			continue
		}
		if part := strings.Trim(name[start:i], "_"); part != "" {
			list = append(list, []byte(strings.ToLower(part)))
		}
		start = i
	}
	return list
}

// nearby tells by their sketches the names that may be no farther from a pattern than
// bound: each letter that only one of the two has costs an edit, unless the pattern may
// be in the name.
type sketchFilter struct {
	bound   float64
	letters uint64
	edits   [maxPattern + 1]int  // by a name's length: how many are not too many; -1: any
	contain [maxPattern + 1]bool // by a name's length: having the pattern is enough
}

func (p *pattern) sketchFilter(bound float64) *sketchFilter {
	r := &sketchFilter{bound: bound, letters: p.letters}
	for n := range r.edits {
		longer, length := n-len(p.text), max(n, len(p.text))
		r.edits[n] = min(length/bytesPerEdit, int(bound*float64(length)))
		if max(longer, -longer) > r.edits[n] {
			r.edits[n] = -1
		}
		r.contain[n] = longer >= 0 && prefixCost*float64(longer) <= bound*float64(length)
	}
	return r
}

// may says whether the pattern, or its humps, may be in a name near enough, and whether the
// name may be few enough edits away.
func (r *sketchFilter) mayMatch(name postings.Sketch) (contains, edited bool) {
	length := min(name.Len(), maxPattern)
	missing := bits.OnesCount64(r.letters &^ name.Letters())
	edited = missing <= r.edits[length] && bits.OnesCount64(name.Letters()&^r.letters) <= r.edits[length]
	return missing == 0 && (edited || r.contain[length]), edited
}

// distance is 0 for equal names and 1 for those that have little in common. Where the
// pattern is in the name, or its humps are, in their order, it is what is left over that
// counts, else the edits. Only what may hold of the name is looked at.
func (p *pattern) distance(name []byte, contains, edited bool) float64 {
	length := max(len(name), len(p.text))
	left := float64(len(name)-len(p.text)) / float64(length)
	switch {
	case !contains:
	case bytes.HasPrefix(name, p.text) || p.humped(name):
		return prefixCost * left
	case len(p.text) >= minContained && bytes.Contains(name, p.text):
		return containedCost * left
	}
	if maxEdits := length / bytesPerEdit; edited {
		if edits := p.edits(name, maxEdits); edits <= maxEdits {
			return float64(edits) / float64(length)
		}
	}
	return 1
}

// humped says whether a name begins with the first hump and has the others, two or
// more in all, one after the other behind it.
func (p *pattern) humped(name []byte) bool {
	if len(p.humps) < 2 || !bytes.HasPrefix(name, p.humps[0]) {
		return false
	}
	for _, h := range p.humps {
		at := bytes.Index(name, h)
		if at < 0 {
			return false
		}
		name = name[at+len(h):]
	}
	return true
}

// edits is the number of bytes to insert, delete or replace to make a name of the
// pattern, or more than most where that is more. It goes through the name with a whole column of the table in two words:
// Myers, A fast bit-vector algorithm for approximate string matching (1999), in the
// form of Hyyrö (2003).
func (p *pattern) edits(name []byte, upperBound int) int {
	last := uint64(1) << (len(p.text) - 1)
	plus, minus := ^uint64(0), uint64(0) // where a cell is one more, or less, than the one above it
	n := len(p.text)
	for i, c := range name {
		if n > upperBound+len(name)-i { // each of the bytes that are left takes away one at most
			return n
		}
		equal := p.places[c]
		zero := ((equal&plus + plus) ^ plus) | equal | minus
		right, left := minus|^(zero|plus), plus&zero
		if right&last != 0 {
			n++
		}
		if left&last != 0 {
			n--
		}
		right = right<<1 | 1
		plus, minus = left<<1|^(zero|right), right&zero
	}
	return n
}
