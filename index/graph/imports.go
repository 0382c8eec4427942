package graph

import (
	"context"
	"fmt"

	"ploke-lsp/internal/syntax"
)

// Imports returns the imports of the files at absolute paths, each in the order of its text.
func (o *Overlay) Imports(ctx context.Context, paths []string) (all map[string][]syntax.Import, err error) {
	err = o.resolving(ctx, func(r *resolver) {
		all = map[string][]syntax.Import{}
		for _, path := range paths {
			switch m, v, doc := r.located(path); { // a module of each document would cost more
			case m != nil:
				all[path] = m.references().Imports
			case v != nil:
				all[path] = v.ReferencesOf(doc).Imports
			}
		}
	})
	if err != nil {
		return nil, fmt.Errorf("looking for imports: %w", err)
	}
	return all, nil
}
