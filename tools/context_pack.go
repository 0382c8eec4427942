package tools

import (
	"context"
	"errors"
	"slices"
)

// Layout says how what was found shares a budget.
type Layout struct {
	Code   float64 // share for the code of the best, at least unless 0; cards get the rest
	Beside float64 // share for cards of what stands beside them in the graph, at most
}

// ShippedLayout is the one that models get. See bench/retrieval for what it holds beside
// others.
var ShippedLayout = Layout{Code: 0.6, Beside: 0.05}

// packer fills a result with hits, the best first, within a budget of tokens that are
// counted as a model counts them.
type packer struct {
	ctx    context.Context
	srcs   *sources
	layout Layout
	budget int
	result requestCodeContextResult
	chosen []packed // by rank
}

// packed is a hit as it is shown; item has a snippet, or is a card.
type packed struct {
	hit
	item contextItem
}

const (
	leastCode = 300 // tokens that one code may take however small the budget is
	leastItem = 60  // tokens of the shortest code with what is said of it
)

const narrower = "ask again with a narrower hint, or look symbols up with code_item_lookup"

// pack chooses which hits are shown, and how, and what beside them, which may be looked
// for meanwhile.
func (p *packer) pack(hits []hit, beside func() ([]hit, error)) error {
	p.result.Omitted, p.result.Hint = len(hits), narrower
	left := p.budget - tokensOf(p.result)
	forBeside := int(float64(left) * p.layout.Beside)
	code, err := p.showCode(hits, left-forBeside)
	neighbours, besideErr := beside()
	if err := errors.Join(err, besideErr); err != nil {
		return err
	}
	forBeside = min(forBeside, weigh(neighbours))
	p.addCards(hits, left-forBeside-code)
	p.addBeside(neighbours, forBeside)
	p.finish(len(hits))
	return nil
}

// showCode chooses hits whose code is shown, and returns how many tokens they take: their
// share of what is left, and what the cards of all other hits leave of it.
func (p *packer) showCode(hits []hit, left int) (used int, err error) {
	if p.layout.Code == 0 {
		return 0, nil
	}
	share, cards := int(float64(left)*p.layout.Code), weigh(hits)
	for i := range hits[:min(p.result.TopK, len(hits))] {
		h, limit := &hits[i], max(share, left-cards)
		if limit-used < leastItem {
			break
		}
		item, tokens, err := p.withCode(*h, min(max(limit/2, leastCode), limit-used))
		if err != nil {
			return 0, err
		}
		if tokens > 0 {
			p.chosen = append(p.chosen, packed{*h, item})
			used += tokens
			cards -= h.tokens(false)
		}
	}
	return used, nil
}

// addCards adds the other hits as cards, as many as fit.
func (p *packer) addCards(hits []hit, limit int) {
	with := p.chosen
	p.chosen = nil
	for i := range hits {
		h := &hits[i]
		if len(with) > 0 && with[0].id() == h.id() {
			p.chosen, with = append(p.chosen, with[0]), with[1:]
			continue
		}
		if limit -= h.tokens(!p.shows(h.Path)); limit < 0 {
			continue
		}
		p.chosen = append(p.chosen, packed{*h, h.card()})
	}
}

// addBeside adds what is beside the hits, as much as fits.
func (p *packer) addBeside(beside []hit, limit int) {
	for i := range beside {
		h := &beside[i]
		if limit -= h.tokens(!p.shows(h.Path)); limit < 0 {
			return
		}
		p.chosen = append(p.chosen, packed{*h, h.card()})
	}
}

// finish writes the result, and takes cards away again until it keeps its budget: what
// was counted apart may make a few tokens more together.
func (p *packer) finish(found int) {
	for {
		p.result.Results = p.grouped()
		p.result.Omitted, p.result.Hint = found, ""
		for _, c := range p.chosen {
			if c.relation == "" {
				p.result.Omitted--
			}
		}
		if p.result.Omitted > 0 {
			p.result.Hint = narrower
		}
		if tokensOf(p.result) <= p.budget || len(p.chosen) == 0 {
			return
		}
		p.chosen = p.chosen[:len(p.chosen)-1]
	}
}

// grouped are the results by file, in the order of each file's best one: those with code,
// then the others as siblings of the last of them.
func (p *packer) grouped() []contextItem {
	items := []contextItem{}
	for _, path := range p.files() {
		var cards []packed
		first := len(items)
		for _, c := range p.chosen {
			switch {
			case c.Path != path:
			case c.item.Snippet != "":
				items = append(items, c.item)
			default:
				cards = append(cards, c)
			}
		}
		if len(items) == first {
			items, cards = append(items, cards[0].item), cards[1:]
		}
		last := &items[len(items)-1]
		for _, c := range cards {
			last.Siblings = append(last.Siblings, c.sibling())
		}
	}
	return items
}

// files are those of what was chosen, the best first.
func (p *packer) files() (paths []string) {
	for _, c := range p.chosen {
		if !slices.Contains(paths, c.Path) {
			paths = append(paths, c.Path)
		}
	}
	return paths
}

func (p *packer) shows(path string) bool {
	return slices.ContainsFunc(p.chosen, func(c packed) bool { return c.Path == path })
}
