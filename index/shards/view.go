package shards

import (
	"cmp"
	"context"
	"slices"

	"ploke-lsp/index/history"
	"ploke-lsp/index/postings"
	"ploke-lsp/index/records"
	"ploke-lsp/internal/syntax"
)

// View is a segment as a search sees it: a segment of a shard, or of an unsaved text.
type View struct {
	*postings.Segment
	Shard   *Shard
	Log     *history.Log // the shard's
	Buffer  *Buffer      // the unsaved text; nil for a segment on disk
	AllLive bool         // all documents are live
	live    []bool
	hidden  map[string]bool // relative paths of files with an unsaved text
}

// Census counts the live documents, their units, and all of their terms.
func (v *View) Census() (docs, units, length int) {
	if v.AllLive {
		return v.Docs(), v.Units(), int(v.Length())
	}
	for doc, alive := range v.live {
		if alive {
			info := v.Doc(doc)
			docs++
			units += info.EndUnit - info.FirstUnit
			length += info.Length
		}
	}
	return docs, units, length
}

// IsLive reports whether a document is the newest of its file.
func (v *View) IsLive(doc int) bool { return v.AllLive || v.live[doc] }

// Serves reports whether the workspace serves the text of a document.
func (v *View) Serves(doc int) bool {
	return v.IsLive(doc) && (len(v.hidden) == 0 || !v.hidden[v.Rel(doc)])
}

// ServedWith returns how many documents with a term the workspace serves, but not more than limit.
func (v *View) ServedWith(term postings.Key, limit int) (docs int) {
	list := v.FindKey(term)
	if v.AllLive && len(v.hidden) == 0 {
		return min(list.Docs, limit)
	}
	for docs < limit {
		doc, _, ok := list.Next()
		if !ok {
			break
		}
		if v.Serves(doc) {
			docs++
		}
	}
	return docs
}

// CountLive counts the documents of a list that are live.
func (v *View) CountLive(list []postings.Summary) (n int) {
	if v.AllLive {
		return len(list)
	}
	for _, d := range list {
		if v.live[d.Doc] {
			n++
		}
	}
	return n
}

// UnitOf returns the innermost unit of a document whose symbol inside accepts, 0 for the
// file itself. The file's own unit comes first; the others are in the order of the
// symbols.
func (v *View) UnitOf(doc int, symbols []syntax.Symbol, inside func(syntax.Symbol) bool) int {
	innermost := -1
	for i, s := range symbols {
		if inside(s) && (innermost < 0 || s.Start >= symbols[innermost].Start) {
			innermost = i
		}
	}
	info := v.Doc(doc)
	for ; innermost >= 0; innermost = symbols[innermost].Parent {
		for unit := info.FirstUnit + 1; unit < info.EndUnit; unit++ {
			if int(v.Unit(unit).Ordinal) == innermost {
				return unit - info.FirstUnit
			}
		}
	}
	return 0
}

// views returns the current segments of shards, including those of unsaved texts. They are
// usable until release.
func (c *catalog) views(shards []*Shard) (views []*View, release func()) {
	overlay := c.unsavedBuffers()
	var releases []func()
	for _, s := range shards {
		snap := s.acquire()
		releases = append(releases, func() { s.release(snap) })
		hidden := map[string]bool{}
		for _, b := range overlay {
			if b.shard == s {
				hidden[b.Rel] = true
				views = append(views, &View{Segment: b.posts, Shard: s, Log: snap.commits.log, Buffer: b, AllLive: true})
			}
		}
		for _, p := range snap.parts {
			views = append(views,
				&View{Segment: p.Segment, Shard: s, Log: snap.commits.log, AllLive: p.liveDocs == len(p.live), live: p.live,
					hidden: hidden})
		}
	}
	return views, func() {
		for _, release := range releases {
			release()
		}
	}
}

// OnViews runs fn on the views of the newest generation that any process has committed. It
// repeats if fn fails because a root was removed meanwhile.
func (c *catalog) onViews(ctx context.Context, fn func([]*View) error) error {
	const attempts = 3
	for attempt := 1; ; attempt++ {
		shards := c.all()
		err := c.onNewestViews(ctx, shards, fn)
		if err == nil || attempt == attempts || !c.closedAny(shards) {
			return err
		}
	}
}

func (c *catalog) onNewestViews(ctx context.Context, shards []*Shard, fn func([]*View) error) error {
	for _, s := range shards {
		if err := s.catchUp(ctx); err != nil {
			return err
		}
	}
	views, release := c.views(shards)
	defer release()
	return noteDamagedViews(views, postings.Read(func() error { return fn(views) }))
}

// closedAny reports whether one of the shards was removed from the index, or replaced.
func (c *catalog) closedAny(shards []*Shard) bool {
	current := c.all()
	return slices.ContainsFunc(shards, func(s *Shard) bool { return !slices.Contains(current, s) })
}

// ReferencesOf returns the imports and references of a document.
func (v *View) ReferencesOf(doc int) *records.References {
	refs, ok := records.DecodeReferences(v.References(doc))
	if !ok {
		panic(v.Damage())
	}
	return refs
}

// Having returns the documents that have all of the terms, in ascending order. Without
// terms it returns all documents.
func (v *View) Having(terms []string) (docs []int) {
	if len(terms) == 0 {
		for doc := range v.Docs() {
			docs = append(docs, doc)
		}
		return docs
	}
	lists := make([]postings.List, len(terms))
	for i, term := range terms {
		lists[i] = v.Find(term)
	}
	slices.SortFunc(lists, func(a, b postings.List) int { return cmp.Compare(a.Docs, b.Docs) })
next:
	for doc, _, ok := lists[0].Next(); ok; doc, _, ok = lists[0].Next() {
		for i := range lists[1:] {
			if _, ok := lists[1+i].To(doc); !ok {
				continue next
			}
		}
		docs = append(docs, doc)
	}
	return docs
}
