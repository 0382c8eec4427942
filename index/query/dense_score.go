package query

import (
	"cmp"
	"slices"
	"sort"

	"ploke-lsp/index/shards"
)

// nearUnit is a unit whose vector is near the query's.
type nearUnit struct {
	view, doc int
	unit      int // counted from the document's first
	score     float64
}

// nearUnits returns the units that the vector scores belong to, in the order of views and
// documents. A unit with several passages has the score of the nearest.
func (c *corpus) nearUnits(n shards.VectorScores) (all []nearUnit) {
	if len(n) == 0 || c.weights.dense == 0 {
		return nil
	}
	for i, v := range c.views {
		if v.Buffer != nil {
			for _, p := range v.Buffer.Passages() {
				if score, ok := n[v.Shard][p.Key]; ok {
					all = appendNear(all, v, i, 0, p.Ordinal, score)
				}
			}
			continue
		}
		all = c.appendStored(all, n, i)
	}
	slices.SortFunc(all, func(a, b nearUnit) int {
		return cmp.Or(cmp.Compare(a.view, b.view), cmp.Compare(a.doc, b.doc), cmp.Compare(a.unit, b.unit),
			cmp.Compare(b.score, a.score))
	})
	return slices.CompactFunc(all,
		func(a, b nearUnit) bool { return a.view == b.view && a.doc == b.doc && a.unit == b.unit })
}

// appendStored appends the near units of a view on disk.
func (c *corpus) appendStored(all []nearUnit, n shards.VectorScores, view int) []nearUnit {
	v := c.views[view]
	v.Shard.EachLocation(n[v.Shard], func(file int64, ordinal int, score float64) {
		if doc, ok := v.DocOf(file); ok && v.Serves(doc) {
			all = appendNear(all, v, view, doc, ordinal, score)
		}
	})
	return all
}

// appendNear appends the unit of a document with that ordinal, if there is one.
func appendNear(all []nearUnit, v *shards.View, view, doc, ordinal int, score float64) []nearUnit {
	if doc >= v.Docs() {
		return all
	}
	info := v.Doc(doc)
	count := info.EndUnit - info.FirstUnit
	unit := sort.Search(count, func(i int) bool { return int(v.Unit(info.FirstUnit+i).Ordinal) >= ordinal })
	if unit == count || int(v.Unit(info.FirstUnit+unit).Ordinal) != ordinal {
		return all
	}
	return append(all, nearUnit{view, doc, unit, score})
}

// admitNear adds documents with near units to the candidates, and sets the dense score of
// each candidate.
func (c *corpus) admitNear(list []candidate, all []nearUnit) []candidate {
	compare := func(d candidate, n nearUnit) int {
		return cmp.Or(cmp.Compare(d.view, n.view), cmp.Compare(d.doc, n.doc))
	}
	for len(all) > 0 {
		first, units := all[0], unitsOfFirst(all)
		at, ok := slices.BinarySearchFunc(list, first, compare)
		if !ok {
			list = slices.Insert(list, at,
				candidate{view: first.view, doc: first.doc, DocInfo: c.views[first.view].Doc(first.doc)})
		}
		for _, n := range units {
			list[at].dense = max(list[at].dense, n.score)
		}
		list[at].nearUnits = units
		all = all[len(units):]
	}
	return list
}

// unitsOfFirst returns the units at the beginning that are in the same document.
func unitsOfFirst(all []nearUnit) []nearUnit {
	end := 1
	for end < len(all) && all[end].view == all[0].view && all[end].doc == all[0].doc {
		end++
	}
	return all[:end]
}
