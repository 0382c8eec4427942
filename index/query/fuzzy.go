package query

import (
	"bytes"
	"cmp"
	"strings"
	"unicode"

	"ploke-lsp/index/shards"
)

// rankedName is a name with its distance from the wanted name.
type rankedName struct {
	name     string
	distance float64
}

func compareNames(a, b rankedName) int {
	return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
}

const (
	// The cost of each extra byte of a name: if the name begins with the pattern or
	// matches its humps, and if it contains the pattern elsewhere.
	prefixCost    = 0.2
	containedCost = 0.45
	// bytesPerEdit is the minimum number of bytes of a name for each edit.
	bytesPerEdit = 3
	minContained = 3 // bytes; every name contains shorter patterns
)

// namesLike returns up to limit declared names that are closest to wanted, the closest
// first, in lower case.
func namesLike(views []*shards.View, wanted string, limit int) []string {
	f := newNearFinder(wanted, limit, containedCost)
	if f == nil {
		return nil
	}
	for _, v := range views {
		names := v.Names()
		f.consider(names, 0, names.Len())
	}
	list := make([]string, len(f.near))
	for i, n := range f.near {
		list[i] = n.name
	}
	return list
}

// namePattern is the wanted name, prepared for many comparisons.
type namePattern struct {
	text   []byte // in lower case
	humps  [][]byte
	places [256]uint64 // of each byte: the set of its positions in text
}

// maxPattern is the maximum length of a pattern in bytes. No name is longer.
const maxPattern = 64

// newPattern returns nil for a name that no other name is close to.
func newPattern(wanted string) *namePattern {
	p := &namePattern{text: []byte(strings.ToLower(wanted)), humps: humps(wanted)}
	if len(p.text) == 0 || len(p.text) > maxPattern {
		return nil
	}
	for i, c := range p.text {
		p.places[c] |= 1 << i
	}
	return p
}

// humps splits an identifier at its underscores and capitals, in lower case: LisAndSer has
// the humps lis, and, ser.
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

// distance returns 0 for equal names, up to 1 for names with little in common. If the name
// contains the pattern, or the humps in order, the extra bytes count, otherwise the edits.
// It checks only the kinds of match that the arguments allow.
func (p *namePattern) distance(name []byte, contains, edited bool) float64 {
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

// humped reports whether a name begins with the first hump and contains the others after
// it, in order. The pattern must have at least two humps.
func (p *namePattern) humped(name []byte) bool {
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

// edits returns the Levenshtein distance in bytes between the pattern and a name, or more
// than upperBound if the distance exceeds that. It processes a whole column of the table
// in two words: Myers, "A fast bit-vector algorithm for approximate string matching based
// on dynamic programming" (1999), in the form of Hyyrö (2003).
func (p *namePattern) edits(name []byte, upperBound int) int {
	last := uint64(1) << (len(p.text) - 1)
	plus, minus := ^uint64(0), uint64(0) // where a cell is one more, or less, than the cell above it
	n := len(p.text)
	for i, c := range name {
		if n > upperBound+len(name)-i { // each remaining byte reduces the distance by at most one
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
