package query

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"ploke-lsp/index/postings"
	"ploke-lsp/index/shards"
	"ploke-lsp/internal/syntax"
)

const (
	// sampledFiles bounds the files whose symbols are looked at.
	sampledFiles = 256
	// maxNotableDeclaring is the number of files that may declare a name. A header declares what
	// another file defines.
	maxNotableDeclaring = 2
	minNotableName      = 4  // in bytes: shorter names say little
	maxNotableName      = 32 // in bytes: longer names don't fit on a line
)

// NotableSymbols returns up to limit functions and types that many files mention, the best first:
// candidates for a question of a person who does not know the code yet. It leaves out tests,
// examples, generated code, private names and what has a namesake. Names of several words come
// first, since nothing else is called like that. It looks at a part of the files only if there
// are many.
func (x *Searcher) NotableSymbols(ctx context.Context, limit int) (found []shards.Unit, err error) {
	l := lookup{CurrentTexts: x.reader.Texts()}
	err = x.reader.OnViews(ctx, func(views []*shards.View) (err error) {
		l.views = views
		found, err = l.notable(ctx, limit)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("looking for notable symbols: %w", err)
	}
	return found, nil
}

func (l *lookup) notable(ctx context.Context, limit int) ([]shards.Unit, error) {
	names, err := sampledNames(sampledDocs(l.views))
	if err != nil {
		return nil, err
	}
	var ranked []notableName
	for name := range names {
		if declaring := l.declaringDocs(name, nil); len(declaring) <= maxNotableDeclaring {
			ranked = insertTop(ranked, newNotableName(l.views, name), 2*limit, compareNotable)
		}
	}
	var docs []declaringDoc
	for _, n := range ranked {
		docs = append(docs, l.declaringDocs(n.name, nil)...)
	}
	units, err := l.unitsIn(ctx, docs)
	if err != nil {
		return nil, err
	}
	units = slices.DeleteFunc(units, func(u shards.Unit) bool { return u.Detail == "declaration" })
	namesakes := map[string]int{}
	for _, u := range units {
		namesakes[strings.ToLower(u.Name)]++
	}
	units = slices.DeleteFunc(units,
		func(u shards.Unit) bool { return namesakes[strings.ToLower(u.Name)] > 1 || !names[u.Name] })
	return units[:min(len(units), limit)], nil
}

// sampledDocs returns files with source code, at equal distances among all of them.
func sampledDocs(views []*shards.View) (docs []declaringDoc) {
	var all []declaringDoc
	for _, v := range views {
		for doc := range v.Docs() {
			if v.Serves(doc) && v.Traits(doc) == 0 {
				all = append(all, declaringDoc{view: v, doc: doc})
			}
		}
	}
	step := 1 + len(all)/sampledFiles
	for i := 0; i < len(all); i += step {
		docs = append(docs, all[i])
	}
	return docs
}

// sampledNames returns the names of functions and types that the files declare.
func sampledNames(docs []declaringDoc) (map[string]bool, error) {
	names := map[string]bool{}
	add := func(symbols []syntax.Symbol) {
		for _, s := range symbols {
			if isNotable(s) {
				names[s.Name] = true
			}
		}
	}
	for _, d := range docs {
		if b := d.view.Buffer; b != nil {
			add(b.Source.Parsed.Symbols)
			continue
		}
		c, err := d.view.Content(d.doc)
		if err != nil {
			return nil, err
		}
		add(c.Symbols)
	}
	return names, nil
}

func isNotable(s syntax.Symbol) bool {
	return notableKinds[s.Kind] && s.Detail != "declaration" && len(s.Name) >= minNotableName &&
		len(s.Name) <= maxNotableName &&
		!strings.HasPrefix(s.Name, "_") && !strings.HasSuffix(s.Name, "_")
}

var notableKinds = map[syntax.Kind]bool{
	syntax.KindFunction: true, syntax.KindMethod: true, syntax.KindType: true, syntax.KindStruct: true,
	syntax.KindClass:     true,
	syntax.KindInterface: true, syntax.KindTrait: true, syntax.KindEnum: true,
}

// notableName is a name with the number of files that contain it.
type notableName struct {
	name  string
	words int // 1 or 2, for several
	files int
}

// newNotableName counts the files with a name. A name of several words is a term as a whole. Of a
// single word its stem is one, which prose has, too.
func newNotableName(views []*shards.View, name string) notableName {
	terms := postings.Terms(name)
	n := notableName{name: name, words: min(len(terms), 2)}
	for _, v := range views {
		if len(terms) > 0 {
			n.files += v.ServedWith(postings.NewKey(terms[len(terms)-1]), math.MaxInt)
		}
	}
	return n
}

func compareNotable(a, b notableName) int {
	return cmp.Or(cmp.Compare(b.words, a.words), cmp.Compare(b.files, a.files), cmp.Compare(a.name, b.name))
}
