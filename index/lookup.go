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

// LookupQuery names a symbol. Name is a name or a canon; "." may stand for "::". File (as
// workspace.Resolve takes it) and Kind limit where and what is looked for; both may be empty.
type LookupQuery struct {
	Name string
	File string
	Kind syntax.Kind
}

// maxNearest is how many symbols are named where none was found.
const maxNearest = 10

// Lookup finds the symbols that are called exactly so: Run finds the function and every
// method of that name, Server::Run the method alone. Where there are none, nearest
// are those whose name comes close, closest first.
func (x *Index) Lookup(ctx context.Context, q LookupQuery) (found, nearest []Unit, err error) {
	if q.File != "" {
		q.File = x.canonical(q.File)
	}
	l := lookup{sources: x.sources(), query: q, canon: strings.ReplaceAll(q.Name, ".", "::"), overlay: x.overlay()}
	all, err := l.named(ctx, lastName(l.canon))
	if err != nil {
		return nil, nil, fmt.Errorf("looking up %q: %w", q.Name, err)
	}
	for _, level := range []func(Unit) bool{l.isCalled, l.isTail} {
		if found := slices.DeleteFunc(slices.Clone(all), func(u Unit) bool { return !level(u) }); len(found) > 0 {
			return found, nil, nil
		}
	}
	nearest, err = l.nearest(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("looking for names like %q: %w", q.Name, err)
	}
	return nil, nearest, nil
}

// lastName is the last name of an address, without its number.
func lastName(canon string) string {
	if cut := strings.LastIndex(canon, "::"); cut >= 0 {
		canon = canon[cut+2:]
	}
	if cut := strings.LastIndexByte(canon, '#'); cut > 0 {
		canon = canon[:cut]
	}
	return canon
}

type lookup struct {
	*sources
	query   LookupQuery
	canon   string
	overlay map[string]*buffer
}

func (l *lookup) isCalled(u Unit) bool {
	return u.Canon == l.canon || u.Canon == l.query.Name || u.Name == l.query.Name
}

func (l *lookup) isTail(u Unit) bool { return strings.HasSuffix(u.Canon, "::"+l.canon) }

// named are the symbols of that name in any case, in the order of paths and places.
func (l *lookup) named(ctx context.Context, name string) ([]Unit, error) {
	var units []Unit
	for _, s := range l.x.all() {
		of, err := l.inShard(ctx, s, name)
		if err != nil {
			return nil, err
		}
		units = append(units, of...)
	}
	for _, b := range l.overlay {
		for _, s := range b.source.parsed.Symbols {
			if strings.EqualFold(s.Name, name) {
				units = append(units, b.source.unit(s))
			}
		}
	}
	units = slices.DeleteFunc(units, func(u Unit) bool { return !l.wanted(u) })
	slices.SortFunc(units, func(a, b Unit) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.StartByte, b.StartByte), cmp.Compare(a.NameStart, b.NameStart))
	})
	return units, nil
}

// wanted says whether a unit is of the kind and in the file that are asked for.
func (l *lookup) wanted(u Unit) bool {
	return (l.query.Kind == "" || u.Kind == l.query.Kind) && (l.query.File == "" || u.Path == l.query.File)
}

func (l *lookup) inShard(ctx context.Context, s *shard, name string) ([]Unit, error) {
	snap := s.acquire()
	defer s.release(snap)
	var ids []int64
	for _, p := range snap.parts {
		list := p.Find(postings.Exact(name))
		for doc, _, ok := list.Next(); ok; doc, _, ok = list.Next() {
			path := s.path(p.Rel(doc))
			if p.alive[doc] && l.overlay[path] == nil && (l.query.File == "" || l.query.File == path) {
				ids = append(ids, p.Doc(doc).ID)
			}
		}
	}
	files, err := s.contents(ctx, ids)
	if err != nil {
		return nil, err
	}
	var units []Unit
	for _, f := range files {
		of, err := l.inFile(ctx, s, f, name)
		if err != nil {
			return nil, err
		}
		units = append(units, of...)
	}
	return units, nil
}

// inFile are the symbols of that name in a file's text of now.
func (l *lookup) inFile(ctx context.Context, s *shard, f *content, name string) (units []Unit, err error) {
	src, err := l.indexed(ctx, s, f.row)
	if err != nil || src == nil {
		return nil, err
	}
	for _, symbol := range f.symbols {
		if !strings.EqualFold(symbol.Name, name) {
			continue
		}
		if now, ok := src.find(symbol); ok {
			units = append(units, src.unit(now))
		}
	}
	return units, nil
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
	if b := o.x.overlay()[path]; b != nil {
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
