package index

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"ploke-lsp/index/records"
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
func (x *Index) Lookup(ctx context.Context, q LookupQuery) (found, nearest []Unit, err error) {
	if q.File != "" {
		q.File = x.canonical(q.File)
	}
	l := lookup{sources: x.sources(), query: q, canon: strings.ReplaceAll(q.Name, ".", "::")}
	err = x.onViews(ctx, func(views []*view) (err error) {
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
	*sources
	query LookupQuery
	canon string
	views []*view
}

func (l *lookup) run(ctx context.Context) (found, nearest []Unit, err error) {
	name := records.LastName(l.canon)
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
		names *= 4 // File and Kind will exclude most
	}
	nearest, err = l.named(ctx, namesLike(l.views, name, names), nil, maxSuggestions)
	return nil, nearest, err
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

func (l *lookup) isCalled(u Unit) bool {
	return u.Canon == l.canon || u.Canon == l.query.Name || u.Name == l.query.Name
}

func (l *lookup) isTail(u Unit) bool { return strings.HasSuffix(u.Canon, "::"+l.canon) }

// matchesQuery reports whether a unit has the wanted kind and file.
func (l *lookup) matchesQuery(u Unit) bool {
	return (l.query.Kind == "" || u.Kind == l.query.Kind) && (l.query.File == "" || u.Path == l.query.File)
}

// Outline returns the symbols of a file, in the order of its text. path is absolute. The
// result is empty for a file that is not indexed.
func (x *Index) Outline(ctx context.Context, path string) ([]Unit, error) {
	var units []Unit
	err := x.onViews(ctx, func(views []*view) error {
		src, symbols, err := x.sources().file(ctx, views, path)
		units = nil
		for _, s := range symbols {
			units = append(units, src.unit(s))
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("outlining %s: %w", path, err)
	}
	return units, nil
}

// file returns an indexed file with its current symbols, nil if the index has none.
func (o *sources) file(ctx context.Context, views []*view, path string) (*source, []syntax.Symbol, error) {
	path = o.x.canonical(path)
	if b := o.x.unsavedBuffers()[path]; b != nil {
		return &b.source, b.source.parsed.Symbols, nil
	}
	s := o.x.shardOf(path)
	if s == nil {
		return nil, nil, nil
	}
	v, doc, ok := documentAt(views, s, s.rel(path))
	if !ok {
		return nil, nil, nil
	}
	c, err := v.content(doc)
	if err != nil {
		return nil, nil, err
	}
	src, err := o.indexed(ctx, s, c.row)
	if err != nil || src == nil {
		return nil, nil, err
	}
	if src.parsed != nil {
		return src, src.parsed.Symbols, nil
	}
	return src, c.symbols, nil
}

// documentAt returns the document of a file on disk, with its view.
func documentAt(views []*view, s *shard, rel string) (v *view, doc int, ok bool) {
	for _, v := range views {
		if v.shard == s && v.buffer == nil {
			if doc, ok := v.DocAt(rel, v.isLive); ok {
				return v, doc, true
			}
		}
	}
	return nil, 0, false
}
