package packing

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/internal/o200k"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/tools/wording"
)

// Layout says how the parts of a result share its token budget.
type Layout struct {
	Code    float64 // minimum share for the code of the best hits, 0 for no code; cards get the rest
	Related float64 // maximum share for cards of related symbols
	// Named gives code only to symbols that the query names exactly, or means by their place. Instead of a long container,
	// those of its members that were found have a line each.
	Named bool
	// Short is how many of the best hits have their code instead of a line if it is short and there is room left.
	Short int
	// FileCards is how many symbols of one file may have no code; 0: it depends on the budget.
	FileCards int
	// Whole is the number of tokens up to which all code of the second and later hits is shown; of
	// longer code, the parts that match the query are. 0 stands for half of the budget.
	Whole int
}

// DefaultLayout is the layout of request_code_context. bench/retrieval compares it with others.
var DefaultLayout = Layout{Code: 0.8, Related: 0.05}

// Packer fills a result with hits, best first, within a token budget. Tokens are those of the text
// that a model reads, in the o200k_base vocabulary.
type Packer struct {
	Ctx     context.Context
	Texts   Texts
	Paths   wording.Paths
	Overlay *index.Overlay
	Layout  Layout
	Budget  int
	Terms   index.TermWeights // of the query
	Sent    []string          // what the model has read already and is not shown again
	// sentLines are the telling lines in sent, see markSent.
	sentLines map[string]bool
	Result    Result
	Alike     []LikeNamed // for which there may be room
	choice
	// measured are the parts of the text whose tokens were counted.
	measured map[string]o200k.Measured
	// numbered are the snippets in the text, see TextWriter.
	numbered map[string]string
}

// choice is what was chosen so far.
type choice struct {
	chosen  []*Hit            // by rank
	most    int               // cards of a file
	cards   map[string]int    // of a file: how many chosen hits have no code
	imports map[string]string // of the files with code
	// shown are the lines that hits show, by path.
	shown map[string]map[int]bool
	// importsOf has the line that names the imports of a file, also of those that were too large to show.
	importsOf map[string]string
	importsIn map[string][]syntax.Import
	// wholes are the files with code that were read whole.
	wholes map[string]*surroundings
}

// Texts are the texts of hits as the turn sees them.
type Texts interface {
	// Code returns the lines of a unit that the index has just found; "" if they have changed, or can't be read.
	Code(ctx context.Context, u index.Unit) (string, error)
	// Around returns the lines of a unit and at least the wanted ones around it, or all of a short file; no text if the
	// unit has changed, or can't be read.
	Around(ctx context.Context, u index.Unit, wanted Around) (Part, error)
	// SecretsOf returns the secrets of a file; ok is false if it can't be read.
	SecretsOf(ctx context.Context, path string) (secrets []string, ok bool, err error)
	// Proposed returns the id of the proposal that the text of a file comes from, or "".
	Proposed(path string) string
}

const (
	minCodeTokens = 300 // tokens that one snippet may take, however small the budget is
	minItemTokens = 60  // tokens of the shortest snippet with its attributes
	minFileCards  = 3   // symbols of one file without code, however small the budget is
	moreFileCards = 3   // times more of them are shown of a file with a named symbol, in what is left of the budget
	tokensPerCard = 400 // of the budget, for which one more symbol of a file may have no code
)

const narrower = "repeat the call with a narrower hint, or look symbols up with code_item_lookup"

// Pack chooses which hits and related symbols are shown, and how. It calls findRelated, which may
// run in parallel, after it has chosen the snippets.
func (p *Packer) Pack(hits []*Hit, findRelated func() (Related, error)) error {
	p.Result.Omitted, p.Result.Hint = len(hits), narrower
	if p.most = p.Layout.FileCards; p.most == 0 {
		p.most = max(minFileCards, p.Budget/tokensPerCard)
	}
	p.shown, p.measured, p.numbered = map[string]map[int]bool{}, map[string]o200k.Measured{}, map[string]string{}
	p.wholes = map[string]*surroundings{}
	p.cards, p.imports, p.importsOf = map[string]int{}, map[string]string{}, map[string]string{}
	p.importsIn = map[string][]syntax.Import{}
	left := p.Budget - p.tokensOf(p.Result.writeNotes)
	forRelated := int(float64(left) * p.Layout.Related)
	code, err := p.showCode(hits, left-forRelated)
	found, relatedErr := findRelated()
	if err := errors.Join(err, relatedErr); err != nil {
		return err
	}
	forRelated = min(forRelated, p.tokensOfCards(found.symbols))
	left -= forRelated + code + p.addImplementers(hits, found)
	left -= p.addCalls(hits, found, left)
	p.addHits(hits, &left)
	p.addRelated(found.symbols, &forRelated)
	left += forRelated
	p.most *= moreFileCards
	p.addHits(inFilesOfNamed(hits), &left)
	p.addAlike(&left)
	if err := p.showShort(hits[:min(len(hits), p.Layout.Short)], left); err != nil {
		return err
	}
	p.finish(hits)
	return nil
}

// addImplementers says which types implement the best hits, and returns how many tokens it takes.
func (p *Packer) addImplementers(hits []*Hit, found Related) (used int) {
	if len(found.implementers) == 0 {
		return 0
	}
	for _, h := range hits {
		if types := found.implementers[h.id()]; types != nil && !h.sent && (h.code != nil || !p.knows(h)) {
			h.implementers = types
			used += p.tokensOf(types.write)
		}
	}
	return used
}

// addHits chooses all hits with code, and as many others as fit as cards, and deducts the tokens of these from limit.
func (p *Packer) addHits(hits []*Hit, limit *int) {
	for _, h := range hits {
		around := p.shown[h.Path][h.StartLine] // of other code
		if slices.Contains(p.chosen, h) ||
			h.code == nil && (h.covered && !around || h.overlaps(p.alone()) || !p.addCard(h, limit)) {
			continue
		}
		p.chosen = append(p.chosen, h)
	}
}

// alone returns the chosen hits whose lines no other hit may have, too.
func (p *Packer) alone() []*Hit {
	if !p.Layout.Named {
		return p.chosen
	}
	return slices.DeleteFunc(slices.Clone(p.chosen), func(h *Hit) bool { return h.code == nil && h.InParts })
}

// addRelated adds as many related symbols as fit.
func (p *Packer) addRelated(related []*Hit, limit *int) {
	for _, h := range related {
		h.Proposed = p.Texts.Proposed(h.Path)
		if !p.shown[h.Path][h.StartLine] && p.addCard(h, limit) {
			p.chosen = append(p.chosen, h)
		}
	}
}

// addCard reports whether a hit is shown as a card, and deducts its tokens from limit.
func (p *Packer) addCard(h *Hit, limit *int) bool {
	tokens := p.cardTokens(h)
	if !p.shows(h.Path) {
		tokens += p.headingTokens(h.Path)
	}
	if h.sent || p.cards[h.Path] == p.most || tokens > *limit || p.knows(h) {
		return false
	}
	p.cards[h.Path]++
	*limit -= tokens
	return true
}

// shows reports whether the heading of a file is paid for.
func (p *Packer) shows(path string) bool {
	_, code := p.imports[path]
	return code || p.cards[path] > 0
}

// tokensOfCards estimates how many tokens hits take as cards.
func (p *Packer) tokensOfCards(hits []*Hit) (tokens int) {
	cards := map[string]int{}
	for _, h := range hits {
		if cards[h.Path]++; cards[h.Path] == 1 {
			tokens += p.headingTokens(h.Path)
		}
		if cards[h.Path] <= p.most {
			tokens += p.cardTokens(h)
		}
	}
	return tokens
}

// wasSent reports whether the model has already read the lines of a snippet.
func (p *Packer) wasSent(snippet string) bool {
	if len(p.Sent) == 0 {
		return false
	}
	code, ok := wording.SnippetIn(snippet)
	lines := wording.Numbered(code.StartLine, code.Text)
	return ok && slices.ContainsFunc(p.Sent, func(sent string) bool { return strings.Contains(sent, lines) })
}

func (p *Packer) wasAllSent(item *Item) bool {
	unread := func(snippet string) bool { return !p.wasSent(snippet) }
	return p.wasSent(item.Snippet) && !slices.ContainsFunc(item.Further, unread)
}

// finish sets the results. It removes the last ones until the text is within the budget, because
// the parts may take a few more tokens together than separately.
func (p *Packer) finish(hits []*Hit) {
	for {
		p.setResults(hits)
		if len(p.chosen) == 0 || p.tokensOf(p.Result.Text) <= p.Budget {
			return
		}
		p.chosen = p.chosen[:len(p.chosen)-1]
	}
}

// setResults sets the results from the chosen hits: those whose code is shown by rank, so that the first lines
// matter the most, then the other files in the order of their best hits.
func (p *Packer) setResults(hits []*Hit) {
	p.Result.Results, p.Result.Omitted, p.Result.Hint = []Item{}, p.omitted(hits), ""
	last := map[string]int{} // the place of a file's last item
	for _, h := range p.chosen {
		if h.code == nil && !h.covered {
			continue
		}
		item := *cmp.Or(h.code, h.card())
		item.Implementers, item.Calls = h.implementers, h.calls
		if _, more := last[h.Path]; !more {
			item.Imports = p.imports[h.Path]
		}
		last[h.Path] = len(p.Result.Results)
		p.Result.Results = append(p.Result.Results, item)
	}
	for _, path := range p.Files() {
		p.setCards(path, last)
	}
	if p.Result.Omitted > 0 {
		p.Result.Hint = narrower
	}
}

// setCards adds the chosen hits of a file that have no code: those that others implement, that
// are asked about, or that are the first of the file, as items, and the rest as siblings of the file's last item.
func (p *Packer) setCards(path string, last map[string]int) {
	var siblings []string
	for _, h := range p.chosen {
		if h.Path != path || h.code != nil || h.covered {
			continue
		}
		if _, more := last[path]; more && h.implementers == nil && h.calls == nil {
			siblings = append(siblings, h.card().line())
			continue
		}
		item := *h.card()
		item.Implementers, item.Calls = h.implementers, h.calls
		last[path] = len(p.Result.Results)
		p.Result.Results = append(p.Result.Results, item)
	}
	if len(siblings) > 0 {
		p.Result.Results[last[path]].Siblings = siblings
	}
}

// omitted counts the hits that are not shown and that the model has not read, in files of which
// nothing is shown.
func (p *Packer) omitted(hits []*Hit) (n int) {
	files := p.Files()
	for _, h := range hits {
		if !h.sent && !slices.Contains(files, h.Path) {
			n++
		}
	}
	return n
}

// Files returns the paths of the chosen hits, best first.
func (p *Packer) Files() []string { return FirstFiles(p.chosen, len(p.chosen)) }
