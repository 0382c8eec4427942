package current

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/tools/placing"
	"ploke-lsp/tools/wording"
)

// Lookup finds symbols by name, address or place: in one file or, if file is empty, in the
// workspace as the turn sees it. A kind that none of them has is ignored. If there are none, near
// are the closest candidates.
func (f *Files) Lookup(ctx context.Context, name, file, kind string) (found []*Symbol, near []any, err error) {
	if file != "" {
		return f.lookupIn(ctx, name, file, kind)
	}
	found, near, err = f.lookupName(ctx, name, kind)
	if err == nil && len(found) == 0 && kind != "" {
		found, near, err = f.lookupName(ctx, name, "")
	}
	if err == nil && len(found) == 0 {
		found, err = f.lookupQualified(ctx, name)
	}
	if err == nil && len(found) == 0 {
		found, err = f.lookupPlace(ctx, name)
	}
	return placing.OfKind(found, kind, (*Symbol).symbolKind), near, err
}

func (f *Files) lookupIn(ctx context.Context, name, file, kind string) (found []*Symbol, near []any, err error) {
	src, err := f.Named(ctx, "file", file)
	if err != nil {
		return nil, nil, err
	}
	if found = src.matching(name, kind); len(found) == 0 {
		found = src.Symbols(src.Find(name))
	}
	if len(found) == 0 {
		return nil, src.SymbolsLike(name), nil
	}
	return placing.OfKind(found, kind, (*Symbol).symbolKind), nil, nil
}

// matching returns the file's symbols with exactly this name or address, else those with the
// address in another form. kind may be empty.
func (f *File) matching(name, kind string) []*Symbol {
	for _, canon := range []string{name, placing.Address(name)} {
		found := f.Where(func(sym syntax.Symbol) bool {
			return (sym.Canon == canon || sym.Name == name) && (kind == "" || string(sym.Kind) == kind)
		})
		if len(found) > 0 {
			return f.Symbols(found)
		}
	}
	return nil
}

// lookupName finds symbols by their exact name or the end of their address, in the index and in
// what the turn has staged.
func (f *Files) lookupName(ctx context.Context, name, kind string) (found []*Symbol, near []any, err error) {
	units, nearUnits, err := f.Index.Lookup(ctx, index.LookupQuery{Name: name, Kind: syntax.Kind(kind)})
	if err != nil {
		return nil, nil, err
	}
	if found, err = f.ResolveAll(ctx, units); err != nil {
		return nil, nil, err
	}
	paths, err := f.Touched(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, path := range paths {
		src, err := f.At(ctx, path)
		switch {
		case err == nil:
			found = append(found, src.matching(name, kind)...)
		case !Unavailable(err):
			return nil, nil, err
		}
	}
	nearItems, err := f.ResolveAll(ctx, nearUnits[:min(len(nearUnits), wording.Candidates)])
	for _, it := range nearItems {
		near = append(near, it.candidate())
	}
	return uniqueItems(found), near, err
}

// lookupQualified finds symbols by an address behind the names of packages, folders or modules, as
// in com.google.gson.Gson.toJson: those of the package that is named, or the only one of a package
// around it.
func (f *Files) lookupQualified(ctx context.Context, name string) ([]*Symbol, error) {
	wanted := placing.Address(name)
	if wanted != name && strings.Contains(wanted, "::") {
		units, _, err := f.Index.Lookup(ctx, index.LookupQuery{Name: wanted})
		if err != nil {
			return nil, err
		}
		if len(units) > 0 {
			return f.ResolveAll(ctx, units)
		}
	}
	for _, q := range placing.Qualified(wanted) {
		units, _, err := f.Index.Lookup(ctx, index.LookupQuery{Name: q.Canon})
		if err != nil {
			return nil, err
		}
		around := slices.DeleteFunc(units, func(u index.Unit) bool { return u.Canon != q.Canon || !q.Fits(u.Path) })
		closely := slices.DeleteFunc(slices.Clone(around), func(u index.Unit) bool { return !q.FitsClosely(u.Path) })
		if len(closely) == 0 && len(around) == 1 {
			closely = around
		}
		if len(closely) > 0 {
			return f.ResolveAll(ctx, closely)
		}
	}
	return nil, nil
}

// lookupPlace finds the innermost symbol at a path with lines, such as the id of a result.
func (f *Files) lookupPlace(ctx context.Context, name string) (found []*Symbol, err error) {
	if file, _, ok := SplitPlace(name); !ok || file == "" {
		return nil, nil
	}
	path, file, lines, err := f.Locate("", name)
	if err != nil {
		return nil, nil
	}
	src, named, err := f.Meant(ctx, path, file)
	lines = cmp.Or(lines, named)
	switch {
	case err != nil && Unavailable(err) || err == nil && lines == Lines{}:
		return nil, nil
	case err != nil:
		return nil, err
	}
	last := max(lines.First, lines.Last)
	around := src.Where(func(sym syntax.Symbol) bool { return sym.StartLine <= lines.First && last <= sym.EndLine })
	if len(around) == 0 {
		return nil, nil
	}
	found = src.Symbols(around[len(around)-1:]) // symbols are in the order of their start
	found[0].Asked = lines.First
	return found, nil
}

// ResolveAll resolves units, without those that no longer exist.
func (f *Files) ResolveAll(ctx context.Context, units []index.Unit) (items []*Symbol, err error) {
	for _, unit := range units {
		it, err := f.Resolve(ctx, unit)
		if err != nil {
			return nil, err
		}
		if it != nil {
			items = append(items, it)
		}
	}
	return items, nil
}
