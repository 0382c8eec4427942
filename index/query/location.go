package query

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"ploke-lsp/index/postings"
	"ploke-lsp/index/shards"
	"ploke-lsp/internal/syntax"
)

// location is a unit that a query identifies by a path, a line, a quoted text, or the
// cursor.
type location struct {
	view, doc int
	unit      int     // in the document; 0 is the file
	weight    float64 // of the unit
	nameMatch float64 // of the file; 1 for its name
}

// admitLocations adds the documents of the locations, which are sorted, to the candidates,
// and gives each document its locations.
func (c *corpus) admitLocations(list []candidate, locations []location) []candidate {
	for len(locations) > 0 {
		view, doc := locations[0].view, locations[0].doc
		n := slices.IndexFunc(locations, func(s location) bool { return s.view != view || s.doc != doc })
		if n < 0 {
			n = len(locations)
		}
		at, ok := slices.BinarySearchFunc(list, locations[0], func(c1 candidate, s location) int {
			return cmp.Or(cmp.Compare(c1.view, s.view), cmp.Compare(c1.doc, s.doc))
		})
		if !ok {
			list = slices.Insert(list, at, candidate{view: view, doc: doc, DocInfo: c.views[view].Doc(doc)})
		}
		list[at].locations, locations = locations[:n], locations[n:]
	}
	return list
}

// unresolvedLocation is a location in a file whose unit is not known yet.
type unresolvedLocation struct {
	location
	inside func(syntax.Symbol) bool // reports whether a symbol contains the location; nil: the file itself is meant
}

const (
	// pathWeight is the weight of a path of several names, relative to that of a name.
	pathWeight = 2.0
	// folderWeight is the weight of a named folder, relative to that of a name.
	folderWeight = 0.5
)

// locator finds the locations that a query identifies.
type locator struct {
	*shards.CurrentTexts
	ctx     context.Context
	corpus  *corpus
	scratch *scratch
}

// queryLocations are the results of a locator.
type queryLocations struct {
	locations []location   // in the order of views, documents and units
	prior     *editorPrior // of files; nil: all files are equally likely
	named     bool         // the query names a place: in its first line, by a line of a file, or as the cursor's
}

// locate returns the locations that a query identifies, and the prior by the editor's
// state.
func (l *locator) locate(q parsedQuery, e Editor) (found queryLocations, err error) {
	var unresolved []unresolvedLocation
	if l.corpus.weights.place > 0 {
		unresolved, found.named = l.pathLocations(q)
	}
	if l.corpus.weights.phrase > 0 {
		for _, p := range q.phrases {
			quoted, err := l.phraseLocations(p)
			if err != nil {
				return found, err
			}
			unresolved = append(unresolved, quoted...)
		}
	}
	if found.locations, err = l.resolveUnits(unresolved); err != nil {
		return found, err
	}
	if l.corpus.weights.editor > 0 && !e.empty() {
		var cursor *location
		meant := refersToCursor(q.text)
		if found.prior, cursor, err = l.editorPrior(e, meant); cursor != nil {
			found.locations, found.named = append(found.locations, *cursor), found.named || meant
		}
	}
	slices.SortFunc(found.locations, func(a, b location) int {
		return cmp.Or(cmp.Compare(a.view, b.view), cmp.Compare(a.doc, b.doc), cmp.Compare(a.unit, b.unit))
	})
	return found, err
}

// pathLocations returns the files that a query names. The n-th line of a stack trace
// weighs an n-th, as a place or, in an installed copy, whose lines may be others, as a name. If a path matches several
// files, they share its weight. named reports whether one is in the first line, or with a line.
func (l *locator) pathLocations(q parsedQuery) (found []unresolvedLocation, named bool) {
	frames := 0
	line, _, _ := strings.Cut(strings.ToLower(q.text), "\n")
	for _, p := range q.paths {
		files := l.fileLocations(p)
		if len(files) == 0 {
			continue
		}
		share := 1 / float64(len(files))
		weight, depth := 0.0, 1.0
		named = named || p.line > 0 || strings.Contains(line, p.path)
		copied := p.foreign > 0 && l.corpus.weights.reports > 0
		if p.line > 0 {
			frames++
			if depth = float64(frames); !copied {
				weight, depth = l.corpus.weights.place/depth*share, 1
			}
		}
		for _, file := range files {
			file.weight, file.nameMatch = weight, share*p.matchWeight()/depth
			c := unresolvedLocation{location: file}
			if p.line > 0 && !copied {
				c.inside = func(s syntax.Symbol) bool { return s.StartLine <= p.line && p.line <= s.EndLine }
			}
			found = append(found, c)
		}
	}
	return found, named
}

// matchWeight returns how well a mention identifies a file: a path is better than a name,
// and a name is better than one without an extension.
func (p pathMention) matchWeight() float64 {
	switch {
	case strings.Contains(p.path, "/"):
		return pathWeight
	case p.file:
		return 1
	}
	return moduleWeight
}

// fileLocations returns the files that a mention may mean.
func (l *locator) fileLocations(p pathMention) []location {
	for _, p := range p.alternatives() {
		if found := l.filesByPath(p); len(found) > 0 {
			return found
		}
	}
	return nil
}

// filesByPath finds files by the rarest word of their name.
func (l *locator) filesByPath(p pathMention) (found []location) {
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
		root := strings.ToLower(path.Base(v.Shard.Root))
		list := v.Find(rarest)
		l.scratch.list = list.Summaries(l.scratch.list[:0])
		for _, d := range l.scratch.list {
			if doc := int(d.Doc); d.InPath() == 1 && v.Serves(doc) && p.matchesFile(root+"/"+strings.ToLower(v.Rel(doc))) {
				found = append(found, location{view: i, doc: doc})
			}
		}
	}
	return found
}

// folderMatch returns how well the query names a folder that contains a file.
func (q *parsedQuery) folderMatch(v *shards.View, rel string) float64 {
	for _, p := range q.paths {
		if !p.file && p.matchesFolderOf(strings.ToLower(path.Base(v.Shard.Root)+"/"+rel)) {
			return folderWeight
		}
	}
	return 0
}

// phraseLocations finds a phrase in the files that have the most of its words.
func (l *locator) phraseLocations(p quotedPhrase) ([]unresolvedLocation, error) {
	s := newDocScorer(l.corpus, l.scratch)
	s.addTerms(p.terms())
	best := 0
	var found []unresolvedLocation
	for _, f := range s.top(phraseFiles) {
		v := l.corpus.views[f.view]
		if !v.Serves(int(f.doc)) {
			continue
		}
		text, err := l.textOf(v, int(f.doc))
		if err != nil {
			return nil, err
		}
		pairs, at := p.find(text)
		if pairs > best {
			best, found = pairs, nil
		}
		if pairs == best {
			found = append(found, unresolvedLocation{location{view: int(f.view), doc: int(f.doc)},
				func(s syntax.Symbol) bool { return s.Start <= at && at < s.End }})
		}
	}
	confidence := p.confidence(best)
	if confidence == 0 {
		return nil, nil
	}
	for i := range found {
		found[i].weight = l.corpus.weights.phrase * p.weight * confidence * min(1, sharedPhrases/float64(len(found)))
	}
	return found, nil
}

// textOf returns the text of a document, nil if it can't be read any more.
func (l *locator) textOf(v *shards.View, doc int) ([]byte, error) {
	if v.Buffer != nil {
		return v.Buffer.Source.Text, nil
	}
	row, _, err := shards.FileOf(v.Segment, doc)
	if err != nil {
		return nil, v.Shard.NoteDamage(err)
	}
	text, err := v.Shard.OpenText(l.ctx, l.Workspace(), &row)
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

// resolveUnits determines the units of locations.
func (l *locator) resolveUnits(unresolved []unresolvedLocation) ([]location, error) {
	symbols, err := l.symbolsOf(unresolved)
	if err != nil {
		return nil, err
	}
	locations := make([]location, len(unresolved))
	for i, c := range unresolved {
		locations[i] = c.location
		if c.inside != nil {
			v := l.corpus.views[c.view]
			locations[i].unit = v.UnitOf(c.doc, symbols[document{c.view, c.doc}], c.inside)
		}
	}
	return locations, nil
}

// symbolsOf reads the symbols of the files of locations, except where the whole file is
// meant.
func (l *locator) symbolsOf(unresolved []unresolvedLocation) (map[document][]syntax.Symbol, error) {
	of := map[document][]syntax.Symbol{}
	for _, c := range unresolved {
		v, key := l.corpus.views[c.view], document{c.view, c.doc}
		if _, known := of[key]; known || c.inside == nil {
			continue
		}
		if v.Buffer != nil {
			of[key] = v.Buffer.Source.Parsed.Symbols
			continue
		}
		found, err := v.Content(c.doc)
		if err != nil {
			return nil, err
		}
		of[key] = found.Symbols
	}
	return of, nil
}
