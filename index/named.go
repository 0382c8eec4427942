package index

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"ploke-lsp/index/postings"
)

// home is a document that declares a name that is looked for.
type home struct {
	view *view
	doc  int
	path string
	name string
}

// maxHomes is how many files are described at a time.
const maxHomes = 256

// named are up to limit symbols that are called like one of the names, in any case, in
// the order of the names, then of paths and places. Where owners are given, only files
// that may declare such a member of one of them are looked at.
func (l *lookup) named(ctx context.Context, names, owners []string, limit int) ([]Unit, error) {
	var units []Unit
	var homes []home
	for len(units) < limit && len(names)+len(homes) > 0 {
		for len(names) > 0 && len(homes) < min(limit, maxHomes) {
			homes = append(homes, l.homes(names[0], owners)...)
			names = names[1:]
		}
		n := min(len(homes), maxHomes, limit)
		some, err := l.at(ctx, homes[:n])
		if err != nil {
			return nil, err
		}
		units, homes = append(units, some...), homes[n:]
	}
	return units[:min(limit, len(units))], nil
}

// homes are the documents that declare a name, in the order of paths.
func (l *lookup) homes(name string, owners []string) (homes []home) {
	for _, v := range l.views {
		list := v.Find(postings.Exact(name))
		may := v.mayDeclare(name, owners)
		for doc, _, ok := list.Next(); ok; doc, _, ok = list.Next() {
			if !v.serves(doc) || !may(doc) {
				continue
			}
			if path := v.shard.path(v.Rel(doc)); l.query.File == "" || l.query.File == path {
				homes = append(homes, home{v, doc, path, name})
			}
		}
	}
	slices.SortFunc(homes, func(a, b home) int { return cmp.Compare(a.path, b.path) })
	return homes
}

// mayDeclare says of documents, asked for in their order, whether they have one of the
// members owner::name, or declare the owner. Without owners all may.
func (v *view) mayDeclare(name string, owners []string) func(doc int) bool {
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

// at describes what has the names of those homes, in the order of homes and places.
func (l *lookup) at(ctx context.Context, homes []home) (units []Unit, err error) {
	ids := map[*shard][]int64{}
	for _, h := range homes {
		if h.view.buffer == nil {
			ids[h.view.shard] = append(ids[h.view.shard], h.id())
		}
	}
	files := map[*shard]map[int64]declared{}
	for s, list := range ids {
		if files[s], err = s.declared(ctx, list); err != nil {
			return nil, err
		}
	}
	for _, h := range homes {
		of, err := l.in(ctx, h, files[h.view.shard])
		if err != nil {
			return nil, err
		}
		of = slices.DeleteFunc(of, func(u Unit) bool { return !l.wanted(u) })
		slices.SortFunc(of, func(a, b Unit) int {
			return cmp.Or(cmp.Compare(a.StartByte, b.StartByte), cmp.Compare(a.NameStart, b.NameStart))
		})
		units = append(units, of...)
	}
	return units, nil
}

func (h home) id() int64 { return h.view.Doc(h.doc).ID }

// in describes what has the name of a home.
func (l *lookup) in(ctx context.Context, h home, files map[int64]declared) (units []Unit, err error) {
	name := []byte(h.name)
	if b := h.view.buffer; b != nil {
		for _, s := range b.source.parsed.Symbols {
			if bytes.EqualFold([]byte(s.Name), name) {
				units = append(units, b.source.unit(s))
			}
		}
		return units, nil
	}
	f, ok := files[h.id()]
	if !ok {
		l.missed = true
		return nil, nil
	}
	all, err := l.describe(ctx, h.view.shard, f, math.MaxInt, func(_ int, of []byte) bool { return bytes.EqualFold(of, name) })
	delete(all, wholeFile)
	return slices.Collect(maps.Values(all)), err
}
