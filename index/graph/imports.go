package graph

import (
	"context"
	"fmt"
	"slices"

	"ploke-lsp/internal/syntax"
)

// Imports returns what the files at absolute paths import, each in the order of its text.
func (o *Overlay) Imports(ctx context.Context, paths []string) (all map[string][]syntax.Import, err error) {
	err = o.resolving(ctx, func(r *resolver) {
		all = map[string][]syntax.Import{}
		for _, path := range paths {
			switch m, v, doc := r.located(path); { // a module of each document would cost more
			case m != nil:
				all[path] = ofOthers(m.references().Imports)
			case v != nil:
				all[path] = ofOthers(v.ReferencesOf(doc).Imports)
			}
		}
	})
	if err != nil {
		return nil, fmt.Errorf("looking for imports: %w", err)
	}
	return all, nil
}

// ofOthers returns the imports from other files.
func ofOthers(imports []syntax.Import) []syntax.Import {
	own := func(i syntax.Import) bool { return i.Path == syntax.OwnFile }
	if slices.ContainsFunc(imports, own) {
		imports = slices.DeleteFunc(slices.Clone(imports), own)
	}
	return imports
}
