package packing

import (
	"cmp"
	"slices"

	"ploke-lsp/index"
	"ploke-lsp/internal/syntax"
)

// filesAhead is how many files are asked for their imports at once, before it is known which of them have
// room for code: about as many as a large budget has. Each question takes longer than a file.
const filesAhead = 8

const shortLines = 5 // see hit.isShort

// FilesOf returns the paths of the first n files of hits, each once.
func FilesOf(hits []index.Hit, n int) (paths []string) {
	for _, h := range hits {
		if len(paths) < n && !slices.Contains(paths, h.Path) {
			paths = append(paths, h.Path)
		}
	}
	return paths
}

// FirstFiles returns the paths of the first n files of hits, each once.
func FirstFiles(hits []*Hit, n int) (paths []string) {
	for _, h := range hits {
		if len(paths) == n {
			break
		}
		if !slices.Contains(paths, h.Path) {
			paths = append(paths, h.Path)
		}
	}
	return paths
}

// showCode gives hits their code, and returns how many tokens it takes. The code gets its share
// of left, and in addition what the cards of all other hits do not need.
func (p *Packer) showCode(hits []*Hit, left int) (used int, err error) {
	if p.Layout.Code == 0 {
		return 0, nil
	}
	findImports := Async(func() (map[string][]syntax.Import, error) {
		return p.Overlay.Imports(p.Ctx, FirstFiles(hits, filesAhead))
	})
	share, cards := int(float64(left)*p.Layout.Code), p.tokensOfCards(hits)
	imports, err := findImports()
	if err != nil {
		return 0, err
	}
	p.setImports(imports)
	var best *Hit // that the model has not read
	shown := 0
	for _, h := range hits {
		if shown == p.Result.TopK {
			return used, nil
		}
		if !p.deservesCode(h) {
			continue
		}
		heading, err := p.codeHeading(h.Path)
		limit := max(share, left-cards)
		if err != nil || limit-used-heading < minItemTokens {
			return used, err
		}
		whole, parts := p.codeTokens(best == nil, limit)
		room := limit - used - heading
		item, tokens, err := p.withCode(h, min(whole, room), min(parts, room))
		switch {
		case err != nil:
			return used, err
		case item == nil:
		case p.wasAllSent(item):
			h.sent = true
		default:
			best = cmp.Or(best, h)
			h.code = item
			shown++
			if _, again := p.imports[h.Path]; !again {
				more, err := p.addImports(h, room-tokens)
				if err != nil {
					return used, err
				}
				used += more
			}
			p.markShown(h)
			p.imports[h.Path] = p.importsOf[h.Path]
			used += tokens + heading
			cards -= p.cardTokens(h)
		}
	}
	return used, nil
}

// markShown notes the lines that a hit shows.
func (p *Packer) markShown(h *Hit) {
	if p.shown[h.Path] == nil {
		p.shown[h.Path] = map[int]bool{}
	}
	for _, w := range h.windows {
		for i := w.start; i < w.end; i++ {
			p.shown[h.Path][i+1] = true
		}
	}
}

// deservesCode reports whether a hit is shown with its code if there is enough room.
func (p *Packer) deservesCode(h *Hit) bool {
	switch {
	case !p.Layout.Named:
		return true
	case h.InParts, h.Kind == syntax.KindFile && len(p.shown[h.Path]) > 0:
		return false
	}
	return h.named || h.Signals["meant"] > 0
}

// isShort reports whether the code of a hit hardly takes more than the line that names it, and says more.
func (h *Hit) isShort() bool {
	return h.Kind != syntax.KindFile && h.StartLine < h.EndLine && h.EndLine-h.StartLine < shortLines
}

// showShort gives hits that are chosen as cards their code if it is short, as far as there is room.
func (p *Packer) showShort(hits []*Hit, room int) error {
	for _, h := range hits {
		if h.code != nil || !h.isShort() || !slices.Contains(p.chosen, h) {
			continue
		}
		limit := room + p.cardTokens(h)
		item, _, err := p.withCode(h, limit, 0)
		if err != nil {
			return err
		}
		if item == nil || item.Cut != "" {
			continue
		}
		item.Doc = "" // the code says as much
		h.code, room = item, limit-p.tokensOf(item.write)
		p.markShown(h)
	}
	return nil
}

// codeTokens returns how many tokens a hit may take if all of its code is shown, and if parts of it
// are. The best one may take everything, to be complete.
func (p *Packer) codeTokens(best bool, limit int) (whole, parts int) {
	parts = max(limit/2, minCodeTokens)
	switch {
	case p.Layout.Whole == 0:
		return parts, parts
	case best:
		return limit, parts
	}
	return p.Layout.Whole, p.Layout.Whole
}
