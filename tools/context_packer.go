package tools

import (
	"context"
	"errors"
	"slices"
	"strings"

	"ploke-lsp/internal/o200k"
)

// Layout says how the parts of a result share its token budget.
type Layout struct {
	Code    float64 // minimum share for the code of the best hits, 0 for no code; cards get the rest
	Related float64 // maximum share for cards of related symbols
}

// DefaultLayout is the layout of request_code_context. bench/retrieval compares it with others.
var DefaultLayout = Layout{Code: 0.6, Related: 0.05}

// packer fills a result with hits, best first, within a token budget. Tokens are counted with
// the o200k_base vocabulary.
type packer struct {
	ctx    context.Context
	srcs   *sources
	layout Layout
	budget int
	result requestCodeContextResult
	chosen []*hit // by rank
}

const (
	minCodeTokens = 300 // tokens that one snippet may take, however small the budget is
	minItemTokens = 60  // tokens of the shortest snippet with its attributes
)

const narrower = "repeat the call with a narrower hint, or look symbols up with code_item_lookup"

// pack chooses which hits and related symbols are shown, and how, and returns the result's
// JSON. It calls findRelated, which may run in parallel, after it has chosen the snippets.
func (p *packer) pack(hits []*hit, findRelated func() ([]*hit, error)) (content string, err error) {
	p.result.Omitted, p.result.Hint = len(hits), narrower
	left := p.budget - o200k.Count(jsonOf(p.result))
	forRelated := int(float64(left) * p.layout.Related)
	code, err := p.showCode(hits, left-forRelated)
	related, relatedErr := findRelated()
	if err := errors.Join(err, relatedErr); err != nil {
		return "", err
	}
	forRelated = min(forRelated, cardTokens(related))
	p.addHits(hits, left-forRelated-code)
	p.addRelated(related, forRelated)
	return p.finish(len(hits)), nil
}

// showCode gives hits their code, and returns how many tokens it takes. The code gets its share
// of left, and in addition what the cards of all other hits do not need.
func (p *packer) showCode(hits []*hit, left int) (used int, err error) {
	if p.layout.Code == 0 {
		return 0, nil
	}
	share, cards := int(float64(left)*p.layout.Code), cardTokens(hits)
	for _, h := range hits[:min(p.result.TopK, len(hits))] {
		limit := max(share, left-cards)
		if limit-used < minItemTokens {
			break
		}
		if h.code, err = p.withCode(h, min(max(limit/2, minCodeTokens), limit-used)); err != nil {
			return 0, err
		}
		if h.code != nil {
			used += h.code.tokens + commaTokens
			cards -= h.tokens(false)
		}
	}
	return used, nil
}

// addHits chooses all hits with code, and as many others as fit as cards.
func (p *packer) addHits(hits []*hit, limit int) {
	for _, h := range hits {
		if h.code == nil {
			if limit -= h.tokens(!p.shows(h.Path)); limit < 0 {
				continue
			}
		}
		p.chosen = append(p.chosen, h)
	}
}

// addRelated adds as many related symbols as fit.
func (p *packer) addRelated(related []*hit, limit int) {
	for _, h := range related {
		if limit -= h.tokens(!p.shows(h.Path)); limit < 0 {
			return
		}
		p.chosen = append(p.chosen, h)
	}
}

// finish writes the result. It removes cards until the result is within its budget, because the
// parts may take a few more tokens together than separately.
func (p *packer) finish(found int) (content string) {
	for {
		p.result.Omitted, p.result.Hint = found, ""
		for _, c := range p.chosen {
			if c.relation == "" {
				p.result.Omitted--
			}
		}
		if p.result.Omitted > 0 {
			p.result.Hint = narrower
		}
		w := p.encode()
		if w.tokens.Tokens() <= p.budget || len(p.chosen) == 0 {
			return w.text.String()
		}
		p.chosen = p.chosen[:len(p.chosen)-1]
	}
}

// writing is JSON that is assembled from parts that were encoded and counted before.
type writing struct {
	text   strings.Builder
	tokens o200k.Sum
}

func (w *writing) write(text string) {
	w.text.WriteString(text)
	w.tokens.AddText(text)
}

// open writes e without its last byte.
func (w *writing) open(e *encoded) {
	w.text.WriteString(e.open())
	w.tokens.Add(e.body)
}

// encode returns the result. The chosen hits are grouped by file, in the order of each file's
// best hit: first those with code, then the others as siblings of the last one.
func (p *packer) encode() *writing {
	const list = `"results":[`
	before, behind, _ := strings.Cut(jsonOf(p.result), list)
	w := &writing{}
	w.write(before + list)
	separator := ""
	for _, path := range p.files() {
		items, siblings := p.itemsOf(path)
		for i, item := range items {
			w.write(separator)
			w.open(item)
			if i == len(items)-1 {
				w.siblings(siblings)
			}
			w.write("}")
			separator = ","
		}
	}
	w.write(behind)
	return w
}

// siblings writes them as an item's last member.
func (w *writing) siblings(siblings []*encoded) {
	if len(siblings) == 0 {
		return
	}
	separator := `,"siblings":[`
	for _, s := range siblings {
		w.write(separator)
		w.open(s)
		separator = `",`
	}
	w.write(`"]`)
}

// itemsOf returns the chosen items and siblings of a file.
func (p *packer) itemsOf(path string) (items, siblings []*encoded) {
	var cards []*hit
	for _, h := range p.chosen {
		switch {
		case h.Path != path:
		case h.code != nil:
			items = append(items, h.code)
		default:
			cards = append(cards, h)
		}
	}
	if len(items) == 0 {
		items, cards = append(items, cards[0].card()), cards[1:]
	}
	for _, h := range cards {
		siblings = append(siblings, h.sibling())
	}
	return items, siblings
}

// files returns the paths of the chosen hits, best first.
func (p *packer) files() (paths []string) {
	for _, c := range p.chosen {
		if !slices.Contains(paths, c.Path) {
			paths = append(paths, c.Path)
		}
	}
	return paths
}

func (p *packer) shows(path string) bool {
	return slices.ContainsFunc(p.chosen, func(h *hit) bool { return h.Path == path })
}
