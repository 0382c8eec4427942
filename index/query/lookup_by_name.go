package query

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"

	"ploke-lsp/index/postings"
	"ploke-lsp/index/shards"
)

// declaringDoc is a document that declares a wanted name.
type declaringDoc struct {
	view *shards.View
	doc  int
	path string
	name string
	in   postings.Group // the units with the name
}

// maxDeclaringDocs is the number of files that are described at a time.
const maxDeclaringDocs = 256

// named returns up to limit symbols with one of the names, ignoring case, in the order of
// the names, then of paths and offsets. If there are owners, it considers only files that
// may declare such a member of one of them.
func (l *lookup) named(ctx context.Context, names, owners []string, limit int) ([]shards.Unit, error) {
	var units []shards.Unit
	var docs []declaringDoc
	for len(units) < limit && len(names)+len(docs) > 0 {
		for len(names) > 0 && len(docs) < min(limit, maxDeclaringDocs) {
			docs = append(docs, l.declaringDocs(names[0], owners)...)
			names = names[1:]
		}
		n := min(len(docs), maxDeclaringDocs, limit)
		found, err := l.unitsIn(ctx, docs[:n])
		if err != nil {
			return nil, err
		}
		units, docs = append(units, found...), docs[n:]
	}
	return units[:min(limit, len(units))], nil
}

// declaringDocs returns the documents that declare a name, in the order of paths.
func (l *lookup) declaringDocs(name string, owners []string) (docs []declaringDoc) {
	for _, v := range l.views {
		list := v.Find(postings.Exact(name))
		declares := mayDeclare(v, name, owners)
		for doc, in, ok := list.Next(); ok; doc, in, ok = list.Next() {
			if !v.Serves(doc) || !declares(doc) {
				continue
			}
			if path := v.Shard.Path(v.Rel(doc)); l.query.File == "" || l.query.File == path {
				docs = append(docs, declaringDoc{v, doc, path, name, in})
			}
		}
	}
	slices.SortFunc(docs, func(a, b declaringDoc) int { return cmp.Compare(a.path, b.path) })
	return docs
}

// mayDeclare returns a function that reports whether a document of a view has one of the members
// owner::name, or declares the owner. Without owners it accepts all. Documents must be
// passed in ascending order.
func mayDeclare(v *shards.View, name string, owners []string) func(doc int) bool {
	var lists []postings.List
	for _, owner := range owners {
		lists = append(lists, v.Find(postings.Exact(owner+"::"+name)), v.Find(postings.Exact(owner)))
	}
	return func(doc int) bool {
		for i := range lists {
			if _, ok := lists[i].To(doc); ok {
				return true
			}
		}
		return len(lists) == 0
	}
}

// unitsIn describes the symbols with the documents' names, in the order of documents and
// offsets. It reads a document that declares several of the names once.
func (l *lookup) unitsIn(ctx context.Context, docs []declaringDoc) (units []shards.Unit, err error) {
	unitsByDoc := make([][]shards.Unit, len(docs))
	var files []declaredIn
	place := map[document]int{} // in files
	for i, h := range docs {
		if b := h.view.Buffer; b != nil {
			unitsByDoc[i] = b.Named(h.name)
			continue
		}
		d := document{slices.Index(l.views, h.view), h.doc}
		if _, ok := place[d]; !ok {
			place[d] = len(files)
			files = append(files, declaredIn{declaringDoc: h, found: map[int]int{}, membersFrom: math.MaxInt})
		}
		f := &files[place[d]]
		f.names, f.numbers = append(f.names, []byte(h.name)), append(f.numbers, i)
		f.addPlaces(h)
	}
	selected := make([]shards.Selection, len(files))
	for i := range files {
		if selected[i], err = files[i].selection(); err != nil {
			return nil, err
		}
	}
	described, err := l.DescribeAll(ctx, selected)
	if err != nil {
		return nil, err
	}
	for i, inDoc := range described {
		for ordinal, n := range files[i].found {
			if u, ok := inDoc[ordinal]; ok {
				unitsByDoc[n] = append(unitsByDoc[n], u)
			}
		}
	}
	for _, inDoc := range unitsByDoc {
		inDoc = slices.DeleteFunc(inDoc, func(u shards.Unit) bool { return !l.matchesQuery(u) })
		slices.SortFunc(inDoc, func(a, b shards.Unit) int {
			return cmp.Or(cmp.Compare(a.StartByte, b.StartByte), cmp.Compare(a.NameStart, b.NameStart))
		})
		units = append(units, inDoc...)
	}
	return units, nil
}

// declaredIn is a document with the wanted names that it declares.
type declaredIn struct {
	declaringDoc
	names   [][]byte
	numbers []int       // of the names, the indexes in the list of declaringDocs
	found   map[int]int // the ordinals of the symbols with these names, with those indexes
	marks   nameMarks   // of the names

	ordinals    []int // of the symbols that have one of the names and a unit
	membersFrom int   // from this ordinal on, symbols that belong to their parent's unit may have one of the names
}

// addPlaces notes where the symbols with a name are.
func (f *declaredIn) addPlaces(h declaringDoc) {
	first := h.view.Doc(h.doc).FirstUnit
	for p, ok := h.in.Next(); ok; p, ok = h.in.Next() {
		ordinal := int(h.view.Unit(first + p.Unit).Ordinal)
		if p.In(postings.Name) {
			f.ordinals = append(f.ordinals, ordinal)
		}
		if p.In(postings.Body) {
			f.membersFrom = min(f.membersFrom, ordinal+1)
		}
	}
}

// selection selects the symbols with the names, ignoring case. Where the postings say that there are none, it compares
// nothing.
func (f *declaredIn) selection() (shards.Selection, error) {
	for _, name := range f.names {
		f.marks.add(name)
	}
	slices.Sort(f.ordinals)
	next, last := f.ordinals, math.MaxInt
	if f.membersFrom == math.MaxInt && len(next) > 0 {
		last = next[len(next)-1]
	}
	return f.view.SelectSymbols(f.doc, last, func(ordinal int, name []byte) bool {
		for len(next) > 0 && next[0] < ordinal {
			next = next[1:]
		}
		if ordinal < f.membersFrom && (len(next) == 0 || next[0] != ordinal) {
			return false
		}
		if !f.marks.mayHave(name) { // as nearly all members in a file with thousands
			return false
		}
		at := slices.IndexFunc(f.names, func(wanted []byte) bool { return bytes.EqualFold(name, wanted) })
		if at >= 0 {
			f.found[ordinal] = f.numbers[at]
		}
		return at >= 0
	})
}
