package query

import (
	"slices"

	"ploke-lsp/index/postings"
)

// nearFinder collects the names that are closest to a pattern.
type nearFinder struct {
	*namePattern
	limit  int
	margin float64                // by how much a name may be farther than the closest
	accept func(name []byte) bool // nil: all names
	near   []rankedName           // the closest so far, in order
	bound  float64                // a name that is farther is not among the closest
	filter postings.NearFilter
}

// newNearFinder returns a finder of up to limit names within a distance. It returns nil for a name that no other name
// is close to.
func newNearFinder(wanted string, limit int, most float64) *nearFinder {
	p := newPattern(wanted)
	if p == nil {
		return nil
	}
	text := string(p.text)
	f := &nearFinder{namePattern: p, limit: limit, margin: 1,
		filter: postings.NearFilter{Letters: postings.NewSketch(text).Letters(), Pairs: postings.NewPairs(text)}}
	f.restrict(most)
	return f
}

// consider considers some names of a segment: from one index up to, but not including, another.
func (f *nearFinder) consider(names postings.Names, from, end int) {
	for i := from; ; i++ {
		var contains, edited bool
		if i, contains, edited = names.NextNear(&f.filter, i, end); i == end {
			return
		}
		name := names.Name(i)
		f.add(name, f.distance(name, contains, edited))
	}
}

// complete considers the names of a segment that begin with a word. The shortest are the closest.
func (f *nearFinder) complete(word string, names postings.Names) {
	from, end := names.WithPrefix(word)
	for i := from; i < min(end, from+maxCompleted); i++ {
		name := names.Name(i)
		f.add(name, completedDistance*float64(len(name)-len(word))/float64(len(name)))
	}
}

// add adds a name, unless it is too far away, or was added with a distance that is not larger.
func (f *nearFinder) add(name []byte, distance float64) {
	known := func(n rankedName) bool { return n.name == string(name) && n.distance <= distance }
	if distance > f.bound || slices.ContainsFunc(f.near, known) || f.accept != nil && !f.accept(name) {
		return
	}
	f.near = insertTop(f.near, rankedName{string(name), distance}, f.limit, compareNames)
	bound := f.near[0].distance + f.margin
	if len(f.near) == f.limit {
		bound = min(bound, f.near[f.limit-1].distance)
	}
	if bound < f.bound {
		f.restrict(bound)
	}
}

// restrict lets the filter refuse the names that are farther from the pattern than bound.
func (f *nearFinder) restrict(bound float64) {
	f.bound = bound
	least := 0 // bytes of a name that has the humps, without what separates them in the pattern
	for _, h := range f.humps {
		least += len(h)
	}
	for n := range f.filter.MostEdits {
		longer, length := n-len(f.text), max(n, len(f.text))
		within := bound*float64(length) + roundingMargin
		most := min(length/bytesPerEdit, int(within))
		if max(longer, -longer) > most {
			most = -1
		}
		f.filter.MostEdits[n] = most
		f.filter.MayContain[n] = n >= least && prefixCost*float64(longer) <= within
	}
}
