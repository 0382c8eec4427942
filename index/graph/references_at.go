package graph

import (
	"context"
	"fmt"

	"ploke-lsp/index/records"
)

// A Place is a range of bytes of a file.
type Place struct {
	Path       string // absolute
	Start, End int
}

// ReferencesAt returns the references that are at places, as the index has them: nothing is parsed. Each says in which
// text it is. A place that is no reference has none.
func (o *Overlay) ReferencesAt(ctx context.Context, places []Place) (map[Place]Reference, error) {
	wanted, last := map[Place]bool{}, map[string]int{}
	for _, p := range places {
		wanted[p], last[p.Path] = true, max(last[p.Path], p.End)
	}
	var found map[Place]Reference
	err := o.resolving(ctx, func(r *resolver) {
		found = map[Place]Reference{}
		for path, end := range last {
			m, src := r.at(path)
			if src == nil {
				continue
			}
			lines := records.LineCounter{Text: src.Text}
			for _, ref := range m.references().InRange(0, end) {
				if at := (Place{path, ref.Start, ref.End}); wanted[at] {
					found[at] = m.reference(src, &lines, ref)
				}
			}
		}
	})
	if err != nil {
		return nil, fmt.Errorf("looking for references at %d places: %w", len(places), err)
	}
	return found, nil
}
