package index

import (
	"cmp"
	"context"
	"fmt"

	"ploke-lsp/internal/syntax"
)

// Imports returns the imports of the files at absolute paths, each in the order of its text.
func (o *Overlay) Imports(ctx context.Context, paths []string) (all map[string][]syntax.Import, err error) {
	err = o.resolving(ctx, func(r *resolver) {
		all = map[string][]syntax.Import{}
		for _, path := range paths {
			if m := r.unloadedAt(path); m != nil {
				all[path] = r.importsOf(m)
			}
		}
	})
	if err != nil {
		return nil, fmt.Errorf("looking for imports: %w", err)
	}
	return all, nil
}

// importsOf returns the imports of a module. It does not load the module.
func (r *resolver) importsOf(m *module) []syntax.Import {
	if m.languageFamily != nil {
		return m.refs.imports
	}
	references, err := m.decodeReferences()
	if err != nil {
		r.err = cmp.Or(r.err, err)
		return nil
	}
	return references.imports
}
