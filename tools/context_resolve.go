package tools

import (
	"context"

	"ploke-lsp/index"
	"ploke-lsp/tools/packing"
)

// resolveHits finds the hits in the text that the turn sees. It drops hits that no longer
// exist.
func (d Deps) resolveHits(ctx context.Context, env Env, srcs *sources, found []index.Hit) ([]*packing.Hit, error) {
	staged, err := d.staged(ctx, env.Call())
	if err != nil {
		return nil, err
	}
	all := make([]*packing.Hit, 0, len(found))
	for _, f := range found {
		if _, ok := staged[f.Path]; ok { // all other files are unchanged since the index found the hits
			it, err := srcs.resolve(ctx, f.Unit)
			if err != nil {
				return nil, err
			}
			if it == nil {
				continue
			}
			f.Unit = it.unit()
		}
		all = append(all, &packing.Hit{Hit: f, Proposed: srcs.proposed(f.Path)})
	}
	for i, h := range all {
		h.InParts = h.CoversLater(all[i+1:])
	}
	return all, nil
}
