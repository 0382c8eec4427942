package tools

import (
	"context"

	"ploke-lsp/index"
)

// hit is something that was found, as it stands in the text that the turn sees.
type hit struct {
	index.Hit
	relation          string   // how it was found where it does not itself fit the query
	code              *encoded // with its code; nil for a card
	asCard, asSibling *encoded // nil until they are asked for
}

// present finds the hits in the text that the turn sees, and leaves out those that are
// not there any more and those that lie in another one: of a container too long to be
// shown and its members the members stay.
func (d Deps) resolveHits(ctx context.Context, env Env, srcs *sources, found []index.Hit) ([]*hit, error) {
	staged, err := d.staged(ctx, env.Call().RequestID)
	if err != nil {
		return nil, err
	}
	all := make([]*hit, 0, len(found))
	for _, f := range found {
		if _, ok := staged[f.Path]; ok { // else the index has found it in the text of now
			it, err := srcs.resolve(ctx, f.Unit)
			if err != nil {
				return nil, err
			}
			if it == nil {
				continue
			}
			f.Unit = it.unit()
		}
		all = append(all, &hit{Hit: f})
	}
	var kept []*hit
	for i, h := range all {
		if !h.coversLater(all[i+1:]) && !h.overlaps(kept) {
			kept = append(kept, h)
		}
	}
	return kept, nil
}

// longContainer is from how many bytes on a container is too long to be shown
// where its members were found too.
const longContainer = 4 << 10

func (h *hit) coversLater(later []*hit) bool {
	if h.EndByte-h.StartByte < longContainer {
		return false
	}
	for _, other := range later {
		if other.Path == h.Path && h.StartByte < other.StartByte && other.EndByte <= h.EndByte {
			return true
		}
	}
	return false
}

// overlaps reports whether h shares lines with one of others.
func (h *hit) overlaps(others []*hit) bool {
	for _, other := range others {
		if other.Path == h.Path && h.StartLine <= other.EndLine && other.StartLine <= h.EndLine {
			return true
		}
	}
	return false
}

// expandedHits is of how many of the best hits the neighbours are shown.
const expandedHits = 3

// expand are the neighbours of the best hits in the graph that are no hits themselves.
func (d Deps) relatedHits(ctx context.Context, env Env, srcs *sources, hits []*hit) ([]*hit, error) {
	draft, err := d.draft(ctx, env, srcs)
	if err != nil {
		return nil, err
	}
	var best []index.Unit
	for _, h := range hits[:min(expandedHits, len(hits))] {
		best = append(best, h.Unit)
	}
	found, err := draft.Neighbours(ctx, best)
	if err != nil {
		return nil, err
	}
	var beside []*hit
	for _, n := range found {
		h := &hit{Hit: index.Hit{Unit: n.Unit}, relation: string(n.Relation) + " " + n.To.Canon}
		if !h.overlaps(hits) && !h.overlaps(beside) {
			beside = append(beside, h)
		}
	}
	return beside, nil
}
