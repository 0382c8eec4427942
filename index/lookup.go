package index

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"ploke-lsp/internal/syntax"
)

// LookupQuery names a symbol. Name is a name or a canon; "." may stand for "::". File (as
// workspace.Resolve takes it) and Kind limit where and what is looked for; both may be empty.
type LookupQuery struct {
	Name string
	File string
	Kind syntax.Kind
}

// maxNearest is how many symbols are named where none was found.
const maxSuggestions = 10

// Lookup finds the symbols that are called exactly so: Run finds the function and every
// method of that name, Server::Run the method alone. Where there are none, nearest
// are those whose name comes close, closest first.
func (x *Index) Lookup(ctx context.Context, q LookupQuery) (found, nearest []Unit, err error) {
	if q.File != "" {
		q.File = x.canonical(q.File)
	}
	l := lookup{sources: x.sources(), query: q, canon: strings.ReplaceAll(q.Name, ".", "::")}
	err = x.onViews(ctx, func(views []*view) (missed bool, err error) {
		l.views, l.missed = views, false
		found, nearest, err = l.run(ctx)
		return l.missed, err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("looking up %q: %w", q.Name, err)
	}
	return found, nearest, nil
}

// lookup is a LookupQuery on its way.
type lookup struct {
	*sources
	query  LookupQuery
	canon  string
	views  []*view
	missed bool // the postings name a file that the database no longer has
}

func (l *lookup) run(ctx context.Context) (found, nearest []Unit, err error) {
	name := lastName(l.canon)
	if name == "" {
		return nil, nil, nil
	}
	all, err := l.named(ctx, []string{name}, l.owners(), math.MaxInt)
	if err != nil {
		return nil, nil, err
	}
	for _, level := range []func(Unit) bool{l.isCalled, l.isTail} {
		if found := slices.DeleteFunc(slices.Clone(all), func(u Unit) bool { return !level(u) }); len(found) > 0 {
			return found, nil, nil
		}
	}
	names := maxSuggestions
	if l.query.File != "" || l.query.Kind != "" {
		names *= 4 // most will be elsewhere, or something else
	}
	nearest, err = l.named(ctx, namesLike(l.views, name, names), nil, maxSuggestions)
	return nil, nearest, err
}

// owners are what the symbol must be a member of; none for a plain name.
func (l *lookup) owners() (owners []string) {
	for _, canon := range []string{l.canon, l.query.Name} {
		if cut := strings.LastIndex(canon, "::"); cut >= 0 {
			owners = append(owners, lastName(canon[:cut]))
		}
	}
	return owners
}

func (l *lookup) isCalled(u Unit) bool {
	return u.Canon == l.canon || u.Canon == l.query.Name || u.Name == l.query.Name
}

func (l *lookup) isTail(u Unit) bool { return strings.HasSuffix(u.Canon, "::"+l.canon) }

// wanted says whether a unit is of the kind and in the file that are asked for.
func (l *lookup) matchesQuery(u Unit) bool {
	return (l.query.Kind == "" || u.Kind == l.query.Kind) && (l.query.File == "" || u.Path == l.query.File)
}

// lastName is the last name of an address, without its number.
func lastName(canon string) string {
	if cut := strings.LastIndex(canon, "::"); cut >= 0 {
		canon = canon[cut+2:]
	}
	return syntax.Plain(canon)
}

// Outline are the symbols of one file, in the order of its text; path is absolute. It
// is empty for a file that is not indexed.
func (x *Index) Outline(ctx context.Context, path string) ([]Unit, error) {
	src, symbols, err := x.sources().file(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("outlining %s: %w", path, err)
	}
	var units []Unit
	for _, s := range symbols {
		units = append(units, src.unit(s))
	}
	return units, nil
}

// file is a file of the index with its symbols as they are now; nil where it has none.
func (o *sources) file(ctx context.Context, path string) (*source, []syntax.Symbol, error) {
	path = o.x.canonical(path)
	if b := o.x.unsavedBuffers()[path]; b != nil {
		return &b.source, b.source.parsed.Symbols, nil
	}
	s := o.x.shardOf(path)
	if s == nil {
		return nil, nil, nil
	}
	row, ok, err := s.fileByRel(ctx, s.rel(path))
	if err != nil || !ok {
		return nil, nil, err
	}
	src, err := o.indexed(ctx, s, row)
	if err != nil || src == nil {
		return nil, nil, err
	}
	if src.parsed != nil {
		return src, src.parsed.Symbols, nil
	}
	symbols, err := s.symbolsOf(ctx, row.id, 0, math.MaxInt)
	return src, symbols, err
}
