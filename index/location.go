package index

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"ploke-lsp/index/postings"
	"ploke-lsp/internal/syntax"
)

// spot is a unit that a query means by something else than its words and names.
type spot struct {
	view, doc int
	unit      int     // of the document; 0 is the file
	weight    float64 // of the unit
	called    float64 // of the file, 1 for being called by its name
}

// admitSpots adds the documents with spots, which are in order, to the contenders, and
// gives each its own.
func (c *corpus) admitSpots(list []contender, spots []spot) []contender {
	for len(spots) > 0 {
		view, doc := spots[0].view, spots[0].doc
		n := slices.IndexFunc(spots, func(s spot) bool { return s.view != view || s.doc != doc })
		if n < 0 {
			n = len(spots)
		}
		at, ok := slices.BinarySearchFunc(list, spots[0], func(d contender, s spot) int {
			return cmp.Or(cmp.Compare(d.view, s.view), cmp.Compare(d.doc, s.doc))
		})
		if !ok {
			list = slices.Insert(list, at, contender{view: view, doc: doc, DocInfo: c.views[view].Doc(doc)})
		}
		list[at].spots, spots = spots[:n], spots[n:]
	}
	return list
}

// clue is a spot of which the unit is not known yet.
type clue struct {
	spot
	inside func(syntax.Symbol) bool // of a symbol; nil: the file itself is meant
}

const (
	// pathWeight is of being called by a path of several names, beside being called by a name.
	pathWeight = 2.0
	// folderWeight is of being in a folder that is named, beside being called by its name.
	folderWeight = 0.5
)

// locator finds out what a query means on the views.
type locator struct {
	*sources
	ctx     context.Context
	corpus  *corpus
	scratch *scratch
}

// located is what a locator finds.
type located struct {
	spots []spot // in the order of views, documents and units
	prior *prior // of files; nil: none is more likely than another
}

// locate finds what a question means, and where the person is who asks it.
func (l *locator) locate(q question, e Editor) (at located, err error) {
	var clues []clue
	if l.corpus.weights.place > 0 {
		clues = l.paths(q.paths)
	}
	if l.corpus.weights.phrase > 0 {
		for _, p := range q.phrases {
			found, err := l.phrase(p)
			if err != nil {
				return at, err
			}
			clues = append(clues, found...)
		}
	}
	if at.spots, err = l.units(clues); err != nil {
		return at, err
	}
	if l.corpus.weights.editor > 0 && !e.empty() {
		var cursor *spot
		if at.prior, cursor, err = l.editor(e, q.here); cursor != nil {
			at.spots = append(at.spots, *cursor)
		}
	}
	slices.SortFunc(at.spots, func(a, b spot) int {
		return cmp.Or(cmp.Compare(a.view, b.view), cmp.Compare(a.doc, b.doc), cmp.Compare(a.unit, b.unit))
	})
	return at, err
}

// paths are the files that a query names, the n-th line of a stack for an n-th. What many
// files may be says little of each.
func (l *locator) paths(all []pathMention) (clues []clue) {
	frames := 0
	for _, p := range all {
		found := l.files(p)
		if len(found) == 0 {
			continue
		}
		share := 1 / float64(len(found))
		weight := 0.0
		if p.line > 0 {
			frames++
			weight = l.corpus.weights.place / float64(frames) * share
		}
		for _, s := range found {
			s.weight, s.called = weight, share*p.told()
			c := clue{spot: s}
			if p.line > 0 {
				c.inside = func(s syntax.Symbol) bool { return s.StartLine <= p.line && p.line <= s.EndLine }
			}
			clues = append(clues, c)
		}
	}
	return clues
}

// told is how well it calls a file by its name: a path more than a name, and that more
// than one without an ending.
func (p pathMention) told() float64 {
	switch {
	case strings.Contains(p.path, "/"):
		return pathWeight
	case p.file:
		return 1
	}
	return stemWeight
}

// files are those that a mention may mean.
func (l *locator) files(p pathMention) []spot {
	for _, p := range p.alternatives() {
		if found := l.fitting(p); len(found) > 0 {
			return found
		}
	}
	return nil
}

// fitting finds files by the rarest of the words in their name.
func (l *locator) fitting(p pathMention) (found []spot) {
	var rarest string
	least := 0
	base := path.Base(p.path)
	postings.Words([]byte(base), func(_ int, word []byte) {
		for _, term := range postings.Terms(string(word)) {
			n := 0
			for _, v := range l.corpus.views {
				n += v.Find(term).Docs
			}
			if rarest == "" || n < least {
				rarest, least = term, n
			}
		}
	})
	if rarest == "" {
		return nil
	}
	for i, v := range l.corpus.views {
		root := strings.ToLower(path.Base(v.shard.root))
		list := v.Find(rarest)
		l.scratch.list = list.Summaries(l.scratch.list[:0])
		for _, d := range l.scratch.list {
			if doc := int(d.Doc); d.InPath() == 1 && v.serves(doc) && p.fits(root+"/"+strings.ToLower(v.Rel(doc))) {
				found = append(found, spot{view: i, doc: doc})
			}
		}
	}
	return found
}

// within says how well the query names a folder that a file is in.
func (q *question) within(v *view, rel string) float64 {
	for _, p := range q.paths {
		if !p.file && p.around(strings.ToLower(path.Base(v.shard.root)+"/"+rel)) {
			return folderWeight
		}
	}
	return 0
}

// phrase finds where a phrase is, in the files that have the most of its words.
func (l *locator) phrase(p phrase) ([]clue, error) {
	s := newSieve(l.corpus, l.scratch)
	s.addTerms(p.terms())
	best := 0
	var clues []clue
	for _, f := range s.best(phraseFiles) {
		v := l.corpus.views[f.view]
		if !v.serves(int(f.doc)) {
			continue
		}
		text, err := l.textOf(v, int(f.doc))
		if err != nil {
			return nil, err
		}
		pairs, at := p.in(text)
		if pairs > best {
			best, clues = pairs, nil
		}
		if pairs == best {
			clues = append(clues, clue{spot{view: int(f.view), doc: int(f.doc)},
				func(s syntax.Symbol) bool { return s.Start <= at && at < s.End }})
		}
	}
	worth := p.worth(best)
	if worth == 0 {
		return nil, nil
	}
	for i := range clues {
		clues[i].weight = l.corpus.weights.phrase * worth * min(1, sharedPhrases/float64(len(clues)))
	}
	return clues, nil
}

// textOf is the text of a document, nil where it can't be read any more.
func (l *locator) textOf(v *view, doc int) ([]byte, error) {
	if v.buffer != nil {
		return v.buffer.source.text, nil
	}
	text, err := l.x.ws.Open(l.ctx, v.shard.path(v.Rel(doc)))
	if err != nil {
		return nil, l.ctx.Err()
	}
	defer text.Close()
	part, err := text.Part(0, text.Len())
	if err != nil {
		return nil, l.ctx.Err()
	}
	return part, nil
}

// units finds the units of clues.
func (l *locator) units(clues []clue) ([]spot, error) {
	symbols, err := l.symbolsOf(clues)
	if err != nil {
		return nil, err
	}
	spots := make([]spot, len(clues))
	for i, c := range clues {
		spots[i] = c.spot
		if c.inside != nil {
			v := l.corpus.views[c.view]
			spots[i].unit = v.unitOf(c.doc, symbols[document{c.view, c.doc}], c.inside)
		}
	}
	return spots, nil
}

// document names one of a corpus.
type document struct{ view, doc int }

// symbolsOf reads what the files of clues declare, unless they are meant as a whole.
func (l *locator) symbolsOf(clues []clue) (map[document][]syntax.Symbol, error) {
	of := map[document][]syntax.Symbol{}
	ids := map[*shard]map[int64]document{}
	for _, c := range clues {
		v := l.corpus.views[c.view]
		switch {
		case c.inside == nil:
		case v.buffer != nil:
			of[document{c.view, c.doc}] = v.buffer.source.parsed.Symbols
		default:
			if ids[v.shard] == nil {
				ids[v.shard] = map[int64]document{}
			}
			ids[v.shard][v.Doc(c.doc).ID] = document{c.view, c.doc}
		}
	}
	for s, documents := range ids {
		list := make([]int64, 0, len(documents))
		for id := range documents {
			list = append(list, id)
		}
		err := s.eachDeclared(l.ctx, list, func(row fileRow, symbols []byte) error {
			of[documents[row.id]], _ = decodeSymbols(symbols)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return of, nil
}

// unitOf is the innermost unit of a document that holds a place, 0 for the file itself. The
// file's own unit comes first, the others are in the order of symbols.
func (v *view) unitOf(doc int, symbols []syntax.Symbol, inside func(syntax.Symbol) bool) int {
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
