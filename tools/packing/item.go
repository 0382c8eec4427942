package packing

import (
	"math"
	"slices"
	"strings"

	"ploke-lsp/internal/o200k"
	"ploke-lsp/internal/secretscan"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/tools/wording"
)

const (
	signatureBytes   = 160 // of a signature on a card
	docBytesShown    = 100 // of the doc comment above a snippet
	minBodyLines     = 3   // if fewer lines of a code fit, it becomes a card
	maxBytesPerToken = 8   // code worth showing has fewer bytes per token
	// A container of which some members are shown themselves takes up to partTokens if it is long,
	// and none if it is longer than maxPartedBytes.
	partTokens     = 600
	maxPartedBytes = 12 << 10
)

func (h *Hit) id() string { return wording.PlaceID(h.Path, h.StartLine, h.EndLine) }

// card returns the hit without its code.
func (h *Hit) card() *Item {
	if h.asCard == nil {
		h.asCard = &Item{ID: h.id(), Canon: h.Canon, Kind: h.Kind,
			Signature: wording.InLine(h.Signature, signatureBytes), Relation: h.relation, Code: Code{Proposed: h.Proposed}}
	}
	return h.asCard
}

// cardTokens returns how many tokens a hit takes as a card, without the heading of its file.
func (p *Packer) cardTokens(h *Hit) int {
	if h.tokens == 0 {
		h.tokens = p.measure(wording.EndLine(h.card().line())).Tokens()
	}
	return h.tokens
}

// tokensOf returns how many tokens a part of the text takes.
func (p *Packer) tokensOf(write func(w *wording.Writer)) int {
	var parts []o200k.Measured
	write(&wording.Writer{Paths: p.Paths, Sink: func(text string) { parts = append(parts, p.measure(text)) },
		Numbered: p.numbered})
	return o200k.Joined(parts)
}

// measure counts a part of the text once, since what fits is counted again as a part of the whole.
func (p *Packer) measure(text string) o200k.Measured {
	m, known := p.measured[text]
	if !known {
		m = o200k.Measure(text)
		p.measured[text] = m
	}
	return m
}

// codeOfHit is the code of a hit in lines, perhaps with lines around it.
type codeOfHit struct {
	*Hit
	first int // the number of the first line
	text  string
	lines []string
	shown []bool // which lines other hits show
}

// codeOf returns some of the lines of a hit's file.
func (p *Packer) codeOf(h *Hit, first int, lines []string) *codeOfHit {
	c := &codeOfHit{Hit: h, first: first, text: strings.Join(lines, ""), lines: lines, shown: make([]bool, len(lines))}
	for i := range c.shown {
		c.shown[i] = p.shown[h.Path][first+i]
	}
	p.markSent(c)
	return c
}

// unseen returns the lines that other hits do not show, without the few between these.
func (c *codeOfHit) unseen() []window {
	windows := linesBeside(rangesOf(c.shown), len(c.lines))
	if !slices.Contains(c.shown, true) {
		return windows
	}
	return slices.DeleteFunc(windows, func(w window) bool { return w.end-w.start < minBodyLines })
}

// withCode returns the hit with its code, or with parts of it, without the lines that other hits
// show, and how many tokens it takes: at most whole tokens for all of the code, or else at most
// limit for parts. It returns nil if too little of the code fits, or if the text has just changed.
func (p *Packer) withCode(h *Hit, whole, limit int) (item *Item, tokens int, err error) {
	text := h.Lines
	if text == "" {
		if text, err = p.Texts.Code(p.Ctx, h.Unit); err != nil {
			return nil, 0, err
		}
	}
	if text == "" {
		return nil, 0, nil
	}
	c := p.codeOf(h, h.StartLine, linesOf(text))
	windows := c.unseen()
	if h.covered = len(windows) == 0; h.covered {
		return nil, 0, nil
	}
	if !h.InParts && len(text) <= whole*maxBytesPerToken {
		if item, tokens, err = p.withAround(c, whole); item != nil || err != nil {
			return item, tokens, err
		}
		if item, tokens, err = p.inWindows(c, windows, whole); item != nil || err != nil {
			return item, tokens, err
		}
	}
	if h.InParts || slices.Contains(c.shown, true) {
		limit = min(limit, partTokens)
		if len(text) > maxPartedBytes {
			return nil, 0, nil
		}
	}
	return p.withWindows(c, limit)
}

// withWindows returns the hit with the parts of its code that match the query.
func (p *Packer) withWindows(c *codeOfHit, limit int) (item *Item, tokens int, err error) {
	frame := c.item(nil)
	lineTokens := func(i int) int { return o200k.Count(wording.Numbered(c.first+i, c.lines[i])) }
	windows := windowsOf(c.lines, c.shown, p.Terms, lineTokens, limit-p.tokensOf(frame.write))
	for shownLines(windows) >= minBodyLines {
		if item, tokens, err = p.inWindows(c, windows, limit); item != nil || err != nil {
			return item, tokens, err
		}
		windows = withoutLast(windows)
	}
	return nil, 0, nil
}

// inWindows returns the hit with some of its lines, and how many tokens it takes; nil if these are
// more than limit.
func (p *Packer) inWindows(c *codeOfHit, windows []window, limit int) (item *Item, tokens int, err error) {
	if shownLines(windows) < len(c.lines) {
		if windows, err = p.withoutPartsOfSecrets(c.Path, c.lines, windows); err != nil || len(windows) == 0 {
			return nil, 0, err
		}
	}
	item = c.item(windows)
	if tokens = p.tokensOf(item.write); tokens > limit {
		return nil, 0, nil
	}
	c.windows = nil
	for _, w := range windows {
		c.windows = append(c.windows, window{w.start + c.first - 1, w.end + c.first - 1})
	}
	return item, tokens, nil
}

// withoutPartsOfSecrets drops the windows that have a part of a secret.
func (p *Packer) withoutPartsOfSecrets(path string, lines []string, windows []window) ([]window, error) {
	secrets, ok, err := p.Texts.SecretsOf(p.Ctx, path)
	switch {
	case err != nil || !ok:
		return nil, err
	case len(secrets) == 0:
		return windows, nil
	}
	text := strings.Join(lines, "")
	return slices.DeleteFunc(slices.Clone(windows), func(w window) bool {
		start := bytesOf(lines[:w.start])
		end := start + bytesOf(lines[w.start:w.end])
		from, to := secretscan.Narrow(text, start, end, secrets)
		return from != start || to != end
	}), nil
}

func shownLines(windows []window) (n int) {
	for _, w := range windows {
		n += w.end - w.start
	}
	return n
}

// item returns the item for the hit with some of its lines. Without the whole text there is no hash,
// which would let the model replace lines that it has not seen.
func (c *codeOfHit) item(windows []window) *Item {
	item := &Item{ID: c.id(), Score: round(c.Score), Canon: c.Canon, Kind: c.Kind, Signals: map[string]float64{},
		Code: Code{Proposed: c.Proposed}}
	for name, value := range c.Signals {
		item.Signals[name] = round(value)
	}
	var shown string
	for i, w := range windows {
		code := strings.Join(c.lines[w.start:w.end], "")
		snippet := wording.Snippet(c.Path, c.first+w.start, code)
		if i == 0 {
			item.Snippet = snippet
		} else {
			item.Further = append(item.Further, snippet)
		}
		shown += code
	}
	if shown == c.text && syntax.Plain(c.Canon) != c.Canon {
		item.Hash = c.Hash
	}
	if above := c.StartLine - c.first; above > 0 { // a program that reads the result does not look there
		shown = strings.Join(c.lines[above:], "")
	}
	if !strings.Contains(shown, c.Doc) {
		item.Doc = wording.InLine(c.Doc, docBytesShown)
	}
	if missing := linesCut(windows, c.shown); len(missing) > 0 {
		item.Cut = cutNote(c.first, missing, c.Canon)
	}
	return item
}

// round rounds to two decimals.
func round(x float64) float64 { return math.Round(x*100) / 100 }
