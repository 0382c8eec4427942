package tools

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

// lookup finds symbols by name, address or place: in one file or, if file is empty, in the
// workspace as the turn sees it. A kind that none of them has is ignored. If there are none, near
// are the closest candidates.
func (s *sources) lookup(ctx context.Context, name, file, kind string) (found []*codeItem, near []any, err error) {
	if file != "" {
		return s.lookupIn(ctx, name, file, kind)
	}
	found, near, err = s.lookupName(ctx, name, kind)
	if err == nil && len(found) == 0 && kind != "" {
		found, near, err = s.lookupName(ctx, name, "")
	}
	if err == nil && len(found) == 0 {
		found, err = s.lookupQualified(ctx, name)
	}
	if err == nil && len(found) == 0 {
		found, err = s.lookupPlace(ctx, name)
	}
	return placing.OfKind(found, kind, (*codeItem).symbolKind), near, err
}

func (s *sources) lookupIn(ctx context.Context, name, file, kind string) (found []*codeItem, near []any, err error) {
	src, err := s.named(ctx, "file", file)
	if err != nil {
		return nil, nil, err
	}
	if found = src.matching(name, kind); len(found) == 0 {
		found = src.items(src.Find(name))
	}
	if len(found) == 0 {
		return nil, src.SymbolsLike(name), nil
	}
	return placing.OfKind(found, kind, (*codeItem).symbolKind), nil, nil
}

// matching returns the file's symbols with exactly this name or address, else those with the
// address in another form. kind may be empty.
func (s *source) matching(name, kind string) []*codeItem {
	for _, canon := range []string{name, placing.Address(name)} {
		found := s.Where(func(sym syntax.Symbol) bool {
			return (sym.Canon == canon || sym.Name == name) && (kind == "" || string(sym.Kind) == kind)
		})
		if len(found) > 0 {
			return s.items(found)
		}
	}
	return nil
}

// lookupName finds symbols by their exact name or the end of their address, in the index and in
// what the turn has staged.
func (s *sources) lookupName(ctx context.Context, name, kind string) (found []*codeItem, near []any, err error) {
	units, nearUnits, err := s.index.Lookup(ctx, index.LookupQuery{Name: name, Kind: syntax.Kind(kind)})
	if err != nil {
		return nil, nil, err
	}
	if found, err = s.resolveAll(ctx, units); err != nil {
		return nil, nil, err
	}
	paths, err := s.touched(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, path := range paths {
		src, err := s.at(ctx, path)
		switch {
		case err == nil:
			found = append(found, src.matching(name, kind)...)
		case !unavailable(err):
			return nil, nil, err
		}
	}
	nearItems, err := s.resolveAll(ctx, nearUnits[:min(len(nearUnits), wording.Candidates)])
	for _, it := range nearItems {
		near = append(near, it.candidate())
	}
	return uniqueItems(found), near, err
}

// lookupQualified finds symbols by an address behind the names of packages, folders or modules, as
// in com.google.gson.Gson.toJson: those of the package that is named, or the only one of a package
// around it.
func (s *sources) lookupQualified(ctx context.Context, name string) ([]*codeItem, error) {
	wanted := placing.Address(name)
	if wanted != name && strings.Contains(wanted, "::") {
		units, _, err := s.index.Lookup(ctx, index.LookupQuery{Name: wanted})
		if err != nil || len(units) > 0 {
			found, err := s.resolveAll(ctx, units)
			return found, err
		}
	}
	for _, q := range placing.Qualified(wanted) {
		units, _, err := s.index.Lookup(ctx, index.LookupQuery{Name: q.Canon})
		if err != nil {
			return nil, err
		}
		around := slices.DeleteFunc(units, func(u index.Unit) bool { return u.Canon != q.Canon || !q.Fits(u.Path) })
		closely := slices.DeleteFunc(slices.Clone(around), func(u index.Unit) bool { return !q.FitsClosely(u.Path) })
		if len(closely) == 0 && len(around) == 1 {
			closely = around
		}
		if len(closely) > 0 {
			return s.resolveAll(ctx, closely)
		}
	}
	return nil, nil
}

// lookupPlace finds the innermost symbol at a path with lines, such as the id of a result.
func (s *sources) lookupPlace(ctx context.Context, name string) (found []*codeItem, err error) {
	if file, _, ok := splitPlace(name); !ok || file == "" {
		return nil, nil
	}
	path, file, lines, err := s.placed("", name)
	if err != nil {
		return nil, nil
	}
	src, named, err := s.meant(ctx, path, file)
	lines = cmp.Or(lines, named)
	switch {
	case err != nil && unavailable(err) || err == nil && lines == lineSpan{}:
		return nil, nil
	case err != nil:
		return nil, err
	}
	last := max(lines.first, lines.last)
	around := src.Where(func(sym syntax.Symbol) bool { return sym.StartLine <= lines.first && last <= sym.EndLine })
	if len(around) == 0 {
		return nil, nil
	}
	found = src.items(around[len(around)-1:]) // symbols are in the order of their start
	found[0].asked = lines.first
	return found, nil
}

// resolveAll resolves units, without those that no longer exist.
func (s *sources) resolveAll(ctx context.Context, units []index.Unit) (items []*codeItem, err error) {
	for _, unit := range units {
		it, err := s.resolve(ctx, unit)
		if err != nil {
			return nil, err
		}
		if it != nil {
			items = append(items, it)
		}
	}
	return items, nil
}
