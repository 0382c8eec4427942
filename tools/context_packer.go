package tools

import (
	"context"
	"errors"
	"slices"
	"strings"

	"ploke-lsp/internal/o200k"
)

// Layout says how what was found shares a budget.
type Layout struct {
	Code   float64 // share for the code of the best, at least unless 0; cards get the rest
	Related float64 // share for cards of what stands beside them in the graph, at most
}

// ShippedLayout is the one that models get. See bench/retrieval for what it holds beside
// others.
var DefaultLayout = Layout{Code: 0.6, Related: 0.05}

// packer fills a result with hits, the best first, within a budget of tokens that are
// counted as a model counts them.
type packer struct {
	ctx    context.Context
	srcs   *sources
	layout Layout
	budget int
	result requestCodeContextResult
	chosen []*hit // by rank
}

const (
	minCodeTokens = 300 // tokens that one code may take however small the budget is
	minItemTokens = 60  // tokens of the shortest code with what is said of it
)

const narrower = "ask again with a narrower hint, or look symbols up with code_item_lookup"

// pack chooses which hits are shown, and how, and what beside them, which may be looked
// for meanwhile, and returns the result's JSON.
func (p *packer) pack(hits []*hit, beside func() ([]*hit, error)) (content string, err error) {
	p.result.Omitted, p.result.Hint = len(hits), narrower
	left := p.budget - o200k.Count(jsonOf(p.result))
	forBeside := int(float64(left) * p.layout.Related)
	code, err := p.showCode(hits, left-forBeside)
	neighbours, besideErr := beside()
	if err := errors.Join(err, besideErr); err != nil {
		return "", err
	}
	forBeside = min(forBeside, cardTokens(neighbours))
	p.addHits(hits, left-forBeside-code)
	p.addRelated(neighbours, forBeside)
	return p.finish(len(hits)), nil
}

// showCode gives hits their code, and returns how many tokens they take: their share of
// what is left, and what the cards of all other hits leave of it.
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

// addHits chooses the hits with code, and of the others as many as fit as cards.
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

// addBeside adds what is beside the hits, as much as fits.
func (p *packer) addRelated(beside []*hit, limit int) {
	for _, h := range beside {
		if limit -= h.tokens(!p.shows(h.Path)); limit < 0 {
			return
		}
		p.chosen = append(p.chosen, h)
	}
}

// finish writes the result, and takes cards away again until it keeps its budget: what
// was counted apart may make a few tokens more together.
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

// writing is JSON that is put together of what was encoded and counted before.
type writing struct {
	text   strings.Builder
	tokens o200k.Sum
}

func (w *writing) write(text string) {
	w.text.WriteString(text)
	w.tokens.AddText(text)
}

// open writes what is encoded, all but its last byte.
func (w *writing) open(e *encoded) {
	w.text.WriteString(e.open())
	w.tokens.Add(e.body)
}

// written is the result with the chosen by file, in the order of each file's best one:
// those with code, then the others as siblings of the last of them.
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

// of is what was chosen of a file.
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
	return slices.ContainsFunc(p.chosen, func(h *hit) bool { return h.Path == path })
}
