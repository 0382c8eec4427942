package tools

import (
	"context"

	"ploke-lsp/index"
)

// hit is something that was found, as it stands in the text that the turn sees.
type hit struct{ index.Hit }

// present finds the hits in the text that the turn sees, and leaves out those that are
// not there any more and those that lie in another one: of a container too long to be
// shown and its members the members stay.
func (d Deps) present(ctx context.Context, env Env, srcs *sources, found []index.Hit) ([]hit, error) {
	staged, err := d.staged(ctx, env.Call().RequestID)
	if err != nil {
		return nil, err
	}
	var all []hit
	for _, f := range found {
		if _, ok := staged[f.Path]; ok { // else the index has found it in the text of now
			it, err := srcs.find(ctx, f.Unit)
			if err != nil {
				return nil, err
			}
			if it == nil {
				continue
			}
			f.Unit = it.unit()
		}
		all = append(all, hit{f})
	}
	var kept []hit
	for i, h := range all {
		if !h.yields(all[i+1:]) && !h.overlaps(kept) {
			kept = append(kept, h)
		}
	}
	return kept, nil
}

// longContainer is from how many bytes on a container is too long to be shown
// where its members were found too.
const longContainer = 4 << 10

func (h hit) yields(later []hit) bool {
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
func (h hit) overlaps(others []hit) bool {
	for _, other := range others {
		if other.Path == h.Path && h.StartLine <= other.EndLine && other.StartLine <= h.EndLine {
			return true
		}
	}
	return false
}
