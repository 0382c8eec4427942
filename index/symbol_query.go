package index

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"ploke-lsp/index/postings"
	"ploke-lsp/internal/syntax"
)

// SymbolQuery is what a person has typed of a symbol's name: some of its characters, in their
// order. A type may go before it, as in Server.srv.
type SymbolQuery struct {
	Text      string
	Languages []string // of the files; empty for all
	Limit     int      // the maximum number of results
}

const (
	// maxFittingNames is the number of names whose symbols are looked at, if only some count.
	maxFittingNames = 500
	// maxNamesakes is how many files with the same name are looked at: String is declared in
	// thousands.
	maxNamesakes = 8
	// maxPrefixOnly is the length up to which a query matches only how names begin. Nearly all
	// names contain two letters somewhere.
	maxPrefixOnly = 2
)

// Symbols returns the symbols whose names fit a query, the best first. A name fits well if the
// characters are its beginning, follow each other, or begin its words.
func (x *Index) Symbols(ctx context.Context, q SymbolQuery) (found []Unit, err error) {
	l := lookup{sources: x.sources(), query: LookupQuery{Name: q.Text}, canon: strings.ReplaceAll(q.Text, ".", "::")}
	wanted := strings.ToLower(lastName(l.canon))
	if wanted == "" || len(wanted) > maxPattern || q.Limit <= 0 {
		return nil, nil
	}
	err = x.onViews(ctx, func(views []*view) (err error) {
		l.views = views
		found, err = l.fitting(ctx, wanted, q)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("finding symbols like %q: %w", q.Text, err)
	}
	return found, nil
}

func (l *lookup) fitting(ctx context.Context, wanted string, q SymbolQuery) ([]Unit, error) {
	owners := l.owners()
	names := q.Limit
	if len(q.Languages) > 0 || len(owners) > 0 {
		names = maxFittingNames // many will be left out
	}
	var docs []declaringDoc
	for _, name := range fittingNames(l.views, wanted, names) {
		declaring := slices.DeleteFunc(l.declaringDocs(name, owners), func(d declaringDoc) bool {
			return len(q.Languages) > 0 && !slices.Contains(q.Languages, syntax.Detect(d.path, nil))
		})
		docs = append(docs, declaring[:min(len(declaring), maxNamesakes)]...)
		if len(docs) >= q.Limit {
			break
		}
	}
	units, err := l.unitsIn(ctx, docs)
	if err != nil {
		return nil, err
	}
	if len(owners) > 0 {
		units = slices.DeleteFunc(units, func(u Unit) bool { return !ownedByAny(u.Canon, owners) })
	}
	slices.SortStableFunc(units, func(a, b Unit) int {
		costA, _ := fitCost(a.Name, wanted)
		costB, _ := fitCost(b.Name, wanted)
		return cmp.Compare(costA, costB)
	})
	return units[:min(len(units), q.Limit)], nil
}

// ownedByAny reports whether a canon has one of the types, ignoring case, before its last name.
func ownedByAny(canon string, owners []string) bool {
	names := strings.Split(canon, "::")
	return slices.ContainsFunc(owners, func(owner string) bool {
		return slices.ContainsFunc(names[:len(names)-1], func(name string) bool { return strings.EqualFold(syntax.Plain(name), owner) })
	})
}

// fittingNames returns up to limit declared names, in lower case, that fit best, the best first.
func fittingNames(views []*view, wanted string, limit int) []string {
	f := nameFitter{wanted: wanted, limit: limit, best: make([]rankedName, 0, limit+1), worst: math.Inf(1)}
	for _, v := range views {
		names := v.Names()
		first, end := names.WithPrefix(wanted)
		for i := first; i < end; i++ {
			f.consider(names, i, 0)
		}
	}
	if len(wanted) > maxPrefixOnly {
		for _, v := range views {
			f.considerOthers(v.Names())
		}
	}
	list := make([]string, len(f.best))
	for i, n := range f.best {
		list[i] = n.name
	}
	return list
}

// nameFitter collects the names that fit best.
type nameFitter struct {
	wanted string
	limit  int
	best   []rankedName // the best first
	worst  float64      // a name with a higher cost is not among the best
}

// consider adds a name if it is among the best. Its characters in their order cost at least least.
func (f *nameFitter) consider(names postings.Names, i int, least float64) {
	longer := names.Sketch(i).Len() - len(f.wanted)
	if longer < 0 || least+extraCost*float64(longer) > f.worst {
		return
	}
	name := names.Name(i)
	if !hasInOrder(name, f.wanted) {
		return
	}
	cost, ok := fitCost(string(name), f.wanted) // which keeps no copy, so that none is allocated for nearly all names
	if !ok || cost > f.worst {
		return
	}
	if f.best = insertTop(f.best, rankedName{string(name), cost}, f.limit, compareNames); len(f.best) == f.limit {
		f.worst = f.best[f.limit-1].distance
	}
}

// considerOthers considers the names that do not begin with what is wanted, most of which the
// sketches rule out. At least one run of characters begins within such a name.
func (f *nameFitter) considerOthers(names postings.Names) {
	letters := postings.NewSketch(f.wanted).Letters()
	first, end := names.WithPrefix(f.wanted)
	for _, part := range [][2]int{{0, first}, {end, names.Len()}} {
		for i := part[0]; wordRunCost <= f.worst; i++ {
			if i = names.NextWith(letters, i, part[1]); i == part[1] {
				break
			}
			f.consider(names, i, wordRunCost)
		}
	}
}
