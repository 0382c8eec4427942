package query

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"ploke-lsp/index/postings"
	"ploke-lsp/index/records"
	"ploke-lsp/index/shards"
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
func (x *Searcher) Symbols(ctx context.Context, q SymbolQuery) (found []shards.Unit, err error) {
	l := lookup{CurrentTexts: x.reader.Texts(), query: LookupQuery{Name: q.Text},
		canon: strings.ReplaceAll(q.Text, ".", "::")}
	wanted := strings.ToLower(records.LastName(l.canon))
	if wanted == "" || len(wanted) > maxPattern || q.Limit <= 0 {
		return nil, nil
	}
	err = x.reader.OnViews(ctx, func(views []*shards.View) (err error) {
		l.views = views
		found, err = l.fitting(ctx, wanted, q)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("finding symbols like %q: %w", q.Text, err)
	}
	return found, nil
}

func (l *lookup) fitting(ctx context.Context, wanted string, q SymbolQuery) ([]shards.Unit, error) {
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
		units = slices.DeleteFunc(units, func(u shards.Unit) bool { return !ownedByAny(u.Canon, owners) })
	}
	slices.SortStableFunc(units, func(a, b shards.Unit) int {
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
		return slices.ContainsFunc(names[:len(names)-1],
			func(name string) bool { return strings.EqualFold(syntax.Plain(name), owner) })
	})
}

// fittingNames returns up to limit declared names, in lower case, that fit best, the best first.
func fittingNames(views []*shards.View, wanted string, limit int) []string {
	f := newNameFitter(wanted, limit)
	for _, v := range views {
		names := v.Names()
		first, end := names.WithPrefix(wanted)
		for i := first; i < end; i++ {
			f.consider(names, i)
		}
	}
	if len(wanted) > maxPrefixOnly {
		// Names that may have all characters together cost the least. Once these are known, most of the others cost too much.
		for _, runs := range []int{1, len(wanted)} {
			for _, v := range views {
				f.considerOthers(v.Names(), runs)
			}
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
	filter postings.NameFilter // of the names that may fit well enough
	digit  bool                // a digit is wanted
	limit  int
	best   []rankedName // the best first
	worst  float64      // a name with a higher cost is not among the best
}

func newNameFitter(wanted string, limit int) *nameFitter {
	return &nameFitter{
		wanted: wanted, digit: strings.ContainsAny(wanted, "0123456789"),
		filter: postings.NameFilter{Letters: postings.NewSketch(wanted).Letters(), Pairs: postings.NewPairs(wanted)},
		limit:  limit, best: make([]rankedName, 0, limit+1), worst: math.Inf(1),
	}
}

// consider adds a name if it is among the best. It reports whether the worst of these has become better.
func (f *nameFitter) consider(names postings.Names, i int) (better bool) {
	if extraCost*float64(names.Sketch(i).Len()-len(f.wanted)) > f.worst {
		return false
	}
	name := names.Name(i)
	if !hasInOrder(name, f.wanted) {
		return false
	}
	cost, ok := fitCost(string(name), f.wanted) // which keeps no copy, so that none is allocated for nearly all names
	if !ok || cost > f.worst {
		return false
	}
	if f.best = insertTop(f.best, rankedName{string(name), cost}, f.limit, compareNames); len(f.best) < f.limit {
		return false
	}
	worst := f.best[f.limit-1].distance
	better = worst < f.worst
	f.worst = worst
	return better
}

// considerOthers considers the names that do not begin with what is wanted, if not more than so many runs of
// characters begin within them.
func (f *nameFitter) considerOthers(names postings.Names, runs int) {
	alike, behind := names.WithPrefix(f.wanted[:1])
	first, end := names.WithPrefix(f.wanted)
	for _, part := range []struct{ from, to, outside int }{{0, alike, 1}, {alike, first, 0}, {end, behind, 0}, {behind, names.Len(), 1}} {
		f.restrict(runs, part.outside)
		for i := part.from; wordRunCost <= f.worst; i++ {
			if i = names.Next(&f.filter, i, part.to); i == part.to {
				break
			}
			if f.consider(names, i) {
				f.restrict(runs, part.outside)
			}
		}
	}
}

// restrict lets the filter refuse the names that are not good enough, and those within which more runs begin. One
// begins for each pair of wanted characters that do not follow each other in a name. outside is 1 for names that do not
// begin with the first character, within which the first run begins, too; else 0.
func (f *nameFitter) restrict(runs, outside int) {
	for separated, cost := range [...]float64{runCost, wordRunCost} {
		if f.digit { // a word may begin with it
			cost = wordRunCost
		}
		most, perCost := &f.filter.MostMissing[separated], 1/cost
		for length := range most {
			left := (f.worst-extraCost*float64(length-len(f.wanted)))*perCost + roundingMargin
			if most[length] = -1; length >= len(f.wanted) && left >= 1 {
				most[length] = int(min(float64(runs), left)) - outside
			}
		}
	}
}
