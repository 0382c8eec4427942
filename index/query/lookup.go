package query

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"ploke-lsp/index/records"
	"ploke-lsp/index/shards"
	"ploke-lsp/internal/syntax"
)

// LookupQuery names a symbol. Name is a name or a canon; "." may stand for "::". File, in
// the form that workspace.Resolve accepts, and Kind restrict the results. Both may be
// empty.
type LookupQuery struct {
	Name string
	File string
	Kind syntax.Kind
}

// maxSuggestions is the number of near names that are returned if no symbol is found.
const maxSuggestions = 10

// Lookup returns the symbols with exactly that name: Run matches the function and every
// method of that name, Server::Run only the method. If there are none, nearest are the
// symbols with the closest names, the closest first.
func (x *Searcher) Lookup(ctx context.Context, q LookupQuery) (found, nearest []shards.Unit, err error) {
	if q.File != "" {
		q.File = x.reader.Canonical(q.File)
	}
	l := lookup{CurrentTexts: x.reader.Texts(), query: q, canon: strings.ReplaceAll(q.Name, ".", "::")}
	err = x.reader.OnViews(ctx, func(views []*shards.View) (err error) {
		l.views = views
		found, nearest, err = l.run(ctx)
		return err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("looking up %q: %w", q.Name, err)
	}
	return found, nearest, nil
}

type lookup struct {
	*shards.CurrentTexts
	query LookupQuery
	canon string
	views []*shards.View
}

func (l *lookup) run(ctx context.Context) (found, nearest []shards.Unit, err error) {
	name := records.LastName(l.canon)
	if name == "" {
		return nil, nil, nil
	}
	all, err := l.named(ctx, []string{name}, l.owners(), math.MaxInt)
	if err != nil {
		return nil, nil, err
	}
	for _, level := range []func(shards.Unit) bool{l.isCalled, l.isTail} {
		if found := slices.DeleteFunc(slices.Clone(all), func(u shards.Unit) bool { return !level(u) }); len(found) > 0 {
			slices.SortStableFunc(found, func(a, b shards.Unit) int { return cmp.Compare(textLast(a), textLast(b)) })
			return found, nil, nil
		}
	}
	names := maxSuggestions
	if l.query.File != "" || l.query.Kind != "" {
		names *= 4 // File and Kind will exclude most
	}
	nearest, err = l.named(ctx, namesLike(l.views, name, names), nil, maxSuggestions)
	return nil, nearest, err
}

// textLast sorts declarations before the entries of data, and these before the headings of documents.
func textLast(u shards.Unit) int {
	switch u.Language {
	case "markdown":
		return 2
	case "toml", "yaml", "json", "html", "css":
		return 1
	}
	return 0
}

// owners returns the types that the symbol must be a member of, none for a plain name.
func (l *lookup) owners() (owners []string) {
	for _, canon := range []string{l.canon, l.query.Name} {
		if cut := strings.LastIndex(canon, "::"); cut >= 0 {
			owners = append(owners, records.LastName(canon[:cut]))
		}
	}
	return owners
}

func (l *lookup) isCalled(u shards.Unit) bool {
	return u.Canon == l.canon || u.Canon == l.query.Name || u.Name == l.query.Name
}

func (l *lookup) isTail(u shards.Unit) bool { return strings.HasSuffix(u.Canon, "::"+l.canon) }

// matchesQuery reports whether a unit has the wanted kind and file.
func (l *lookup) matchesQuery(u shards.Unit) bool {
	return (l.query.Kind == "" || u.Kind == l.query.Kind) && (l.query.File == "" || u.Path == l.query.File)
}

// Outline returns the symbols of a file, in the order of its text. path is absolute. The
// result is empty for a file that is not indexed.
func (x *Searcher) Outline(ctx context.Context, path string) ([]shards.Unit, error) {
	var units []shards.Unit
	err := x.reader.OnViews(ctx, func(views []*shards.View) error {
		src, symbols, err := x.reader.Texts().File(ctx, views, path)
		units = nil
		for _, s := range symbols {
			units = append(units, src.Unit(s))
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("outlining %s: %w", path, err)
	}
	return units, nil
}
